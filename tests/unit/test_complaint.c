/* server/complaint: which setting a server would not start with. */
#include "server/complaint.h"

#include "support/tap.h"

typedef struct LogCase {
    const char *log;
    const char *what, *detail; /* NULL: nothing of the kind */
    const char *label;
} LogCase;

static const LogCase LOGS[] = {
    {"2026-01-01 00:00:00 UTC [7] LOG:  invalid value for parameter \"wal_compression\": \"lz4\"\n"
     "2026-01-01 00:00:00 UTC [7] HINT:  Available values: pglz, on, off.\n"
     "2026-01-01 00:00:00 UTC [7] FATAL:  configuration file \"/x/postgresql.conf\" contains "
     "errors\n",
     "wal_compression \"lz4\"", "Available values: pglz, on, off.", "a value that the build lacks"},
    {"LOG:  unrecognized configuration parameter \"io_method\" in file \"/x/postgresql.conf\" line "
     "9\n",
     NULL, NULL, "an unknown setting"},
    {"FATAL:  invalid value for parameter \"shared_buffers\": \"lots\"\n", NULL, NULL,
     "a senseless value"},
    {"FATAL:  could not create shared memory segment: No space left on device\n", NULL, NULL,
     "another failure"},
    {"", NULL, NULL, "no log"},
};

int
main(void)
{
    for (size_t i = 0; i < ARRAY_LEN(LOGS); i++) {
        char what[200] = "";
        Diag diag = {0};
        bool found = complaint_find_setting(LOGS[i].log, what, sizeof(what), &diag);

        tap_ok(found == (LOGS[i].what != NULL), LOGS[i].label);
        if (!found)
            continue;
        tap_text(what, LOGS[i].what, "  which");
        tap_text(diag.detail, LOGS[i].detail, "  what the server takes");
    }
    return tap_done();
}
