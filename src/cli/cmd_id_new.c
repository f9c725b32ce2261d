#include "cli/cmd_id.h"

#include "base/interrupt.h"
#include "base/text.h"
#include "base/words.h"
#include "cli/moment.h"
#include "keys/format.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_IDS = 256, FORMATS_MAX = 64, MAC_BYTES = 6 };

typedef struct IdNewOptions {
    uint64_t count, step_ns, length;
    MaybeCount seed, machine, first;
    const char *at, *prefix, *alphabet, *blocklist, *epoch, *mac, *name;
} IdNewOptions;

#define FIELD(name) offsetof(IdNewOptions, name)

static const OptionSpec OPTIONS[] = {
    {OPTION_COUNT, "count", 'n', FIELD(count), "N", "1", 1, 0, NULL, "how many, one a line"},
    {OPTION_TEXT, "at", 0, FIELD(at), "TIME", NULL, 0, 0, NULL,
     "creation time, such as 2024-05-01T12:00:00Z; now without it"},
    {OPTION_TIME, "step", 0, FIELD(step_ns), "TIME", "0s", 0, 0, NULL,
     "with --at: how far the clock goes on with each id"},
    {OPTION_MAYBE_COUNT, "seed", 0, FIELD(seed), "S", NULL, 0, 0, NULL,
     "the same random bits each time; from the kernel without it"},
    {OPTION_TEXT, "prefix", 0, FIELD(prefix), "P", NULL, 0, 0, NULL,
     "put P and \"_\" in front, as TypeID does"},
    {OPTION_TEXT, "alphabet", 0, FIELD(alphabet), "LETTERS", NULL, 0, 0, NULL,
     "nanoid, sqids: characters to use"},
    {OPTION_COUNT, "length", 0, FIELD(length), "L", NULL, 1, 255, NULL,
     "nanoid: characters, up to 64; sqids: at least so many, up to 255"},
    {OPTION_TEXT, "blocklist", 0, FIELD(blocklist), "WORDS", NULL, 0, 0, NULL,
     "sqids: words that may not show, blanks between; its own list without it"},
    {OPTION_TEXT, "epoch", 0, FIELD(epoch), "TIME", NULL, 0, 0, NULL,
     "snowflake: when its clock starts; Twitter's without it"},
    {OPTION_MAYBE_COUNT, "machine", 0, FIELD(machine), "N", NULL, 0, 1023, NULL,
     "snowflake: machine id; 0 without it"},
    {OPTION_TEXT, "mac", 0, FIELD(mac), "ADDRESS", NULL, 0, 0, NULL,
     "uuidv1, uuidv6: node, such as 9f:6b:de:ce:d8:46; random without it"},
    {OPTION_TEXT, "name", 0, FIELD(name), "NAME", NULL, 0, 0, NULL,
     "uuidv3, uuidv5: hash NAME and a number in the DNS namespace; \"keybench\" without it"},
    {OPTION_MAYBE_COUNT, "first", 0, FIELD(first), "N", NULL, 1, INT64_MAX, NULL,
     "bigint, sqids, uuidv3, uuidv5: the first number; 1 without it"},
    {.kind = OPTION_END},
};

static const char DETAILS[] = "Examples:\n"
                              "  keybench id new uuidv7\n"
                              "  keybench id new typeid --prefix user -n 10\n"
                              "  keybench id new nanoid --alphabet 0123456789abcdef --length 12\n"
                              "  keybench id new ulid --seed 1 --at 2024-05-01 --step 1ms -n 1000\n"
                              "\n\"keybench list formats\" names the formats. --seed makes no "
                              "secrets: without it the random\n"
                              "bits are the kernel's.\n";

static Status
find_format(const char *name, const KeyFormat **format, Diag *diag)
{
    const char *names[FORMATS_MAX];

    *format = key_format_find(name);
    if (*format != NULL)
        return STATUS_OK;
    for (size_t i = 0; i < KEY_FORMAT_COUNT && i < FORMATS_MAX; i++)
        names[i] = key_format_name(KEY_FORMATS[i]);
    diag_set(diag, STATUS_USAGE, "unknown id format \"%s\"", name);
    word_hint(name, names, KEY_FORMAT_COUNT, diag);
    return diag->status;
}

/* Which formats take a parameter, for a hint. */
static void
hint_takers(const char *option, unsigned taken, Diag *diag)
{
    Text names = {0};

    for (size_t i = 0; i < KEY_FORMAT_COUNT; i++)
        if ((KEY_FORMATS[i]->takes & taken) != 0)
            text_printf(&names, "%s%s", names.length > 0 ? ", " : "",
                        key_format_name(KEY_FORMATS[i]));
    diag_hint(diag, "\"--%s\" is for %s.", option, text_data(&names));
    text_release(&names);
}

/* Refuse an option that would change nothing. */
static Status
check_taken(const IdNewOptions *options, const KeyFormat *format, Diag *diag)
{
    const struct {
        const char *name;
        bool given;
        KeyTakes taken;
    } rows[] = {
        {"at", options->at != NULL, KEY_TAKES_TIME},
        {"alphabet", options->alphabet != NULL, KEY_TAKES_ALPHABET},
        {"length", options->length != 0, KEY_TAKES_ALPHABET},
        {"blocklist", options->blocklist != NULL, KEY_TAKES_BLOCKLIST},
        {"epoch", options->epoch != NULL, KEY_TAKES_MACHINE},
        {"machine", options->machine.given, KEY_TAKES_MACHINE},
        {"mac", options->mac != NULL, KEY_TAKES_MAC},
        {"name", options->name != NULL, KEY_TAKES_NAME},
        {"first", options->first.given, KEY_TAKES_NUMBER},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        if (!rows[i].given || (format->takes & rows[i].taken) != 0)
            continue;
        diag_set(diag, STATUS_USAGE, "%s does not take option \"--%s\"", key_format_name(format),
                 rows[i].name);
        hint_takers(rows[i].name, rows[i].taken, diag);
        return diag->status;
    }
    return STATUS_OK;
}

static Status
read_clock(const IdNewOptions *options, KeyClock *clock, Diag *diag)
{
    if (options->at == NULL && options->step_ns == 0)
        return STATUS_OK;
    if (options->at == NULL)
        return diag_set(diag, STATUS_USAGE, "option \"--step\" needs \"--at\"");
    clock->mode = KEY_CLOCK_STEP;
    clock->step_ns = options->step_ns;
    return moment_read(options->at, &clock->start_ns, diag);
}

static Status
read_epoch(const char *epoch, KeyParams *params, Diag *diag)
{
    uint64_t time_ns = 0;
    Status status;

    if (epoch == NULL)
        return STATUS_OK;
    status = moment_read(epoch, &time_ns, diag);
    params->epoch_ms = (int64_t)(time_ns / 1000000);
    params->epoch_given = true;
    return status;
}

/* "9f:6b:de:ce:d8:46": six bytes of two hexadecimal digits. */
static bool
parse_mac(const char *text, uint64_t *mac)
{
    char *end;

    for (size_t byte = 0; byte < MAC_BYTES; byte++, text = end + 1) {
        if (!isxdigit((unsigned char)text[0]))
            return false;
        *mac = *mac << 8 | strtoul(text, &end, 16);
        if (end != text + 2 || *end != (byte + 1 < MAC_BYTES ? ':' : '\0'))
            return false;
    }
    return true;
}

static Status
read_mac(const char *text, uint64_t *mac, Diag *diag)
{
    if (text == NULL || (parse_mac(text, mac) && *mac != 0))
        return STATUS_OK;
    return diag_set(diag, STATUS_USAGE, "\"%s\" is no MAC address such as 9f:6b:de:ce:d8:46", text);
}

static Status
read_params(const IdNewOptions *options, KeyParams *params, Diag *diag)
{
    Status status = read_clock(options, &params->clock, diag);

    if (status == STATUS_OK)
        status = read_epoch(options->epoch, params, diag);
    if (status == STATUS_OK)
        status = read_mac(options->mac, &params->mac, diag);
    params->seeded = options->seed.given;
    params->seed = options->seed.value;
    params->prefix = options->prefix;
    params->alphabet = options->alphabet;
    params->length = (unsigned)options->length;
    params->blocklist = options->blocklist;
    params->machine = (unsigned)options->machine.value;
    params->name = options->name;
    params->first_number = options->first.value;
    return status;
}

/* Mint and write a block; false when standard output takes no more. */
static bool
write_block(KeyMinter *minter, size_t count)
{
    static uint8_t ids[BLOCK_IDS * KEY_WIDTH_MAX];
    static char lines[BLOCK_IDS * (KEY_TEXT_MAX + 1)];
    size_t length = 0;

    key_mint(minter, ids, count);
    for (size_t i = 0; i < count; i++) {
        length += key_text(minter, ids + i * key_width_bytes(minter), lines + length);
        lines[length++] = '\n';
    }
    return fwrite(lines, 1, length, stdout) == length;
}

/* Why standard output takes no more. */
static Status
write_failed(Diag *diag)
{
    int cause = errno;

    if (interrupt_requested())
        return interrupt_status(diag);
    if (cause == EPIPE) /* the reader has had enough, as head does */
        return STATUS_OK;
    return diag_set(diag, STATUS_IO, "cannot write to standard output: %s", strerror(cause));
}

static Status
write_ids(KeyMinter *minter, uint64_t count, Diag *diag)
{
    while (count > 0) {
        size_t step = count < BLOCK_IDS ? (size_t)count : BLOCK_IDS;

        if (interrupt_requested())
            return interrupt_status(diag);
        if (!write_block(minter, step))
            return write_failed(diag);
        count -= step;
    }
    return STATUS_OK;
}

static Status
run(const void *given, int argc, char **argv, Diag *diag)
{
    const IdNewOptions *options = given;
    KeyParams params = KEY_PARAMS_DEFAULT;
    const KeyFormat *format = NULL;
    KeyMinter *minter = NULL;
    Status status = find_format(argv[0], &format, diag);

    (void)argc;
    if (status == STATUS_OK)
        status = check_taken(options, format, diag);
    if (status == STATUS_OK)
        status = read_params(options, &params, diag);
    if (status == STATUS_OK)
        status = key_check_count(format, &params, options->count, diag);
    if (status == STATUS_OK)
        status = key_minter_new(format, &params, &minter, diag);
    if (status == STATUS_OK)
        status = write_ids(minter, options->count, diag);
    key_minter_free(minter);
    return status;
}

const Command CMD_ID_NEW = {.name = "new",
                            .summary = "make ids of any format",
                            .arguments = "FORMAT",
                            .details = DETAILS,
                            .options = OPTIONS,
                            .options_size = sizeof(IdNewOptions),
                            .arguments_min = 1,
                            .arguments_max = 1,
                            .run = run};
