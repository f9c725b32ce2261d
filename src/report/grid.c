#include "report/model_parts.h"

#include "report/layout.h"

#include <math.h>
#include <string.h>

void
report_grid_init(const ReportBuilder *builder, ReportGrid *grid, size_t row_count,
                 size_t column_count)
{
    memset(grid, 0, sizeof(*grid));
    grid->row_count = row_count;
    grid->column_count = column_count;
    grid->rows = arena_alloc(builder->arena, row_count, sizeof(*grid->rows));
    grid->columns = arena_alloc(builder->arena, column_count, sizeof(*grid->columns));
    grid->cells = arena_alloc(builder->arena, row_count, sizeof(ReportCell *));
    for (size_t row = 0; row < row_count; row++) {
        grid->cells[row] = arena_alloc(builder->arena, column_count, sizeof(**grid->cells));
        for (size_t column = 0; column < column_count; column++)
            grid->cells[row][column].value = grid->cells[row][column].reference = NAN;
    }
}

/* The same grid with rows as columns. */
static ReportGrid
turn(const ReportBuilder *builder, const ReportGrid *grid)
{
    ReportGrid turned;

    report_grid_init(builder, &turned, grid->column_count, grid->row_count);
    turned.head[0] = grid->head[1];
    turned.head[1] = grid->head[0];
    memcpy(turned.part, grid->part, sizeof(turned.part));
    memcpy(turned.rows, grid->columns, grid->column_count * sizeof(*turned.rows));
    memcpy(turned.columns, grid->rows, grid->row_count * sizeof(*turned.columns));
    for (size_t row = 0; row < turned.row_count; row++)
        for (size_t column = 0; column < turned.column_count; column++)
            turned.cells[row][column] = grid->cells[column][row];
    return turned;
}

/* A column has as many parts as its fullest cell. */
static size_t
part_count(const ReportGrid *grid, size_t column)
{
    size_t count = 1;

    for (size_t row = 0; row < grid->row_count; row++)
        for (size_t part = count; part < REPORT_PARTS_MAX; part++)
            if (grid->cells[row][column].part[part] != NULL)
                count = part + 1;
    return count;
}

static void
fill_section(const ReportGrid *grid, ReportSection *section)
{
    bool parts = false;

    section->head = grid->head[0];
    for (size_t column = 0; column < grid->column_count; column++) {
        section->columns[column].title = grid->columns[column];
        section->columns[column].part_count = part_count(grid, column);
        parts = parts || section->columns[column].part_count > 1;
    }
    for (size_t column = 0; parts && column < grid->column_count; column++)
        memcpy(section->columns[column].part, grid->part,
               section->columns[column].part_count * sizeof(*grid->part));
    for (size_t row = 0; row < grid->row_count; row++) {
        section->rows[row].title = grid->rows[row];
        memcpy(section->rows[row].cells, grid->cells[row],
               grid->column_count * sizeof(**grid->cells));
    }
}

static ReportSection *
add_section(ReportBuilder *builder, const ReportGrid *grid)
{
    ReportSection *section = report_add_section(builder, grid->column_count, grid->row_count);

    fill_section(grid, section);
    return section;
}

static size_t
least_width(const ReportSection *section)
{
    return layout_section_width(section, LAYOUT_PART_GAP_SMALL);
}

ReportSection *
report_add_grid(ReportBuilder *builder, const ReportGrid *grid)
{
    ReportSection *section = add_section(builder, grid), *other;
    ReportGrid turned;

    if (least_width(section) <= REPORT_WIDTH)
        return section;
    turned = turn(builder, grid);
    other = add_section(builder, &turned);
    if (least_width(other) < least_width(section))
        *section = *other;
    memset(other, 0, sizeof(*other));
    builder->model->section_count--;
    return section;
}
