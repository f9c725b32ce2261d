#include "base/units.h"
#include "report/advise_price.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_WIDTH = 96 };

static const char ABOUT_PRICE[] =
    "WAL of an id is that of a table of the id and an integer. WAL with a plus is what another "
    "column adds: the records of an index like the id's, and the column's bytes in each row.";
static const char NOT_PRICED[] =
    "Not in it, because not measured there: client_id with its index, and project_link.";

/* Append words, each line begun by two blanks and none too long. */
static void
add_wrapped(Text *out, const char *words)
{
    size_t column = 0;

    while (*words != '\0') {
        size_t length = strcspn(words, " ");

        if (column > 0 && column + 1 + length > LINE_WIDTH) {
            text_add(out, "\n");
            column = 0;
        }
        text_add(out, column == 0 ? "  " : " ");
        text_add_bytes(out, words, length);
        column += column == 0 ? 2 + length : 1 + length;
        words += length + strspn(words + length, " ");
    }
    text_add(out, "\n");
}

static void
add_rules(Text *out, const Advice *advice, bool never)
{
    for (size_t i = 0; i < advice->rule_count; i++) {
        const AdviseRule *rule = advice->rules[i];

        if ((rule->part == PART_NEVER) != never)
            continue;
        add_wrapped(out, rule->sentence);
        text_add(out, "      keybench lab");
        for (size_t claim = 0; claim < ADVISE_CLAIMS_MAX && rule->claims[claim] != NULL; claim++)
            text_printf(out, " %s", rule->claims[claim]);
        text_add(out, "\n");
    }
}

static void
add_price_lines(Text *out, const Advice *advice, bool chosen)
{
    for (size_t i = 0; i < PRICED_COUNT; i++) {
        Price price = price_of(&PRICED[i], advice->reference);
        char head[64], wal[PRICE_PHASE_COUNT][UNITS_TEXT_SIZE];
        const char *more = PRICED[i].is_key ? "" : "+ ";

        if (!price_is_shown(&PRICED[i], advice, chosen))
            continue;
        snprintf(head, sizeof(head), "%s%s %s", chosen ? "" : "not ", PRICED[i].column,
                 PRICED[i].type);
        for (size_t phase = 0; phase < PRICE_PHASE_COUNT; phase++) {
            size_t used = (size_t)snprintf(wal[phase], sizeof(wal[phase]), "%s", more);

            units_print_bytes(price.wal_bytes[phase], 1, wal[phase] + used,
                              sizeof(wal[phase]) - used);
        }
        text_printf(out, "  %-26s %6.0f + %-6.1f %16s %25s\n", head, price.column_bytes,
                    price.index_bytes, wal[0], wal[1]);
    }
}

static void
add_price(Text *out, const Advice *advice)
{
    Price price = price_of(&PRICED[0], advice->reference);
    char rows[UNITS_TEXT_SIZE];

    units_print_count((double)price.checkpoint_rows[PRICE_PHASE_COUNT - 1], rows, sizeof(rows));
    text_printf(out, "\nPrice (%s, PostgreSQL %s)\n\n", ADVISE_REFERENCE,
                result_server_value(advice->reference, "version"));
    text_printf(out, "  %-26s %-15s %s\n", "", "bytes a row", "WAL of a million rows");
    text_printf(out, "  %-26s %-15s %16s %14s %s rows\n", "", "column + index", "no checkpoint",
                "one each", rows);
    add_price_lines(out, advice, true);
    add_price_lines(out, advice, false);
    text_add(out, "\n");
    add_wrapped(out, ABOUT_PRICE);
    if (advice_has(advice, PART_CLIENT_ID) || advice_has(advice, PART_LINKS))
        add_wrapped(out, NOT_PRICED);
}

void
advice_print_text(const Advice *advice, Text *out)
{
    text_add(out, "Design, for PostgreSQL 18 (project stands for your table)\n\n");
    advice_ddl(advice, out);
    text_add(out, "\nWhy\n\n");
    add_rules(out, advice, false);
    add_price(out, advice);
    text_add(out, "\nNever\n\n");
    add_rules(out, advice, true);
}

/* ---- As JSON ---- */

static void
must(bool added)
{
    if (!added)
        BUG("out of memory: an advice as JSON");
}

static cJSON *
add_object(cJSON *array)
{
    cJSON *object = cJSON_CreateObject();

    must(object != NULL && cJSON_AddItemToArray(array, object));
    return object;
}

static cJSON *
add_array(cJSON *object, const char *key)
{
    cJSON *array = cJSON_AddArrayToObject(object, key);

    must(array != NULL);
    return array;
}

static void
json_rules(cJSON *root, const char *key, const Advice *advice, bool never)
{
    cJSON *array = add_array(root, key);

    for (size_t i = 0; i < advice->rule_count; i++) {
        const AdviseRule *rule = advice->rules[i];
        cJSON *object, *claims;

        if ((rule->part == PART_NEVER) != never)
            continue;
        object = add_object(array);
        must(cJSON_AddStringToObject(object, "rule", rule->name) != NULL);
        must(cJSON_AddStringToObject(object, "text", rule->sentence) != NULL);
        claims = add_array(object, "claims");
        for (size_t claim = 0; claim < ADVISE_CLAIMS_MAX && rule->claims[claim] != NULL; claim++)
            must(cJSON_AddItemToArray(claims, cJSON_CreateString(rule->claims[claim])));
    }
}

static void
json_price(cJSON *array, const Priced *priced, const Price *price, bool chosen)
{
    cJSON *object = add_object(array), *wal;

    must(cJSON_AddStringToObject(object, "column", priced->column) != NULL);
    must(cJSON_AddStringToObject(object, "type", priced->type) != NULL);
    must(cJSON_AddStringToObject(object, "design", priced->design) != NULL);
    must(cJSON_AddBoolToObject(object, "chosen", chosen) != NULL);
    must(cJSON_AddBoolToObject(object, "is_key", priced->is_key) != NULL);
    must(cJSON_AddNumberToObject(object, "row_column_bytes", price->column_bytes) != NULL);
    must(cJSON_AddNumberToObject(object, "row_index_bytes", price->index_bytes) != NULL);
    wal = add_array(object, "wal");
    for (size_t i = 0; i < PRICE_PHASE_COUNT; i++) {
        cJSON *one = add_object(wal);

        must(cJSON_AddNumberToObject(one, "rows_per_checkpoint",
                                     (double)price->checkpoint_rows[i]) != NULL);
        must(cJSON_AddNumberToObject(one, "million_rows_wal_bytes", round(price->wal_bytes[i])) !=
             NULL);
    }
}

static void
json_prices(cJSON *root, const Advice *advice)
{
    const char *version = result_server_value(advice->reference, "version");
    cJSON *object = cJSON_AddObjectToObject(root, "price"), *columns;

    must(object != NULL);
    must(cJSON_AddStringToObject(object, "result", ADVISE_REFERENCE) != NULL);
    must(cJSON_AddStringToObject(object, "server_version", version) != NULL);
    columns = add_array(object, "columns");
    for (int chosen = 1; chosen >= 0; chosen--)
        for (size_t i = 0; i < PRICED_COUNT; i++) {
            Price price = price_of(&PRICED[i], advice->reference);

            if (price_is_shown(&PRICED[i], advice, chosen == 1))
                json_price(columns, &PRICED[i], &price, chosen == 1);
        }
}

void
advice_print_json(const Advice *advice, Text *out)
{
    cJSON *root = cJSON_CreateObject();
    Text ddl = {0};
    char *json;

    advice_ddl(advice, &ddl);
    must(cJSON_AddStringToObject(root, "format", "keybench-advice/1") != NULL);
    must(cJSON_AddStringToObject(root, "keybench_version", KEYBENCH_VERSION) != NULL);
    must(cJSON_AddStringToObject(root, "ddl", ddl.data) != NULL);
    json_rules(root, "reasons", advice, false);
    json_prices(root, advice);
    json_rules(root, "never", advice, true);
    json = cJSON_Print(root);
    must(json != NULL);
    text_printf(out, "%s\n", json);
    free(json);
    cJSON_Delete(root);
    text_release(&ddl);
}
