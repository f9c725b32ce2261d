#include "report/model_parts.h"

#include "base/text.h"
#include "base/units.h"

#include <inttypes.h>
#include <string.h>

/* "1 row", "1,000 rows" */
static void
add_rows(Text *text, uint64_t rows)
{
    char count[UNITS_TEXT_SIZE];

    units_print_count((double)rows, count, sizeof(count));
    text_printf(text, "%s %s", count, rows == 1 ? "row" : "rows");
}

const char *
report_describe_load(const ReportBuilder *builder, const Phase *phase)
{
    const Load *load = &phase->load;
    Text text = {0};
    const char *kept;

    if (load->method == LOAD_COPY)
        text_add(&text, "; COPY");
    else if (load->method == LOAD_INSERT)
        text_printf(&text, "; %sprepared inserts", load->pipeline ? "pipelined " : "");
    if (load->rows_per_statement > 0) {
        text_add(&text, " of ");
        add_rows(&text, load->rows_per_statement);
    }
    if (load->rows_per_transaction > load->rows_per_statement) {
        text_add(&text, ", ");
        add_rows(&text, load->rows_per_transaction);
        text_add(&text, " a transaction");
    }
    if (phase->writer_count > 1)
        text_printf(&text, "%s by %" PRIu64 " writers", text.length > 0 ? "," : "",
                    phase->writer_count);
    kept = report_text(builder, "%s", text_data(&text));
    text_release(&text);
    return kept;
}

static bool
shows_wal(const TableSpec *spec)
{
    static const MetricId COUNTED[] = {METRIC_WAL_BYTES, METRIC_WAL_RECORD_COUNT, METRIC_FPI_COUNT,
                                       METRIC_FPI_BYTES};

    for (size_t i = 0; i < spec->metric_count; i++)
        for (size_t k = 0; k < ARRAY_LEN(COUNTED); k++)
            if (spec->metrics[i] == COUNTED[k])
                return true;
    return false;
}

/* Whether a phase's WAL was counted so, at some point. */
static bool
is_source(const ReportBuilder *builder, const char *name, const char *source)
{
    for (size_t i = 0; i < builder->result->design_count; i++) {
        const PhaseResult *phase = design_find_phase(&builder->result->designs[i], name);

        if (phase != NULL && phase->wal_source != NULL && strcmp(phase->wal_source, source) == 0)
            return true;
    }
    return false;
}

void
report_note_wal_source(const ReportBuilder *builder, ReportSection *section, const TableSpec *spec)
{
    static const struct {
        const char *source, *note;
    } NOTES[] = {
        {"backend", "WAL as the writers' sessions counted it, commits included"},
        {"walinspect", "WAL is all that the server logged meanwhile, commits included"},
        {"log position", "nobody counted this WAL: only the log position is known"},
    };

    for (size_t i = 0; shows_wal(spec) && i < ARRAY_LEN(NOTES); i++)
        if (is_source(builder, spec->phase, NOTES[i].source))
            report_add_note(builder, section, REPORT_PLAIN, NOTES[i].note);
}
