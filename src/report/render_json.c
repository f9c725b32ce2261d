#include "report/render.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>

static const char *const TONE_NAMES[] = {
    [REPORT_PLAIN] = "plain",
    [REPORT_GOOD] = "good",
    [REPORT_BAD] = "bad",
    [REPORT_WARNING] = "warning",
};

static void
add_text(cJSON *object, const char *key, const char *text)
{
    if (text != NULL && cJSON_AddStringToObject(object, key, text) == NULL)
        BUG("out of memory: a report as JSON");
}

static void
add_number(cJSON *object, const char *key, double number)
{
    if (!isnan(number) && cJSON_AddNumberToObject(object, key, number) == NULL)
        BUG("out of memory: a report as JSON");
}

static cJSON *
add_object(cJSON *array)
{
    cJSON *object = cJSON_CreateObject();

    if (object == NULL || !cJSON_AddItemToArray(array, object))
        BUG("out of memory: a report as JSON");
    return object;
}

static cJSON *
add_array(cJSON *object, const char *key)
{
    cJSON *array = cJSON_AddArrayToObject(object, key);

    if (array == NULL)
        BUG("out of memory: a report as JSON");
    return array;
}

static void
add_texts(cJSON *object, const char *key, const char *const *texts, size_t count)
{
    cJSON *array = add_array(object, key);

    for (size_t i = 0; i < count; i++)
        if (!cJSON_AddItemToArray(array, cJSON_CreateString(texts[i] != NULL ? texts[i] : "")))
            BUG("out of memory: a report as JSON");
}

static void
add_cell(cJSON *array, const ReportColumn *column, const ReportCell *cell)
{
    cJSON *object = add_object(array);

    add_texts(object, "texts", cell->part, column->part_count);
    add_text(object, "spread", cell->below);
    add_number(object, "value", cell->value);
    add_number(object, "reference", cell->reference);
}

static void
add_rows(cJSON *object, const ReportSection *section)
{
    cJSON *rows = add_array(object, "rows");

    for (size_t i = 0; i < section->row_count; i++) {
        cJSON *row = add_object(rows);
        cJSON *cells;

        add_text(row, "title", section->rows[i].title);
        cells = add_array(row, "cells");
        for (size_t column = 0; column < section->column_count; column++)
            add_cell(cells, &section->columns[column], &section->rows[i].cells[column]);
    }
}

static void
add_columns(cJSON *object, const ReportSection *section)
{
    cJSON *columns = add_array(object, "columns");

    for (size_t i = 0; i < section->column_count; i++) {
        const ReportColumn *it = &section->columns[i];
        cJSON *column = add_object(columns);

        add_text(column, "title", it->title);
        if (it->part[0] != NULL)
            add_texts(column, "parts", it->part, it->part_count);
    }
}

static void
add_section(cJSON *sections, const ReportSection *section)
{
    cJSON *object = add_object(sections), *notes;

    add_text(object, "title", section->title);
    add_text(object, "about", section->about);
    add_text(object, "head", section->head);
    add_columns(object, section);
    add_rows(object, section);
    notes = add_array(object, "notes");
    for (size_t i = 0; i < section->note_count; i++) {
        cJSON *note = add_object(notes);

        add_text(note, "tone", TONE_NAMES[section->notes[i].tone]);
        add_text(note, "text", section->notes[i].text);
    }
}

static void
add_facts(cJSON *root, const ReportModel *model)
{
    cJSON *facts = cJSON_AddObjectToObject(root, "facts");

    if (facts == NULL)
        BUG("out of memory: a report as JSON");
    for (size_t i = 0; i < model->fact_count; i++)
        add_text(facts, model->facts[i].name, model->facts[i].text);
}

void
render_json(const ReportModel *model, Text *out)
{
    cJSON *root = cJSON_CreateObject(), *sections;
    char *printed;

    add_text(root, "format", "keybench-report/1");
    add_text(root, "title", model->title);
    add_facts(root, model);
    sections = add_array(root, "sections");
    for (size_t i = 0; i < model->section_count; i++)
        add_section(sections, &model->sections[i]);
    printed = cJSON_Print(root);
    if (printed == NULL)
        BUG("out of memory: a report as JSON");
    text_printf(out, "%s\n", printed);
    free(printed);
    cJSON_Delete(root);
}
