/* run/rows: rows in blocks of constant size, fields as COPY has them, minters that go on from phase
 * to phase, and streams of their own for writers and phases. */
#include "run/rows.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "scenario/load.h"
#include "support/tap.h"

enum { BLOCK_MAX = 64 * 1024 + 100 };

/* A design of an id, a row number and a filler in `phases`, with a table as trial_table_init makes
 * it. */
typedef struct Fixture {
    Scenario *scenario;
    TrialTable table;
} Fixture;

static void
open_fixture(Fixture *fixture, const char *column, const char *phases)
{
    Text text = {0};
    Diag diag = {0};

    text_printf(&text,
                "{`format`: `keybench-scenario/1`, `name`: `s`, `seed`: 5, `designs`: [{`name`: "
                "`d`, `primary_key`: `id`, `columns`: [{`name`: `id`, `source`: `keybench`%s}, "
                "{`name`: `n`, `source`: `row_number`, `type`: `integer`}, {`name`: `f`, `source`: "
                "`filler`, `type`: `text`, `bytes`: 10}]}], `phases`: [%s]}",
                column, phases);
    for (char *c = text.data; *c != '\0'; c++)
        if (*c == '`')
            *c = '"';
    *fixture = (Fixture){0};
    if (scenario_parse("s", text.data, text.length, &fixture->scenario, &diag) != STATUS_OK)
        BUG("%s", diag.message);
    text_release(&text);
    fixture->table = (TrialTable){.design = &fixture->scenario->designs[0], .any_staged = true};
    fixture->table.staged = mem_new(3, sizeof(bool));
    fixture->table.staged[0] = fixture->table.staged[2] = true;
}

static void
close_fixture(Fixture *fixture)
{
    free(fixture->table.staged);
    scenario_free(fixture->scenario);
}

static void
begin(RowSource *source, const Fixture *fixture, size_t phase, RowShape shape, uint64_t first_row,
      uint64_t rows, uint64_t together)
{
    RowSpan span = {.phases = fixture->scenario->phases,
                    .phase = phase,
                    .shape = shape,
                    .first_row = first_row,
                    .row_count = rows,
                    .together_count = together};
    Diag diag = {0};

    if (row_source_begin(source, &span, &diag) != STATUS_OK)
        BUG("%s", diag.message);
}

/* Field `index` of the first row of a block, as a big-endian number when it is short. */
static uint64_t
first_field(const RowBlock *block, size_t index, size_t *length)
{
    const uint8_t *at = row_enter(block->bytes), *bytes = NULL;
    uint64_t number = 0;

    for (size_t i = 0; i <= index; i++)
        at = row_take_field(at, &bytes, length);
    for (size_t i = 0; i < *length && i < 8; i++)
        number = number << 8 | bytes[i];
    return number;
}

static void
test_blocks(void)
{
    Fixture fixture;
    RowSource *source;
    uint64_t rows = 0, blocks = 0;
    size_t largest = 0;

    open_fixture(&fixture, ", `format`: `uuidv4`", "{`name`: `p`, `rows`: 100000}");
    source = row_source_new(&fixture.table, 0, 5);
    begin(source, &fixture, 0, ROWS_WHOLE, 1, 100000, 1);
    while (rows < 100000) {
        RowBlock block = row_source_next(source, 100000 - rows);

        largest = block.length_bytes > largest ? block.length_bytes : largest;
        rows += block.row_count;
        blocks++;
    }
    tap_u64(rows, 100000, "all rows come");
    tap_ok(blocks > 50, "in many blocks");
    tap_ok(largest <= BLOCK_MAX, "of a size that does not grow with the rows");
    begin(source, &fixture, 0, ROWS_WHOLE, 1, 100000, 5000);
    tap_u64(row_source_next(source, 5000).row_count, 5000, "rows that must be together are");
    tap_u64(row_source_next(source, 7).row_count, 7, "and not more than asked for");
    row_source_free(source);
    row_source_free(NULL);
    close_fixture(&fixture);
}

static void
test_fields(void)
{
    Fixture fixture;
    RowSource *source;
    RowBlock block;
    size_t length = 0;

    open_fixture(&fixture, ", `format`: `bigint`", "{`name`: `p`, `rows`: 10}");
    source = row_source_new(&fixture.table, 0, 5);
    begin(source, &fixture, 0, ROWS_WHOLE, 1, 10, 1);
    block = row_source_next(source, 10);
    tap_u64(block.bytes[1], 3, "a whole row has three fields");
    tap_u64(row_field_count(&fixture.table, ROWS_WHOLE), 3, "  as is said");
    tap_u64(first_field(&block, 0, &length), 1, "the id");
    tap_u64(length, 8, "  as wide as its column");
    tap_u64(first_field(&block, 1, &length), 1, "the row number");
    tap_u64(length, 4, "  as wide as its column");
    first_field(&block, 2, &length);
    tap_u64(length, 10, "the filler");

    begin(source, &fixture, 0, ROWS_STAGED, 8, 3, 1);
    block = row_source_next(source, 3);
    tap_u64(row_field_count(&fixture.table, ROWS_STAGED), 3, "a staged row has three too");
    tap_u64(first_field(&block, 0, &length), 8, "the row number first");
    tap_u64(length, 8, "  as bigint");
    tap_u64(first_field(&block, 1, &length), 11, "the minter went on");
    row_source_free(source);
    close_fixture(&fixture);
}

/* The first id of a phase. */
static uint64_t
first_id(RowSource *source, const Fixture *fixture, size_t phase, uint64_t first_row, uint64_t rows)
{
    RowBlock block;
    size_t length = 0;
    uint64_t id;

    begin(source, fixture, phase, ROWS_WHOLE, first_row, rows, rows);
    block = row_source_next(source, rows);
    id = first_field(&block, 0, &length);
    return id;
}

static void
test_phases(void)
{
    Fixture one, two;
    RowSource *source;
    RowBlock block;
    const uint8_t *at, *bytes = NULL;
    size_t length = 0;
    uint8_t wanted[16];

    open_fixture(&one, ", `format`: `uuidv4`", "{`name`: `p`, `rows`: 1000}");
    source = row_source_new(&one.table, 0, 5);
    begin(source, &one, 0, ROWS_WHOLE, 1, 1000, 1000);
    block = row_source_next(source, 1000);
    at = block.bytes;
    for (int row = 0; row < 701; row++) {
        const uint8_t *id;

        at = row_take_field(row_enter(at), &id, &length);
        bytes = id;
        for (int i = 0; i < 2; i++)
            at = row_take_field(at, &id, &length);
    }
    memcpy(wanted, bytes, sizeof(wanted));
    row_source_free(source);
    close_fixture(&one);

    open_fixture(&two, ", `format`: `uuidv4`",
                 "{`name`: `p`, `rows`: 700}, {`name`: `q`, `rows`: 300}");
    source = row_source_new(&two.table, 0, 5);
    first_id(source, &two, 0, 1, 700);
    begin(source, &two, 1, ROWS_STAGED, 701, 300, 1);
    block = row_source_next(source, 1);
    at = row_take_field(row_enter(block.bytes), &bytes, &length);
    row_take_field(at, &bytes, &length);
    tap_ok(memcmp(bytes, wanted, sizeof(wanted)) == 0,
           "ids are minted in one go over the phases, staged or not");
    row_source_free(source);
    close_fixture(&two);
}

static void
test_writers(void)
{
    static const char PHASES[] =
        "{`name`: `p`, `rows`: 300, `writers`: 2}, {`name`: `q`, `rows`: 300}";
    Fixture fixture;
    RowSource *first, *second;
    uint64_t ids[3];

    open_fixture(&fixture, ", `format`: `uuidv4`", PHASES);
    first = row_source_new(&fixture.table, 0, 5);
    second = row_source_new(&fixture.table, 1, 5);
    ids[0] = first_id(first, &fixture, 0, 1, 150);
    ids[1] = first_id(second, &fixture, 0, 151, 150);
    ids[2] = first_id(first, &fixture, 1, 301, 300);
    tap_ok(ids[0] != ids[1], "writers have streams of their own");
    tap_ok(ids[0] != ids[2] && ids[1] != ids[2], "and so has what comes after them");
    row_source_free(first);
    row_source_free(second);
    close_fixture(&fixture);

    open_fixture(&fixture, ", `format`: `bigint`", PHASES);
    second = row_source_new(&fixture.table, 1, 5);
    tap_u64(first_id(second, &fixture, 0, 151, 150), 2, "writers take turns at a counter");
    tap_u64(first_id(second, &fixture, 1, 301, 300), 301, "which goes on behind them");
    row_source_free(second);
    close_fixture(&fixture);

    open_fixture(&fixture, ", `format`: `bigint`", "{`name`: `p`, `rows`: 301, `writers`: 2}");
    second = row_source_new(&fixture.table, 1, 5);
    tap_u64(first_id(second, &fixture, 0, 152, 150), 152, "but count apart where parts differ");
    row_source_free(second);
    close_fixture(&fixture);
}

static void
test_clocks(void)
{
    Fixture fixture;
    RowSource *source;
    uint64_t start_ms = UINT64_C(1735689600000), id;

    open_fixture(&fixture,
                 ", `format`: `uuidv7-ms`, `clocks`: [{`phase`: `p`, `start_s`: 9, `span_s`: 1}]",
                 "{`name`: `p`, `rows`: 10}, {`name`: `q`, `rows`: 10}");
    source = row_source_new(&fixture.table, 0, 5);
    id = first_id(source, &fixture, 0, 1, 10);
    tap_u64(id >> 16, start_ms + 9000, "the ids of a phase are made when its clock says");
    id = first_id(source, &fixture, 1, 11, 10);
    tap_u64(id >> 16, start_ms + 10000, "and those of the next behind them");
    row_source_free(source);
    close_fixture(&fixture);
}

int
main(void)
{
    test_blocks();
    test_fields();
    test_phases();
    test_writers();
    test_clocks();
    return tap_done();
}
