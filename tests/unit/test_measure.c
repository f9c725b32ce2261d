/* run/measure: figures of an EXPLAIN document, as PostgreSQL 13 to 19 print it. */
#include "support/tap.h"

#include "run/measure.h"

#define COUNTERS                                                                                   \
    "\"Shared Hit Blocks\": 1000, \"Shared Read Blocks\": 2, \"Shared Dirtied Blocks\": 30,"       \
    "\"Shared Written Blocks\": 4, \"WAL Records\": 40049, \"WAL FPI\": 1122, \"WAL Bytes\": "     \
    "9381864"

#define PLAN(rows, more)                                                                           \
    "[{\"Plan\": {\"Node Type\": \"ModifyTable\", \"Operation\": \"Insert\", \"Actual Rows\": "    \
    "0," COUNTERS more ", \"Plans\": [{\"Node Type\": \"Function Scan\", \"Actual Rows\": " rows   \
    ", \"WAL Records\": 7, \"WAL FPI\": 7, \"WAL Bytes\": 7}]},"                                   \
    "\"Planning\": {\"Shared Hit Blocks\": 5}, \"Triggers\": [], \"Execution Time\": 812.5}]"

static void
test_figures(void)
{
    const struct {
        const char *json, *label;
        double rows, fpi_bytes, buffers_full;
    } cases[] = {
        {PLAN("20000", ""), "13 to 17: rows are whole", 20000, NAN, NAN},
        {PLAN("20000.00", ", \"WAL Buffers Full\": 3"), "18: rows have decimals, buffers full",
         20000, NAN, 3},
        {PLAN("20000.00", ", \"WAL Buffers Full\": 0, \"WAL FPI Bytes\": 6390000"),
         "19: bytes of images", 20000, 6390000, 0},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        Figures figures;
        Diag diag = {0};
        double fpi_bytes, full;

        printf("# %s\n", cases[i].label);
        if (!tap_ok(measure_read_plan(cases[i].json, &figures, &diag) == STATUS_OK, "it is read"))
            continue;
        tap_near(figures.value[METRIC_WAL_BYTES], 9381864, 0, "WAL bytes of the top node alone");
        tap_near(figures.value[METRIC_WAL_RECORD_COUNT], 40049, 0, "records");
        tap_near(figures.value[METRIC_FPI_COUNT], 1122, 0, "images");
        tap_near(figures.value[METRIC_DIRTIED_PAGES], 30, 0, "dirtied, without planning");
        tap_near(figures.value[METRIC_ROWS], cases[i].rows, 0, "rows of the node below");
        tap_near(figures.value[METRIC_ELAPSED_MS], 812.5, 0, "execution time");
        fpi_bytes = figures.value[METRIC_FPI_BYTES];
        full = figures.value[METRIC_WAL_BUFFERS_FULL_COUNT];
        tap_ok(isnan(cases[i].fpi_bytes) ? isnan(fpi_bytes) : fpi_bytes == cases[i].fpi_bytes,
               "bytes of images, where the server gives them");
        tap_ok(isnan(cases[i].buffers_full) ? isnan(full) : full == cases[i].buffers_full,
               "buffers full, where the server gives them");
        tap_ok(isnan(figures.value[METRIC_INDEX_BYTES]), "nothing that a plan does not hold");
    }
}

static void
test_refusals(void)
{
    const struct {
        const char *json, *label;
    } cases[] = {
        {"", "no document"},
        {"[]", "no plan"},
        {"[{\"Plan\": {}}]", "a plan without counters"},
        {"[{\"Plan\": 5}]", "a plan that is no object"},
        {"[{\"Plan\": {\"WAL Bytes\": \"9\"}}]", "a counter that is no number"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        Figures figures = {.value = {77}};
        Diag diag = {0};

        tap_u64(measure_read_plan(cases[i].json, &figures, &diag), STATUS_DB_QUERY, cases[i].label);
        tap_near(figures.value[0], 77, 0, "the out parameter is untouched on failure");
    }
}

int
main(void)
{
    test_figures();
    test_refusals();
    return tap_done();
}
