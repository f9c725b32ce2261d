/* What tables say of the way that rows came, and of who counted their WAL. */
#include "report/table.h"

#include "report/figure.h"
#include "report/model_parts.h"
#include "scenario/load.h"
#include "support/sample_result.h"
#include "support/tap.h"

static void
test_phases(void)
{
    static const struct {
        Load load;
        uint64_t batches, writers;
        const char *text;
    } CASES[] = {
        {{0}, 1, 1, "6,000 rows in one statement; 6,000 rows between checkpoints"},
        {{0}, 3, 1, "6,000 rows in 3 statements of 2,000; 2,000 rows between checkpoints"},
        {{0},
         3,
         4,
         "6,000 rows in 3 statements of 2,000 by 4 writers; 2,000 rows between checkpoints"},
        {{.method = LOAD_COPY},
         1,
         1,
         "6,000 rows in one batch; COPY; 6,000 rows between checkpoints"},
        {{.method = LOAD_COPY, .rows_per_statement = 500, .rows_per_transaction = 1000},
         3,
         2,
         "6,000 rows in 3 batches of 2,000; COPY of 500 rows, 1,000 rows a transaction, by 2 "
         "writers; 2,000 rows between checkpoints"},
        {{.method = LOAD_INSERT, .rows_per_statement = 1, .rows_per_transaction = 1},
         3,
         1,
         "6,000 rows in 3 batches of 2,000; prepared inserts of 1 row; 2,000 rows between "
         "checkpoints"},
        {{.method = LOAD_INSERT,
          .rows_per_statement = 1,
          .rows_per_transaction = 10,
          .pipeline = true},
         3,
         1,
         "6,000 rows in 3 batches of 2,000; pipelined prepared inserts of 1 row, 10 rows a "
         "transaction; 2,000 rows between checkpoints"},
    };
    ReportModel model = {.arena = arena_new()};
    ReportBuilder builder = {.model = &model, .arena = model.arena};

    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Phase phase = {.name = "p",
                       .title = "p",
                       .rows = 6000,
                       .batch_count = CASES[i].batches,
                       .batches_per_checkpoint = 1,
                       .load = CASES[i].load,
                       .writer_count = CASES[i].writers};

        tap_text(report_describe_phase(&builder, &phase), CASES[i].text, "how rows came");
    }
    arena_free(model.arena);
}

static void
test_actions(void)
{
    static const struct {
        Phase phase;
        const char *text;
    } CASES[] = {
        {{.action = ACTION_READ, .rows = 3000, .batch_count = 3, .what = READ_NEWEST},
         "the newest 1,000 rows read, 3 times; no checkpoint asked for"},
        {{.action = ACTION_READ, .rows = 1000, .batch_count = 1, .what = READ_POINTS, .cold = true},
         "1,000 random rows read, on a server that has just started; no checkpoint asked for"},
        {{.action = ACTION_READ, .rows = 1000, .batch_count = 1, .what = READ_RANGE},
         "1,000 rows in the order of their keys read; no checkpoint asked for"},
        {{.action = ACTION_READ, .rows = 1000, .batch_count = 1, .what = READ_PAGES},
         "1,000 rows page by page read; no checkpoint asked for"},
        {{.action = ACTION_DELETE,
          .rows = 1000,
          .batch_count = 10,
          .batches_per_checkpoint = 1,
          .choice = CHOOSE_OLDEST},
         "the oldest 1,000 rows deleted in 10 statements of 100; 100 rows between checkpoints"},
        {{.action = ACTION_UPDATE, .rows = 1000, .batch_count = 1, .choice = CHOOSE_RANDOM},
         "1,000 random rows updated in one statement; no checkpoint asked for"},
        {{.action = ACTION_VACUUM, .batch_count = 1, .batches_per_checkpoint = 1},
         "VACUUM of the table; a checkpoint before it"},
        {{.action = ACTION_REINDEX, .batch_count = 1},
         "REINDEX of the table; no checkpoint asked for"},
        {{.action = ACTION_CHECKPOINT, .batch_count = 1}, "a checkpoint"},
        {{.action = ACTION_WAIT, .batch_count = 1, .wait_s = 90}, "a wait of 1 min 30 s"},
        {{.action = ACTION_NONE, .batch_count = 1}, "nothing is done"},
    };
    ReportModel model = {.arena = arena_new()};
    ReportBuilder builder = {.model = &model, .arena = model.arena};

    for (size_t i = 0; i < ARRAY_LEN(CASES); i++)
        tap_text(report_describe_phase(&builder, &CASES[i].phase), CASES[i].text,
                 "what a phase did");
    arena_free(model.arena);
}

/* The text report of the sample with all phases counted by `source`. */
static Text
print_counted_by(const char *source)
{
    Result *result = sample_result_new(NULL);
    ReportOptions options = {.format = REPORT_TEXT};
    Text out = {0};
    Diag diag = {0};

    for (size_t i = 0; i < result->design_count; i++)
        for (size_t k = 0; k < result->designs[i].phase_count; k++)
            result->designs[i].phases[k].wal_source = source;
    if (report_print(result, &options, &out, &diag) != STATUS_OK)
        BUG("%s", diag.message);
    result_free(result);
    return out;
}

static void
test_sources(void)
{
    static const struct {
        const char *source, *note;
    } CASES[] = {
        {"backend", "WAL as the writers' sessions counted it, commits included"},
        {"walinspect", "WAL is all that the server logged meanwhile, commits included"},
        {"log position", "nobody counted this WAL: only the log position is known"},
    };
    Text plan = print_counted_by("plan"), old = print_counted_by(NULL);

    tap_text(old.data, plan.data, "results of before are of plans");
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Text out = print_counted_by(CASES[i].source);

        tap_contains(out.data, CASES[i].note, "who counted the WAL is said");
        tap_ok(strstr(plan.data, CASES[i].note) == NULL, "  and not where a plan did");
        text_release(&out);
    }
    text_release(&plan);
    text_release(&old);
}

static void
test_metric_titles(void)
{
    Result *result = sample_result_new(NULL);
    Scenario *scenario = NULL;
    Diag diag = {0};
    Index index = {.name = "other"};
    Design child = {.name = "lines", .featured_index = &index};

    if (scenario_parse("sample", result->scenario_text, strlen(result->scenario_text), &scenario,
                       &diag) != STATUS_OK)
        BUG("%s", diag.message);
    tap_text(figure_metric_title(scenario, METRIC_INDEX_BYTES), "primary-key index",
             "the index is the primary key's");
    scenario->designs[0].featured_index = &index;
    tap_text(figure_metric_title(scenario, METRIC_INDEX_BYTES), "index", "or another");
    scenario->designs[0].featured_index = NULL;
    scenario->designs[0].children = &child;
    scenario->designs[0].child_count = 1;
    tap_text(figure_metric_title(scenario, METRIC_INDEX_BYTES), "index", "of a child, too");
    scenario->designs[0].child_count = 0;
    tap_text(figure_metric_title(scenario, METRIC_HEAP_BYTES), "heap", "others stay");
    scenario_free(scenario);
    result_free(result);
}

int
main(void)
{
    test_phases();
    test_actions();
    test_sources();
    test_metric_titles();
    return tap_done();
}
