/* The checks of KeyParams that formats share. */
#include "base/clock.h"
#include "keys/format_impl.h"

#include <inttypes.h>
#include <string.h>

bool
key_prefix_fits(const char *prefix, size_t length, size_t *bad)
{
    for (*bad = 0; *bad < length; ++*bad) {
        bool inner = *bad > 0 && *bad + 1 < length;
        char letter = prefix[*bad];

        if (*bad == KEY_PREFIX_MAX ||
            !((letter >= 'a' && letter <= 'z') || (inner && letter == '_')))
            return false;
    }
    return true;
}

static bool
is_printable(char letter)
{
    return letter > ' ' && letter <= '~';
}

Status
key_check_alphabet(const char *alphabet, size_t least, const char *title, Diag *diag)
{
    size_t size = strlen(alphabet);

    if (size < least)
        diag_set(diag, STATUS_USAGE, "%s alphabet \"%s\" has fewer than %zu characters", title,
                 alphabet, least);
    for (size_t i = 0; i < size && size >= least; i++) {
        if (is_printable(alphabet[i]) && strchr(alphabet, alphabet[i]) == alphabet + i)
            continue;
        diag_set(diag, STATUS_USAGE, "%s alphabet: byte %zu %s", title, i + 1,
                 is_printable(alphabet[i]) ? "repeats an earlier one" : "is not printable ASCII");
        size = 0;
    }
    if (size >= least)
        return STATUS_OK;
    diag_hint(diag,
              "An alphabet has at least %zu different characters of printable ASCII, no blank.",
              least);
    return diag->status;
}

/* Whether a moment lies in the format's range. */
static bool
in_range(uint64_t time_ns, int64_t epoch_ms, uint64_t span_ms)
{
    int64_t time_ms = (int64_t)(time_ns / NS_PER_MS);

    return time_ms >= epoch_ms && (uint64_t)time_ms - (uint64_t)epoch_ms < span_ms;
}

Status
key_check_clock(const KeyParams *params, int64_t epoch_ms, uint64_t span_ms, const char *title,
                Diag *diag)
{
    const KeyClock *clock = &params->clock;
    uint64_t first_ns = clock->mode == KEY_CLOCK_REAL ? clock_wall_ns() : clock->start_ns;
    uint64_t last_ns = clock->mode == KEY_CLOCK_WINDOW ? first_ns + clock->span_ns - 1 : first_ns;

    if (params->node_count > 1)
        last_ns += params->node_skew_ns;
    if (in_range(first_ns, epoch_ms, span_ms) && in_range(last_ns, epoch_ms, span_ms))
        return STATUS_OK;
    diag_set(diag, STATUS_USAGE, "%s cannot hold a time of %" PRIu64 " ms since 1970", title,
             (in_range(first_ns, epoch_ms, span_ms) ? last_ns : first_ns) / NS_PER_MS);
    diag_hint(diag, "Its times start at %" PRId64 " ms and go on for %" PRIu64 " ms.", epoch_ms,
              span_ms);
    return diag->status;
}
