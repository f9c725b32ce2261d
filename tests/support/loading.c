#include "support/loading.h"

#include "base/text.h"
#include "scenario/load.h"

static Scenario *
make_scenario(const char *design, const char *phase)
{
    Text text = {0};
    Scenario *scenario = NULL;
    Diag diag = {0};

    text_printf(&text,
                "{`format`: `keybench-scenario/1`, `name`: `s`, `seed`: 5, `designs`: [%s], "
                "`phases`: [{`name`: `p`, `rows`: %d, `batches`: %d%s}]}",
                design, LOADING_ROWS, LOADING_BATCHES, phase);
    for (char *c = text.data; *c != '\0'; c++)
        if (*c == '`')
            *c = '"';
    if (scenario_parse("s.json", text.data, text.length, &scenario, &diag) != STATUS_OK)
        BUG("%s: %s", phase, diag.message);
    text_release(&text);
    return scenario;
}

void
must(Status status, const Diag *diag, const char *what)
{
    if (status != STATUS_OK)
        BUG("%s: %s%s%s", what, diag->context, diag->context[0] != '\0' ? ": " : "", diag->message);
}

void
must_exec(DbConn *conn, const char *sql)
{
    Diag diag = {0};

    must(db_exec(conn, sql, DB_NO_PARAMS, &diag), &diag, sql);
}

void
open_bench(Bench *bench, DbConn *conn, const char *design, const char *phase)
{
    Diag diag = {0};

    *bench = (Bench){.conn = conn, .scenario = make_scenario(design, phase)};
    must(server_facts_read(conn, true, &bench->facts, &diag), &diag, "facts");
    must(trial_table_init(&bench->table, conn, &bench->scenario->designs[0], &diag), &diag,
         "table's SQL");
    must(trial_table_create(&bench->table, conn, &diag), &diag, "table");
    bench->loader = loader_new(&bench->table, conn, bench->scenario, 5);
    bench->wal_source =
        wal_source_choose(&bench->scenario->phases[0], bench->table.design, &bench->facts);
}

void
close_bench(Bench *bench)
{
    Diag diag = {0};

    must(loader_end(bench->loader, &diag), &diag, "loader's end");
    loader_free(bench->loader);
    must(trial_table_drop(&bench->table, bench->conn, &diag), &diag, "drop");
    trial_table_release(&bench->table);
    scenario_free(bench->scenario);
    server_facts_release(&bench->facts);
}

Status
run_batches(Bench *bench, Measurement *last, Diag *diag)
{
    Status status = loader_begin_phase(bench->loader, 0, bench->wal_source, diag);

    for (int batch = 0; status == STATUS_OK && batch < LOADING_BATCHES; batch++) {
        status = loader_prepare_batch(bench->loader, diag);
        if (status == STATUS_OK)
            status = loader_run_batch(bench->loader, last, diag);
    }
    return status;
}
