#include "run/waits.h"

#include "base/mem.h"
#include "base/text.h"
#include "db/stmt.h"

#include <stdlib.h>
#include <string.h>

struct WaitSampler {
    DbConn *conn;
    DbStmt *look;
    unsigned watch_count; /* names the statements */
    WaitCounts counts;
};

Status
waits_open(const DbConn *conn, WaitSampler **sampler, Diag *diag)
{
    WaitSampler *opened = mem_new(1, sizeof(*opened));
    Status status = db_open_like(conn, &opened->conn, diag);

    if (status == STATUS_OK)
        *sampler = opened;
    else
        free(opened);
    return status;
}

void
waits_close(WaitSampler *sampler)
{
    if (sampler == NULL)
        return;
    stmt_free(sampler->look);
    db_close(sampler->conn);
    free(sampler);
}

/*
 * pg_stat_get_activity() is what pg_stat_activity reads, without its joins to the catalogue.
 * Source: PostgreSQL manual, section 27.2.3; a role sees at least its own sessions. The columns are
 * there from 9.6 on.
 */
static char *
make_look(const int *pids, size_t pid_count)
{
    Text sql = {0};

    text_add(&sql, "SELECT coalesce(wait_event_type || ':' || wait_event, 'running') AS event"
                   " FROM pg_stat_get_activity(NULL) WHERE pid IN (");
    for (size_t i = 0; i < pid_count; i++)
        text_printf(&sql, "%s%d", i > 0 ? ", " : "", pids[i]);
    text_add(&sql, ")");
    return sql.data;
}

Status
waits_watch(WaitSampler *sampler, const int *pids, size_t pid_count, Diag *diag)
{
    char *sql = make_look(pids, pid_count), name[32];
    DbStmt *look = NULL;
    Status status;

    snprintf(name, sizeof(name), "keybench_waits_%u", sampler->watch_count++);
    status = stmt_prepare(sampler->conn, name, sql, 0, &look, diag);
    free(sql);
    if (status != STATUS_OK)
        return status;
    stmt_free(sampler->look);
    sampler->look = look;
    memset(&sampler->counts, 0, sizeof(sampler->counts));
    return STATUS_OK;
}

static void
count_event(WaitCounts *counts, const char *event)
{
    size_t i = 0;

    while (i < counts->count && strncmp(counts->events[i].event, event, WAIT_EVENT_TEXT - 1) != 0)
        i++;
    if (i == WAIT_EVENTS_MAX) {
        event = "other";
        i--;
    }
    if (i == counts->count)
        counts->count++;
    snprintf(counts->events[i].event, WAIT_EVENT_TEXT, "%s", event);
    counts->events[i].sample_count++;
}

Status
waits_sample(WaitSampler *sampler, Diag *diag)
{
    DbRows *rows = NULL;
    Status status = stmt_query(sampler->look, &rows, diag);

    if (status != STATUS_OK) {
        diag_context(diag, "sampling of waits");
        return status;
    }
    for (size_t row = 0; row < db_rows_count(rows); row++)
        count_event(&sampler->counts, db_cell(rows, row, "event"));
    db_rows_free(rows);
    return STATUS_OK;
}

Status
waits_run(WaitSampler *sampler, uint64_t rate_per_s, const atomic_bool *done, Diag *diag)
{
    uint64_t period_ns = NS_PER_S / rate_per_s;
    Instant due = instant_now();
    Status status = STATUS_OK;

    while (status == STATUS_OK && !atomic_load_explicit(done, memory_order_relaxed)) {
        Instant now;

        status = waits_sample(sampler, diag);
        now = instant_now();
        due.ns += period_ns;
        if (due.ns < now.ns) /* behind: what was missed is not made up for */
            due = now;
        instant_sleep_until(due);
    }
    return status;
}

static int
compare_counts(const void *a, const void *b)
{
    const WaitCount *left = a, *right = b;

    if (left->sample_count != right->sample_count)
        return left->sample_count < right->sample_count ? 1 : -1;
    return strcmp(left->event, right->event);
}

const WaitCounts *
waits_counts(WaitSampler *sampler)
{
    qsort(sampler->counts.events, sampler->counts.count, sizeof(sampler->counts.events[0]),
          compare_counts);
    return &sampler->counts;
}
