#include "report/model_parts.h"

#include "base/units.h"
#include "report/wal_group.h"

#include <math.h>

/* The parts of a cell. */
enum { RECORDS, IMAGES, SHARE };

static const double MB_BYTES = 1024.0 * 1024.0;

/* Without the unit, which stands over the table: one scale for all rows. */
static const char *
print_mb(const ReportBuilder *builder, double bytes)
{
    return report_text(builder, "%.1f", bytes / MB_BYTES);
}

static ReportCell
build_cell(const ReportBuilder *builder, double record_bytes, double fpi_bytes, double total_bytes)
{
    ReportCell cell = {.value = record_bytes + fpi_bytes, .reference = NAN};
    char text[UNITS_TEXT_SIZE];

    cell.part[RECORDS] = print_mb(builder, record_bytes);
    cell.part[IMAGES] = print_mb(builder, fpi_bytes);
    units_print_pct(total_bytes > 0 ? 100 * cell.value / total_bytes : NAN, 1, text, sizeof(text));
    cell.part[SHARE] = report_text(builder, "%s", text);
    return cell;
}

static void
fill_design(const ReportBuilder *builder, const PhaseResult *phase, ReportGrid *grid, size_t column)
{
    WalGroupBytes sum;
    double total_bytes;

    if (phase == NULL) {
        for (size_t row = 0; row < grid->row_count; row++)
            grid->cells[row][column].part[RECORDS] = "-";
        return;
    }
    sum = wal_groups_sum(phase);
    total_bytes = sum.record_total_bytes + sum.fpi_total_bytes;
    for (size_t group = 0; group < WAL_GROUP_COUNT; group++)
        grid->cells[group][column] =
            build_cell(builder, sum.record_bytes[group], sum.fpi_bytes[group], total_bytes);
    grid->cells[WAL_GROUP_COUNT][column] =
        build_cell(builder, sum.record_total_bytes, sum.fpi_total_bytes, total_bytes);
}

static void
add_section(ReportBuilder *builder, const Phase *phase, const ReportGrid *grid)
{
    ReportSection *section = report_add_grid(builder, grid);

    section->title = report_text(builder, "What the WAL was: %s%s%s", phase->title,
                                 builder->label[0] != '\0' ? ", " : "", builder->label);
    section->about = "in MB: records without their images, the images in them, and both as a share "
                     "of all WAL";
    report_add_note(builder, section, REPORT_PLAIN,
                    builder->repeat_count > 1 ? "from pg_walinspect, first repeat"
                                              : "from pg_walinspect");
    report_add_note(builder, section, REPORT_PLAIN,
                    "other: commits, sequence values and what else the server wrote meanwhile");
}

void
report_build_wal(ReportBuilder *builder, const Phase *phase)
{
    const Scenario *scenario = builder->scenario;
    ReportGrid grid;
    bool known = false;

    report_grid_init(builder, &grid, WAL_GROUP_COUNT + 1, scenario->design_count);
    grid.head[0] = "record type";
    grid.head[1] = "design";
    grid.part[RECORDS] = "records";
    grid.part[IMAGES] = "images";
    grid.part[SHARE] = "share";
    for (size_t row = 0; row < WAL_GROUP_COUNT; row++)
        grid.rows[row] = WAL_GROUP_TITLES[row];
    grid.rows[WAL_GROUP_COUNT] = "all WAL";
    for (size_t column = 0; column < scenario->design_count; column++) {
        const PhaseResult *measured =
            wal_find_phase(builder->result, scenario->designs[column].name, phase->name);

        known = known || measured != NULL;
        grid.columns[column] = report_text(builder, "%s", figure_title(&scenario->designs[column]));
        fill_design(builder, measured, &grid, column);
    }
    if (known)
        add_section(builder, phase, &grid);
}
