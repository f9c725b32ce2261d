#include "cli/commands.h"

#include "base/paths.h"
#include "base/words.h"
#include "report/advise.h"
#include "results/result_json.h"

#include <string.h>
#include <unistd.h>

typedef struct AdviseOptions {
    bool offline_clients, client_retries, merge_databases, public_urls, hide_time, capability_links;
    const char *writers, *existing;
    bool json;
} AdviseOptions;

#define FLAG(option, field, text)                                                                  \
    {                                                                                              \
        .kind = OPTION_FLAG, .name = (option), .offset = offsetof(AdviseOptions, field),           \
        .help = (text)                                                                             \
    }

static const OptionSpec OPTIONS[] = {
    FLAG("offline-clients", offline_clients, "clients make ids before the server sees the row"),
    {.kind = OPTION_TEXT,
     .name = "writers",
     .offset = offsetof(AdviseOptions, writers),
     .argument = "HOW",
     .help = "one: the database makes all ids; many: several services make them"},
    FLAG("merge-databases", merge_databases, "rows of several databases will meet in one"),
    FLAG("client-retries", client_retries, "a client's id only marks a request sent again"),
    FLAG("public-urls", public_urls, "ids are seen in URLs or an API"),
    FLAG("hide-creation-time", hide_time,
         "ids seen must not tell when rows were made; implies --public-urls"),
    FLAG("capability-links", capability_links, "share or reset links: whoever has one gets in"),
    {.kind = OPTION_TEXT,
     .name = "existing",
     .offset = offsetof(AdviseOptions, existing),
     .argument = "KEY",
     .help = "keys there are: bigint, uuidv4, uuidv7, text (UUIDs stored so), none"},
    FLAG("json", json, "print JSON"),
    {.kind = OPTION_END},
};

static const char DETAILS[] =
    "Says which key a new table should have, as SQL, why, with the claims of the lab that prove "
    "it,\n"
    "what it costs in the reference result, and what never to do. Without a fact given it asks, "
    "on a\n"
    "terminal.\n"
    "\n"
    "Examples:\n"
    "  keybench advise\n"
    "  keybench advise --writers one\n"
    "  keybench advise --public-urls --client-retries --existing bigint\n";

typedef struct FactWord {
    const char *word;
    unsigned fact;
} FactWord;

static const FactWord WRITER_WORDS[] = {{"one", 0}, {"many", FACT_MANY_WRITERS}};
static const FactWord EXISTING_WORDS[] = {
    {"none", 0},
    {"bigint", FACT_EXISTING_BIGINT},
    {"uuidv4", FACT_EXISTING_UUIDV4},
    {"uuidv7", FACT_EXISTING_UUIDV7},
    {"text", FACT_EXISTING_TEXT},
};

/* A question is asked when nothing of `unless` is known, and all of `if_known`. */
static const struct {
    unsigned fact, if_known, unless;
    const char *words;
} QUESTIONS[] = {
    {FACT_OFFLINE_CLIENTS, 0, 0, "Do clients make ids before the server sees the row"},
    {FACT_MANY_WRITERS, 0, 0, "Do several services make ids themselves"},
    {FACT_MERGE_DATABASES, 0, 0, "Will rows of several databases meet in one"},
    {FACT_CLIENT_RETRIES, 0, FACT_OFFLINE_CLIENTS,
     "Do clients send an id only to mark a request sent again"},
    {FACT_PUBLIC_URLS, 0, 0, "Are ids seen in URLs or an API"},
    {FACT_HIDE_TIME, FACT_PUBLIC_URLS, 0, "Must an id not tell when its row was made"},
    {FACT_CAPABILITY_LINKS, 0, 0, "Are there links that let in whoever has them"},
    {FACT_EXISTING_BIGINT, 0, 0, "Are there tables with bigint keys already"},
    {FACT_EXISTING_UUIDV4, 0, ADVISE_EXISTING, "Or with random UUIDs, version 4"},
    {FACT_EXISTING_UUIDV7, 0, ADVISE_EXISTING, "Or with UUIDs of version 7"},
    {FACT_EXISTING_TEXT, 0, ADVISE_EXISTING, "Or with UUIDs stored as text"},
};

static Status
ask(const char *question, bool *yes, Diag *diag)
{
    char line[64];

    for (;;) {
        fprintf(stderr, "%s? (y/n) ", question);
        if (fgets(line, sizeof(line), stdin) == NULL) {
            fputc('\n', stderr);
            return diag_set(diag, STATUS_USAGE, "the interview ended before its last question");
        }
        line[strcspn(line, "\r\n")] = '\0';
        *yes = strcmp(line, "y") == 0 || strcmp(line, "yes") == 0;
        if (*yes || strcmp(line, "n") == 0 || strcmp(line, "no") == 0)
            return STATUS_OK;
    }
}

static Status
interview(unsigned *facts, Diag *diag)
{
    Status status = STATUS_OK;

    if (!isatty(STDIN_FILENO)) {
        diag_set(diag, STATUS_USAGE, "nothing is known about the ids");
        diag_hint(diag, "Give options such as --writers one, or run it on a terminal. See "
                        "\"keybench advise --help\".");
        return diag->status;
    }
    for (size_t i = 0; status == STATUS_OK && i < ARRAY_LEN(QUESTIONS); i++) {
        bool yes = false;

        if ((*facts & QUESTIONS[i].if_known) != QUESTIONS[i].if_known ||
            (*facts & QUESTIONS[i].unless) != 0)
            continue;
        status = ask(QUESTIONS[i].words, &yes, diag);
        *facts |= yes ? QUESTIONS[i].fact : 0;
    }
    return status;
}

static Status
read_word(const char *option, const char *given, const FactWord *words, size_t count,
          unsigned *facts, Diag *diag)
{
    const char *names[ARRAY_LEN(EXISTING_WORDS)];

    for (size_t i = 0; given != NULL && i < count; i++) {
        names[i] = words[i].word;
        if (strcmp(given, words[i].word) == 0) {
            *facts |= words[i].fact;
            return STATUS_OK;
        }
    }
    if (given == NULL)
        return STATUS_OK;
    diag_set(diag, STATUS_USAGE, "option \"--%s\" does not know \"%s\"", option, given);
    word_hint(given, names, count, diag);
    return diag->status;
}

static Status
read_facts(const AdviseOptions *options, unsigned *facts, Diag *diag)
{
    const struct {
        bool given;
        unsigned fact;
    } flags[] = {
        {options->offline_clients, FACT_OFFLINE_CLIENTS},
        {options->merge_databases, FACT_MERGE_DATABASES},
        {options->client_retries, FACT_CLIENT_RETRIES},
        {options->public_urls, FACT_PUBLIC_URLS},
        {options->hide_time, FACT_HIDE_TIME},
        {options->capability_links, FACT_CAPABILITY_LINKS},
    };
    Status status;

    for (size_t i = 0; i < ARRAY_LEN(flags); i++)
        *facts |= flags[i].given ? flags[i].fact : 0;
    if (*facts == 0 && options->writers == NULL && options->existing == NULL)
        return interview(facts, diag);
    status =
        read_word("writers", options->writers, WRITER_WORDS, ARRAY_LEN(WRITER_WORDS), facts, diag);
    if (status == STATUS_OK)
        status = read_word("existing", options->existing, EXISTING_WORDS, ARRAY_LEN(EXISTING_WORDS),
                           facts, diag);
    return status;
}

static Status
run(const void *given, int argc, char **argv, Diag *diag)
{
    const AdviseOptions *options = given;
    unsigned facts = 0;
    Result *reference = NULL;
    Advice advice;
    Text path = {0}, out = {0};
    Status status = read_facts(options, &facts, diag);

    (void)argc;
    (void)argv;
    if (status == STATUS_OK)
        status = path_data(ADVISE_REFERENCE, &path, diag);
    if (status == STATUS_OK)
        status = result_load(path.data, &reference, diag);
    if (status == STATUS_OK)
        status = advise(facts, reference, &advice, diag);
    if (status == STATUS_OK) {
        (options->json ? advice_print_json : advice_print_text)(&advice, &out);
        fputs(out.data, stdout);
    }
    result_free(reference);
    text_release(&out);
    text_release(&path);
    return status;
}

const Command CMD_ADVISE = {.name = "advise",
                            .summary = "which key a table should have, why, and at what price",
                            .details = DETAILS,
                            .options = OPTIONS,
                            .options_size = sizeof(AdviseOptions),
                            .run = run};
