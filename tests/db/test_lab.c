#include "lab/print.h"

#include "test_lab_help.h"

#include "base/text.h"

typedef struct VerdictCase {
    const char *steps;
    Verdict verdict;
    FailureKind failure;
    const char *holds; /* in the values, or the reason */
    const char *label;
} VerdictCase;

#define TABLE "create table t (id int primary key, n int);\n"

static const VerdictCase VERDICTS[] = {
    {"--@ show one\nselect 1, null, true, 'a b';\n--@ expect 1, null, true, a b\n", VERDICT_OK, 0,
     "one: 1, null, true, a b", "a value is shown and expected"},
    {"select 1;\n--@ expect 2\n", VERDICT_FAIL, FAILURE_EXPECT, "expected \"2\", got \"1\"",
     "another value"},
    {"select n from generate_series(1, 2) n;\n--@ expect 1; 2\n", VERDICT_OK, 0, "", "two rows"},
    {"select 1 where false;\n--@ expect no row\n", VERDICT_OK, 0, "", "no row"},
    {TABLE "--@ expect 1\n", VERDICT_FAIL, FAILURE_STATEMENT, "returns no rows",
     "a statement without an answer"},
    {TABLE "insert into t values (1) returning id;\n--@ expect 1\n", VERDICT_OK, 0, "",
     "a statement with returning"},
    {"select * from nowhere;\n--@ expect 1\n", VERDICT_FAIL, FAILURE_STATEMENT,
     "unexpected error 42P01", "an error that nobody expects"},
    {"--@ error 42P01 nowhere\nselect * from nowhere;\n", VERDICT_OK, 0, "error: 42P01",
     "an error that is expected"},
    {"--@ error 42P01 elsewhere\nselect * from nowhere;\n", VERDICT_FAIL, FAILURE_ERROR,
     "expected error 42P01 elsewhere, got 42P01", "another text"},
    {"--@ error 23505\nselect * from nowhere;\n", VERDICT_FAIL, FAILURE_ERROR,
     "expected error 23505, got 42P01", "another SQLSTATE"},
    {"--@ error 23505\nselect 1;\n", VERDICT_FAIL, FAILURE_ERROR, "but the statement succeeded",
     "no error"},
    {TABLE "insert into t values (1);\n--@ error 23505 t_pkey ... (id)=(1)\n"
           "insert into t values (1);\n",
     VERDICT_OK, 0, "Key (id)=(1)", "a text in the message and one in the detail"},
    {"create table d (id int unique deferrable initially deferred);\n"
     "--@ error 23505 d_id_key\ninsert into d values (1), (1);\n",
     VERDICT_OK, 0, "23505", "an error at the implicit commit is the statement's"},
    {"--@ set name select 'it''s \\ $1'\n--@ show\nselect :'name', ':''name''', 1::int;\n"
     "--@ expect it's \\ $1, :'name', 1\n",
     VERDICT_OK, 0, "it's \\ $1", "a variable is quoted, and not replaced in quotes"},
    {"--@ set none select null\nselect :'none' is null, :scale;\n--@ expect true, 1\n", VERDICT_OK,
     0, "", "a null variable, and the scale"},
    {"--@ set two select n from generate_series(1, 2) n\nselect 1;\n--@ expect 1\n", VERDICT_FAIL,
     FAILURE_STATEMENT, "wants one row", "a variable of two rows"},
    {"create table :\"schema\".t (id int);\nselect count(*) from t;\n--@ expect 0\n", VERDICT_OK, 0,
     "", "a variable as a name"},
    {"select current_schema() = :'schema';\n--@ expect true\n", VERDICT_OK, 0, "",
     "the schema of the claim"},
    {TABLE "begin;\ninsert into t values (1);\n--@ session b\n--@ blocks\n"
           "insert into t values (1) returning id;\n--@ session main\nrollback;\n--@ resumes b\n"
           "--@ expect 1\n",
     VERDICT_OK, 0, "b waits for main", "a statement waits and goes on"},
    {TABLE
     "begin;\ninsert into t values (1);\n--@ session b\n--@ blocks\n"
     "insert into t values (1);\n--@ session main\ncommit;\n--@ resumes b error 23505 t_pkey\n",
     VERDICT_OK, 0, "error: 23505", "a statement waits and fails"},
    {TABLE "begin;\ninsert into t values (1);\n--@ session b\n--@ blocks\n"
           "insert into t values (1);\n--@ session main\ncommit;\n--@ resumes b\n",
     VERDICT_FAIL, FAILURE_STATEMENT, "unexpected error 23505", "it fails and should not"},
    {TABLE "--@ blocks\ninsert into t values (1);\n--@ resumes main\n", VERDICT_FAIL,
     FAILURE_BLOCKS, "expected to wait, but it finished", "a statement does not wait"},
    {"--@ blocks\nselect * from nowhere;\n--@ resumes main\n", VERDICT_FAIL, FAILURE_BLOCKS,
     "but it failed: 42P01", "it fails at once"},
    {TABLE "begin;\ninsert into t values (1);\n--@ session b\ninsert into t values (1);\n"
           "select 1;\n--@ expect 1\n",
     VERDICT_FAIL, FAILURE_BLOCKS, "session \"b\" waits for session \"main\" without",
     "a statement waits unasked"},
    {TABLE "insert into t values (1), (2);\nbegin;\nupdate t set n = 1 where id = 1;\n"
           "--@ session b\nbegin;\nupdate t set n = 1 where id = 2;\n--@ blocks\n"
           "update t set n = 2 where id = 1;\n--@ session main\n"
           "set deadlock_timeout = '1ms';\n--@ error 40P01 deadlock\n"
           "update t set n = 2 where id = 2;\nrollback;\n--@ resumes b\n",
     VERDICT_OK, 0, "40P01", "a deadlock"},
    {"--@ until\nselect count(*) > 2 from pg_stat_activity where pid = pg_backend_pid()\n"
     "or clock_timestamp() > now() - interval '1 s';\n",
     VERDICT_OK, 0, "", "a query that becomes true"},
    {"set application_name = 'mine';\n--@ disconnect\nshow application_name;\n--@ expect "
     "keybench\n",
     VERDICT_OK, 0, "", "a session begins anew"},
    {"--@ database other\n" TABLE "insert into t values (1);\nselect count(*) from t;\n"
     "--@ expect 1\n--@ database main\n--@ error 42P01\nselect * from t;\n",
     VERDICT_OK, 0, "42P01", "another database"},
    {TABLE "insert into t select n, n from generate_series(1, 100) n;\ncheckpoint;\n"
           "--@ measure a b\ninsert into t select n, n from generate_series(101, 200) n;\n"
           "--@ measure a b\ninsert into t select n, n from generate_series(201, 400) n;\n"
           "select string_agg(batch || ' ' || value, ', ' order by batch) from figure\n"
           "where design = 'a' and phase = 'b' and metric = 'rows';\n"
           "--@ expect 0 300, 1 100, 2 200\n",
     VERDICT_OK, 0, "", "measured statements, and their sum"},
    {"--@ measure a\nselect * from nowhere;\nselect 1;\n--@ expect 1\n", VERDICT_FAIL,
     FAILURE_STATEMENT, "42P01", "a measured statement that fails"},
    {"--@ run small.json\n"
     "select sum(value) from figure where metric = 'rows' and batch = 0 and design = 'a';\n"
     "--@ expect 300\n",
     VERDICT_OK, 0, "", "a scenario"},
    {"--@ run small.json\nselect count(*) > 10 from figure where index_name = 'a_pkey';\n"
     "--@ expect true\n",
     VERDICT_OK, 0, "", "the same scenario again, from memory"},
    {TABLE "create publication p for table t;\n"
           "select 1;\n--@ expect 2\n",
     VERDICT_FAIL, FAILURE_EXPECT, "", "a publication that is left to the lab"},
    {"--@ needs version 99\nselect 1;\n--@ expect 1\n", VERDICT_SKIP, 0, "needs PostgreSQL 99",
     "a version that there is not"},
    {"--@ needs version 1 to 9\nselect 1;\n--@ expect 1\n", VERDICT_SKIP, 0,
     "needs PostgreSQL 1 to 9", "or no more"},
    {"--@ needs extension no_such_thing\nselect 1;\n--@ expect 1\n", VERDICT_SKIP, 0,
     "which this server does not have", "an extension that there is not"},
    {"--@ needs extension pgrowlocks\nselect 1;\n--@ expect 1\n", VERDICT_SKIP, 0,
     "CREATE EXTENSION pgrowlocks", "one that is not installed"},
    {"--@ needs throwaway\nselect 1;\n--@ expect 1\n", VERDICT_SKIP, 0, "leave out the connection",
     "a server of keybench's own"},
    {"--@ needs superuser\nselect 1;\n--@ expect 1\n", VERDICT_OK, 0, "",
     "a superuser, who is there"},
};

static char *
make_chapter(const VerdictCase *cases, size_t count)
{
    Text text = {0};

    text_add(&text,
             "--@ setup\n"
             "create function twice(n int) returns int language sql as $$ select 2 * n $$;\n");
    for (size_t i = 0; i < count; i++)
        text_printf(&text, "--@ claim c%zu: %s\n%s", i, cases[i].label, cases[i].steps);
    return text.data;
}

static void
check_verdict(const VerdictCase *wanted, const Outcome *outcome)
{
    Text seen = {0};

    outcome_values(outcome, &seen);
    text_printf(&seen, " %s", outcome->reason);
    if (!tap_ok(outcome->verdict == wanted->verdict && outcome->failure == wanted->failure,
                wanted->label))
        printf("# verdict %d, failure %d, line %zu: %s\n", (int)outcome->verdict,
               (int)outcome->failure, outcome->line, text_data(&seen));
    tap_contains(text_data(&seen), wanted->holds, "... and what is said of it");
    text_release(&seen);
}

/* All cases are claims of one chapter, so they also show that claims do not see each other. */
static void
test_verdicts(const Cluster *cluster)
{
    char *text = make_chapter(VERDICTS, ARRAY_LEN(VERDICTS));
    Run run = {.text = text, .target = cluster_target(cluster)};

    run_lab(&run);
    tap_u64(run.status, STATUS_OK, "a chapter runs to its end, whatever its claims do");
    for (size_t i = 0; run.status == STATUS_OK && i < ARRAY_LEN(VERDICTS); i++)
        check_verdict(&VERDICTS[i], &run.lab->outcomes[0][i]);
    tap_u64(count_left(cluster_target(cluster)), 0, "and leaves nothing");
    release(&run);
    free(text);
}

static void
test_line(const Cluster *cluster)
{
    Run run = {.text = "--@ claim one: a\nselect 1;\n\n--@ expect 2\n",
               .target = cluster_target(cluster)};

    run_lab(&run);
    tap_u64(run.lab->outcomes[0][0].line, 5, "a failure names the line of its step");
    release(&run);
}

/* A role that may do nothing but make its schemas. */
static void
test_rights(const Cluster *cluster)
{
    static const VerdictCase CASES[] = {
        {"--@ needs superuser\nselect 1;\n--@ expect 1\n", VERDICT_SKIP, 0, "needs a superuser",
         "s"},
        {"--@ needs role pg_monitor\nselect 1;\n--@ expect 1\n", VERDICT_SKIP, 0,
         "needs the role pg_monitor", "a role that it has not"},
        {"--@ needs role pg_read_all_data\nselect 1;\n--@ expect 1\n", VERDICT_OK, 0, "",
         "a role that it has"},
        {"--@ database d\nselect 1;\n--@ expect 1\n", VERDICT_SKIP, 0,
         "needs a role that may create databases", "another database"},
        {"--@ run small.json\nselect 1;\n--@ expect 1\n", VERDICT_SKIP, 0,
         "needs the role pg_checkpoint", "a measured claim"},
        {"select twice(4);\n--@ expect 8\n", VERDICT_OK, 0, "", "a claim of plain SQL"},
    };
    DbTarget target = *cluster_target(cluster);
    char *text = make_chapter(CASES, ARRAY_LEN(CASES));
    Run run = {.text = text, .target = &target};

    must_exec(cluster, "CREATE ROLE plain LOGIN");
    must_exec(cluster, "GRANT pg_read_all_data TO plain");
    must_exec(cluster, "GRANT CREATE ON DATABASE postgres TO plain");
    target.user = "plain";
    run_lab(&run);
    tap_u64(run.status, STATUS_OK, "a role without rights");
    for (size_t i = 0; run.status == STATUS_OK && i < ARRAY_LEN(CASES); i++)
        check_verdict(&CASES[i], &run.lab->outcomes[0][i]);
    release(&run);
    free(text);
    must_exec(cluster, "REVOKE CREATE ON DATABASE postgres FROM plain");
    run = (Run){.text = "--@ claim one: a\nselect 1;\n--@ expect 1\n", .target = &target};
    run_lab(&run);
    tap_u64(run.status, STATUS_DB_QUERY, "without the right to a schema there is no lab");
    tap_contains(run.diag.hint, "GRANT CREATE ON DATABASE", "and the remedy is said");
    tap_u64(count_left(cluster_target(cluster)), 0, "nothing is left");
    release(&run);
}

/* Claims that only a server of keybench's own can show. */
static void
test_throwaway(void)
{
    static const VerdictCase CASES[] = {
        {TABLE "insert into t values (1);\n--@ set pid select pg_backend_pid()\n--@ crash\n"
               "select count(*) from t where :'pid' <> pg_backend_pid();\n--@ expect 1\n"
               "--@ restart\nselect count(*) from t;\n--@ expect 1\n",
         VERDICT_OK, 0, "", "a crash and an immediate shutdown keep what is committed"},
        {"--@ server other with work_mem=1MB\nshow work_mem;\n--@ expect 1MB\n"
         "select twice(3);\n--@ expect 6\n" TABLE "--@ crash\nselect count(*) from t;\n"
         "--@ expect 0\n--@ server main\n--@ error 42P01\nselect * from t;\n",
         VERDICT_OK, 0, "42P01", "another server, with the setup, that crashes"},
        {"--@ needs extension pgrowlocks\ncreate table t (id int);\n"
         "select count(*) from pgrowlocks(:'schema' || '.t');\n--@ expect 0\n",
         VERDICT_OK, 0, "", "an extension is installed"},
        {"--@ server other with no_such_setting=1\nselect 1;\n--@ expect 1\n", VERDICT_NONE, 0, "",
         "a server that does not start ends the lab"},
    };
    char *text = make_chapter(CASES, ARRAY_LEN(CASES));
    Run run = {.text = text};

    run_lab(&run);
    tap_u64(run.status, STATUS_SERVER, "a lab on servers of keybench's own");
    tap_contains(run.diag.context, "claim \"c3\"", "an error names the claim");
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++)
        check_verdict(&CASES[i], &run.lab->outcomes[0][i]);
    tap_u64(run.lab->missing_count, 1, "and what was not reached is counted");
    release(&run);
    free(text);
}

int
main(void)
{
    TestServers servers;

    folder_begin();
    test_servers_find(&servers);
    for (size_t i = 0; i < servers.count; i++) {
        Cluster *cluster = test_cluster_start(servers.programs[i].bindir);

        printf("# PostgreSQL %s\n", servers.programs[i].version);
        must_exec(cluster, "CREATE EXTENSION pgstattuple");
        test_verdicts(cluster);
        test_line(cluster);
        test_rights(cluster);
        cluster_stop(cluster);
    }
    test_throwaway();
    folder_end();
    return tap_done();
}
