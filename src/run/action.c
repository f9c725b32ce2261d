#include "run/action.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/mem.h"
#include "base/text.h"
#include "db/relstats.h"
#include "db/schema.h"
#include "run/action_parts.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>

static char *
quoted_name(DbConn *conn, const Column *column)
{
    return column != NULL ? db_quote_name(conn, column->name) : NULL;
}

Actor *
actor_new(const TrialTable *table, DbConn *conn, const ServerFacts *facts, const ActorPlan *plan)
{
    const Design *design = table->design;
    Actor *actor = mem_new(1, sizeof(*actor));

    actor->table = table;
    actor->conn = conn;
    actor->facts = facts;
    actor->plan = *plan;
    if (design->key_column != NO_COLUMN)
        actor->key = quoted_name(conn, &design->columns[design->key_column]);
    actor->number = quoted_name(conn, table_row_number(design));
    actor->set = quoted_name(conn, table_updated_column(design));
    return actor;
}

void
actor_free(Actor *actor)
{
    if (actor == NULL)
        return;
    free(actor->sql);
    free(actor->first);
    free(actor->last);
    free(actor->key);
    free(actor->number);
    free(actor->set);
    free(actor);
}

/* ---- Before a phase and before a batch ---- */

/* Without the extensions, which a server may not have, pages read stay unknown. */
static Status
open_cache(Actor *actor, Diag *diag)
{
    bool buffercache = false, pageinspect = false;
    Status status = extension_install(actor->conn, "pg_buffercache", &buffercache, diag);

    if (status == STATUS_OK)
        status = extension_install(actor->conn, "pageinspect", &pageinspect, diag);
    actor->sees_cache = buffercache && pageinspect;
    return status;
}

Status
actor_begin_phase(Actor *actor, const Phase *phase, WalSource wal_source, Diag *diag)
{
    actor->phase = phase;
    actor->wal_source = wal_source;
    actor->leaf_pages = 0;
    return phase->cold ? open_cache(actor, diag) : STATUS_OK;
}

static Status
restart_server(Actor *actor, Diag *diag)
{
    Status status;

    if (actor->facts->cluster == NULL)
        return diag_set(diag, STATUS_USAGE, "a server that is not keybench's is not restarted");
    status = cluster_shut_down(actor->facts->cluster, diag);
    if (status == STATUS_OK)
        status = cluster_restart(actor->facts->cluster, diag);
    if (status == STATUS_OK)
        status = db_reconnect(actor->conn, diag);
    if (status == STATUS_OK)
        status = measuring_turn_take(actor->conn, 0, diag);
    for (size_t i = 0; status == STATUS_OK && i < actor->plan.loader_count; i++)
        status = loader_reconnect(actor->plan.loaders[i], diag);
    if (status != STATUS_OK)
        diag_context(diag, "cannot restart the server");
    return status;
}

/* The keys come along, so that finding them does not warm the cache. */
static Status
cool(Actor *actor, Diag *diag)
{
    char *keys = NULL;
    Status status = chosen_rows_take(actor, &keys, diag);

    if (status == STATUS_OK)
        status = restart_server(actor, diag);
    if (status == STATUS_OK)
        status = chosen_rows_put(actor, keys, diag);
    free(keys);
    return status;
}

Status
actor_prepare_batch(Actor *actor, uint64_t batch, Diag *diag)
{
    const Phase *phase = actor->phase;
    Status status;

    if (!action_finds_rows(phase->action))
        return STATUS_OK;
    if (phase->action != ACTION_READ)
        return batch == 1 ? chosen_rows_make(actor, batch, diag) : STATUS_OK;
    status = chosen_rows_make(actor, batch, diag);
    if (status == STATUS_OK)
        status = phase->cold ? cool(actor, diag) : chosen_rows_run(actor, diag);
    return status;
}

/* ---- Commands ---- */

static Status
run_on_table(const Actor *actor, const char *command, Diag *diag)
{
    Text sql = {0};
    Status status;

    text_printf(&sql, "%s %s", command, actor->table->name);
    status = db_exec(actor->conn, sql.data, DB_NO_PARAMS, diag);
    text_release(&sql);
    return status;
}

static Status
wait_for_s(uint64_t seconds, Diag *diag)
{
    struct pollfd interrupt = {.fd = interrupt_fd(), .events = POLLIN};
    Instant start = instant_now();

    for (uint64_t left_ns = seconds * NS_PER_S; left_ns > 0;) {
        uint64_t passed_ns;

        if (interrupt_requested())
            return interrupt_status(diag);
        if (poll(&interrupt, 1, (int)(left_ns / NS_PER_MS) + 1) < 0 && errno != EINTR)
            return diag_set(diag, STATUS_IO, "cannot wait");
        passed_ns = instant_elapsed_ns(start);
        left_ns = passed_ns < seconds * NS_PER_S ? seconds * NS_PER_S - passed_ns : 0;
    }
    return STATUS_OK;
}

/* In one process, since only its own WAL is counted. */
static Status
run_command(const Actor *actor, Diag *diag)
{
    switch (actor->phase->action) {
    case ACTION_VACUUM:
        return run_on_table(actor, "VACUUM (PARALLEL 0)", diag);
    case ACTION_REINDEX:
        return run_on_table(actor, "REINDEX TABLE", diag);
    case ACTION_CHECKPOINT:
        return wal_checkpoint(actor->conn, NULL, diag);
    case ACTION_WAIT:
        return wait_for_s(actor->phase->wait_s, diag);
    case ACTION_NONE:
        return STATUS_OK;
    case ACTION_INSERT:
    case ACTION_READ:
    case ACTION_UPDATE:
    case ACTION_DELETE:
        break;
    }
    BUG("\"%s\" is no command", action_name(actor->phase->action));
}

static double
known(uint64_t count)
{
    return count == WAL_UNKNOWN ? NAN : (double)count;
}

/* What a checkpoint writes, and that it happened, is this session's doing. */
static void
own_checkpoint(Measurement *measurement)
{
    measurement->before.redo_lsn = measurement->after.redo_lsn;
    measurement->before.own = measurement->before.server;
    measurement->after.own = measurement->after.server;
}

static void
count_command(const Actor *actor, double elapsed_ms, Measurement *measurement)
{
    Figures *figures = &measurement->figures;
    WalCount own = wal_count_between(measurement->before.own, measurement->after.own);

    figures_init(figures);
    figures->value[METRIC_ROWS] = 0;
    figures->value[METRIC_ELAPSED_MS] = elapsed_ms;
    figures->value[METRIC_LSN_BYTES] =
        (double)(measurement->after.insert_lsn - measurement->before.insert_lsn);
    if (actor->wal_source == WAL_SOURCE_BACKEND) {
        figures->value[METRIC_WAL_BYTES] = known(own.bytes);
        figures->value[METRIC_WAL_RECORD_COUNT] = known(own.record_count);
        figures->value[METRIC_FPI_COUNT] = known(own.fpi_count);
    }
    if (actor->phase->action == ACTION_CHECKPOINT)
        own_checkpoint(measurement);
}

static Status
measure_command(Actor *actor, Measurement *measurement, Diag *diag)
{
    Measurement made = {0};
    double elapsed_ms = 0;
    Instant start;
    Status status = wal_point_read(actor->conn, &made.before, diag);

    start = instant_now();
    if (status == STATUS_OK)
        status = run_command(actor, diag);
    elapsed_ms = (double)instant_elapsed_ns(start) / (double)NS_PER_MS;
    if (status == STATUS_OK)
        status = wal_point_read(actor->conn, &made.after, diag);
    if (status != STATUS_OK)
        return status;
    count_command(actor, elapsed_ms, &made);
    *measurement = made;
    return STATUS_OK;
}

/* ---- The measured part ---- */

static Status
look_into_cache(Actor *actor, Figures *figures, Diag *diag)
{
    CachedPages pages;
    Status status = cached_pages_read(actor->conn, actor->table->name, &pages, diag);

    if (status != STATUS_OK)
        return status;
    figures->value[METRIC_TOUCHED_LEAF_PAGES] = pages.leaf_pages;
    figures->value[METRIC_TOUCHED_HEAP_PAGES] = pages.heap_pages;
    actor->leaf_pages += pages.leaf_pages;
    return STATUS_OK;
}

Status
actor_run_batch(Actor *actor, uint64_t batch, Measurement *measurement, Diag *diag)
{
    const Phase *phase = actor->phase;
    Status status;

    if (!action_finds_rows(phase->action))
        return measure_command(actor, measurement, diag);
    status = chosen_rows_measure(actor, batch, measurement, diag);
    if (status == STATUS_OK && phase->cold && actor->sees_cache)
        status = look_into_cache(actor, &measurement->figures, diag);
    return status;
}

Status
actor_end_phase(Actor *actor, PhaseResult *measured, Diag *diag)
{
    double *figures = measured->figures.value;
    const Design *design = actor->table->design;
    Status status = chosen_rows_drop(actor, diag);

    if (status == STATUS_OK && actor->phase->action == ACTION_READ)
        status = correlation_read(actor->conn, actor->table->name,
                                  design->columns[design->key_column].name,
                                  &figures[METRIC_KEY_CORRELATION_PCT], diag);
    if (status == STATUS_OK && actor->phase->cold && actor->sees_cache)
        figures[METRIC_TOUCHED_INDEX_PCT] = 100 * actor->leaf_pages /
                                            (double)actor->phase->batch_count /
                                            measured->indexes[0].figures.value[METRIC_LEAF_PAGES];
    return status;
}
