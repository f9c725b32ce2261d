#include "report/csv.h"
#include "report/figure.h"
#include "report/render.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char HEADER_END[] = ",repeat,phase,batch,index,metric,unit,value,reference\n";

/* Whose figures are being written. */
typedef struct CsvWriter {
    Text *out;
    const Result *result;
    const ResultPoints *points;
    const Scenario *scenario; /* of the first point that the design belongs to */
    const DesignResult *design;
    const PhaseResult *phase;
} CsvWriter;

/* A column an axis, empty where it does not concern the design. */
static void
add_axes(const CsvWriter *writer)
{
    const Sweep *sweep = writer->points->sweep;

    for (size_t i = 0; i < sweep->axis_count; i++) {
        text_add(writer->out, ",");
        for (size_t k = 0; k < writer->design->sweep_count; k++)
            if (strcmp(writer->design->sweep[k].name, sweep->axes[i].name) == 0)
                csv_add_text(writer->out, writer->design->sweep[k].value);
    }
}

/* The columns up to the metric. */
static void
start_row(const CsvWriter *writer, uint64_t batch, const char *index)
{
    Text *out = writer->out;

    csv_add_text(out, writer->result->scenario_name);
    text_add(out, ",");
    csv_add_text(out, writer->design->name);
    add_axes(writer);
    text_printf(out, ",%" PRIu64 ",", writer->design->repeat);
    csv_add_text(out, writer->phase->name);
    text_add(out, ",");
    if (batch > 0)
        text_printf(out, "%" PRIu64, batch);
    text_add(out, ",");
    csv_add_text(out, index);
    text_add(out, ",");
}

static void
add_row(const CsvWriter *writer, uint64_t batch, const char *index, MetricId metric, double value)
{
    bool has_reference = index[0] == '\0' || index == writer->phase->indexes[0].name;
    Figure figure = {.design = writer->design->name,
                     .phase = writer->phase->name,
                     .metric = metric,
                     .batch = batch};
    const Reference *reference =
        has_reference ? figure_find_reference(writer->scenario, &figure) : NULL;

    start_row(writer, batch, index);
    text_printf(writer->out, "%s,%s,", METRICS[metric].name, metric_unit_name(metric));
    csv_add_number(writer->out, value);
    text_add(writer->out, ",");
    if (reference != NULL)
        csv_add_number(writer->out, reference->value);
    text_add(writer->out, "\n");
}

/* What some servers do not give has no row where it is unknown; other holes have a row without a
 * value. */
static void
add_figures(const CsvWriter *writer, uint64_t batch, const char *index, MetricScope scope,
            const Figures *figures)
{
    for (int id = 0; id < METRIC_COUNT; id++) {
        bool hole = batch == 0 && scope != METRIC_SCOPE_INDEX && !writer->phase->complete;
        double value = hole || writer->design->error != NULL ? NAN : figures->value[id];

        if (METRICS[id].scope == scope && !((METRICS[id].flags & METRIC_OPTIONAL) && isnan(value)))
            add_row(writer, batch, index, (MetricId)id, value);
    }
}

static void
add_wal_figure(const CsvWriter *writer, const WalKind *kind, const char *what, const char *unit,
               double value)
{
    Text metric = {0};

    text_printf(&metric, "wal/%s/%s/%s", kind->resource_manager, kind->record_type, what);
    start_row(writer, 0, "");
    csv_add_text(writer->out, metric.data);
    text_printf(writer->out, ",%s,", unit);
    csv_add_number(writer->out, value);
    text_add(writer->out, ",\n");
    text_release(&metric);
}

static void
add_phase(const CsvWriter *writer)
{
    const PhaseResult *phase = writer->phase;

    add_figures(writer, 0, "", METRIC_SCOPE_BATCH, &phase->figures);
    add_figures(writer, 0, "", METRIC_SCOPE_TABLE, &phase->figures);
    for (size_t i = 0; i < phase->index_count; i++)
        add_figures(writer, 0, phase->indexes[i].name, METRIC_SCOPE_INDEX,
                    &phase->indexes[i].figures);
    for (size_t i = 0; i < phase->batch_count; i++)
        add_figures(writer, i + 1, "", METRIC_SCOPE_BATCH, &phase->batches[i].figures);
    for (size_t i = 0; i < phase->wal_kind_count; i++) {
        const WalKind *kind = &phase->wal_kinds[i];

        add_wal_figure(writer, kind, "record_count", "count", kind->record_count);
        add_wal_figure(writer, kind, "record_bytes", "bytes", kind->record_bytes);
        add_wal_figure(writer, kind, "fpi_bytes", "bytes", kind->fpi_bytes);
    }
}

static void
add_header(const CsvWriter *writer)
{
    const Sweep *sweep = writer->points->sweep;

    text_add(writer->out, "scenario,design");
    for (size_t i = 0; i < sweep->axis_count; i++) {
        text_add(writer->out, ",");
        csv_add_text(writer->out, sweep->axes[i].name);
    }
    text_add(writer->out, HEADER_END);
}

void
render_csv(const Result *result, const ResultPoints *points, Text *out)
{
    CsvWriter writer = {.out = out, .result = result, .points = points};

    add_header(&writer);
    for (size_t design = 0; design < result->design_count; design++) {
        const ResultPoint *point = points_find(points, &result->designs[design]);

        writer.design = &result->designs[design];
        writer.scenario = point != NULL ? point_scenario(point) : sweep_first(points->sweep);
        for (size_t phase = 0; phase < writer.design->phase_count; phase++) {
            writer.phase = &writer.design->phases[phase];
            add_phase(&writer);
        }
    }
}
