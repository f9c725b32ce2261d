#include "scenario/sweep.h"

#include "base/file.h"
#include "base/text.h"
#include "scenario/load.h"
#include "scenario/parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    AXES_MAX = 8,
    AXIS_VALUES_MAX = 1000,
    AXIS_VALUE_MAX = 100,
    AXIS_TITLE_MAX = 100,
    EVERY_DESIGN = -1
};

static const double EXACT_MAX = 9007199254740992.0; /* 2^53 */

/* Keys whose value is a list in any case, and those by which figures of all points are found. */
static const char *const UNSWEPT_KEYS[] = {"columns", "name", "title"};

/* One file on its way to a sweep. */
typedef struct Maker {
    const JsonDoc *doc;
    Sweep *sweep;
    size_t design_count;
    const cJSON *lists[AXES_MAX]; /* the first list of each axis */
    Diag *diag;
} Maker;

/* ---- Lists to axes ---- */

static bool
is_scalar(const cJSON *json)
{
    return cJSON_IsString(json) || cJSON_IsNumber(json) || cJSON_IsBool(json);
}

/* Whether a member is a list that stands where a scalar would. */
static bool
is_axis(const cJSON *json)
{
    const cJSON *item;

    if (!cJSON_IsArray(json) || json->string == NULL || json->child == NULL)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(UNSWEPT_KEYS); i++)
        if (strcmp(json->string, UNSWEPT_KEYS[i]) == 0)
            return false;
    cJSON_ArrayForEach(item, json)
    {
        if (!is_scalar(item))
            return false;
    }
    return true;
}

static const char *
value_text(Arena *arena, const cJSON *item)
{
    if (cJSON_IsString(item))
        return arena_text(arena, item->valuestring);
    if (cJSON_IsBool(item))
        return cJSON_IsTrue(item) ? "true" : "false";
    if (floor(item->valuedouble) == item->valuedouble && fabs(item->valuedouble) <= EXACT_MAX)
        return arena_printf(arena, "%.0f", item->valuedouble);
    return arena_printf(arena, "%.15g", item->valuedouble);
}

static bool
is_value(const char *value)
{
    return value[0] != '\0' && strlen(value) <= AXIS_VALUE_MAX && is_printable(value) &&
           strpbrk(value, ",;=") == NULL;
}

static Status
check_values(const Maker *maker, const cJSON *list, const SweepAxis *axis)
{
    const cJSON *item = list->child;

    if (axis->value_count > AXIS_VALUES_MAX)
        return json_error(maker->doc, list, maker->diag, "%zu values, but at most %d are allowed",
                          axis->value_count, AXIS_VALUES_MAX);
    for (size_t i = 0; item != NULL; i++, item = item->next) {
        if (!is_value(axis->values[i]))
            return json_error(maker->doc, item, maker->diag,
                              "a swept value must be printable text of 1 to %d bytes without "
                              "\",;=\"",
                              AXIS_VALUE_MAX);
        for (size_t j = 0; j < i; j++)
            if (strcmp(axis->values[i], axis->values[j]) == 0)
                return json_error(maker->doc, item, maker->diag, "\"%s\" is there twice",
                                  axis->values[i]);
    }
    return STATUS_OK;
}

static Status
add_axis(Maker *maker, const cJSON *list)
{
    Sweep *sweep = maker->sweep;
    SweepAxis *axis = &sweep->axes[sweep->axis_count];
    const cJSON *item;

    if (sweep->axis_count == AXES_MAX)
        return json_error(maker->doc, list, maker->diag,
                          "a list makes a sweep, and a sweep has at most %d axes", AXES_MAX);
    axis->name = axis->title = arena_text(sweep->arena, list->string);
    axis->values =
        arena_alloc(sweep->arena, (size_t)cJSON_GetArraySize(list), sizeof(*axis->values));
    for (item = list->child; item != NULL; item = item->next)
        axis->values[axis->value_count++] = value_text(sweep->arena, item);
    axis->concerns = arena_alloc(sweep->arena, maker->design_count, sizeof(*axis->concerns));
    maker->lists[sweep->axis_count] = list;
    sweep->axis_count++;
    return check_values(maker, list, axis);
}

/* A list under a key that has one already is the same axis. */
static Status
note_list(Maker *maker, const cJSON *list, int design)
{
    Sweep *sweep = maker->sweep;
    size_t at = 0;
    Status status = STATUS_OK;
    bool *concerns;

    while (at < sweep->axis_count && strcmp(sweep->axes[at].name, list->string) != 0)
        at++;
    if (at == sweep->axis_count)
        status = add_axis(maker, list);
    else if (!cJSON_Compare(maker->lists[at], list, true))
        status = json_error(maker->doc, list, maker->diag,
                            "another list than before: lists under one key are one axis, so they "
                            "must be equal");
    if (status != STATUS_OK)
        return status;
    concerns = sweep->axes[at].concerns;
    for (size_t i = 0; i < maker->design_count; i++)
        concerns[i] = concerns[i] || design == EVERY_DESIGN || (size_t)design == i;
    return STATUS_OK;
}

static Status
find_lists(Maker *maker, const cJSON *json, int design)
{
    Status status = STATUS_OK;

    if (is_axis(json))
        return note_list(maker, json, design);
    for (const cJSON *child = json->child; status == STATUS_OK && child != NULL;
         child = child->next)
        status = find_lists(maker, child, design);
    return status;
}

/* Lists may stand in settings, phases and designs, and for the seed. */
static Status
find_axes(Maker *maker, const cJSON *root)
{
    static const char *const EVERYWHERE[] = {"settings", "phases", "seed"};
    const cJSON *designs = cJSON_GetObjectItemCaseSensitive(root, "designs"), *design;
    Status status = STATUS_OK;
    int number = 0;

    for (size_t i = 0; status == STATUS_OK && i < ARRAY_LEN(EVERYWHERE); i++) {
        const cJSON *part = cJSON_GetObjectItemCaseSensitive(root, EVERYWHERE[i]);

        if (part != NULL)
            status = find_lists(maker, part, EVERY_DESIGN);
    }
    cJSON_ArrayForEach(design, designs)
    {
        if (status == STATUS_OK)
            status = find_lists(maker, design, number++);
    }
    return status;
}

/* ---- "axes": their titles ---- */

static Status
read_title(Maker *maker, const cJSON *json)
{
    static const char *const KEYS[] = {"name", "title", NULL};
    const char *name = NULL, *title = NULL;
    Status status = json_only_keys(maker->doc, json, KEYS, maker->diag);
    SweepAxis *axis;

    if (status == STATUS_OK)
        status = json_text(maker->doc, json, "name", &name, maker->diag);
    if (status == STATUS_OK)
        status = json_text(maker->doc, json, "title", &title, maker->diag);
    if (status != STATUS_OK)
        return status;
    axis = sweep_find_axis(maker->sweep, name);
    if (axis == NULL)
        return json_error(maker->doc, cJSON_GetObjectItemCaseSensitive(json, "name"), maker->diag,
                          "no list stands under a key \"%.63s\"", name);
    if (axis->title != axis->name)
        return json_error(maker->doc, json, maker->diag, "\"%.63s\" has a title already", name);
    if (title[0] == '\0' || strlen(title) > AXIS_TITLE_MAX || !is_printable(title))
        return json_error(maker->doc, cJSON_GetObjectItemCaseSensitive(json, "title"), maker->diag,
                          "must be printable text of 1 to %d bytes", AXIS_TITLE_MAX);
    axis->title = arena_text(maker->sweep->arena, title);
    return STATUS_OK;
}

static Status
read_titles(Maker *maker, const cJSON *root)
{
    const cJSON *array = NULL, *json;
    Status status = json_array_or(maker->doc, root, "axes", &array, maker->diag);

    cJSON_ArrayForEach(json, array)
    {
        if (status == STATUS_OK)
            status = read_title(maker, json);
    }
    return status;
}

/* ---- Axes to points ---- */

static Status
count_points(Maker *maker, const cJSON *root)
{
    Sweep *sweep = maker->sweep;

    sweep->point_count = 1;
    for (size_t i = 0; i < sweep->axis_count; i++) {
        sweep->point_count *= sweep->axes[i].value_count;
        if (sweep->point_count > SWEEP_POINTS_MAX)
            return json_error(maker->doc, root, maker->diag,
                              "the lists make more than %d combinations", SWEEP_POINTS_MAX);
    }
    sweep->points = arena_alloc(sweep->arena, sweep->point_count, sizeof(*sweep->points));
    return STATUS_OK;
}

/* Which value an axis has at a point. */
static size_t
choice_at(const Sweep *sweep, size_t point, size_t axis)
{
    for (size_t i = sweep->axis_count; i > axis + 1; i--)
        point /= sweep->axes[i - 1].value_count;
    return point % sweep->axes[axis].value_count;
}

static size_t
axis_number(const Sweep *sweep, const char *name)
{
    size_t at = 0;

    while (strcmp(sweep->axes[at].name, name) != 0)
        at++;
    return at;
}

/* Put one value in the place of each list below `json`. */
static void
choose_values(const Sweep *sweep, size_t point, cJSON *json)
{
    cJSON *next;

    for (cJSON *child = json->child; child != NULL; child = next) {
        next = child->next;
        if (is_axis(child)) {
            size_t choice = choice_at(sweep, point, axis_number(sweep, child->string));
            cJSON *value = cJSON_Duplicate(cJSON_GetArrayItem(child, (int)choice), false);

            if (value == NULL ||
                !cJSON_ReplaceItemInObjectCaseSensitive(json, child->string, value))
                BUG("out of memory for a sweep's value");
        } else {
            choose_values(sweep, point, child);
        }
    }
}

static void
choose_point(const Sweep *sweep, size_t point, cJSON *root)
{
    static const char *const PARTS[] = {"settings", "phases", "designs"};
    cJSON *seed = cJSON_GetObjectItemCaseSensitive(root, "seed");

    for (size_t i = 0; i < ARRAY_LEN(PARTS); i++) {
        cJSON *part = cJSON_GetObjectItemCaseSensitive(root, PARTS[i]);

        if (part != NULL)
            choose_values(sweep, point, part);
    }
    if (seed != NULL && is_axis(seed)) {
        size_t choice = choice_at(sweep, point, axis_number(sweep, "seed"));
        cJSON *value = cJSON_Duplicate(cJSON_GetArrayItem(seed, (int)choice), false);

        cJSON_ReplaceItemInObjectCaseSensitive(root, "seed", value);
    }
}

static void
add_label(const SweepPoint *point, size_t axis_count, Diag *diag)
{
    Text label = {0};

    for (size_t i = 0; i < axis_count; i++)
        text_printf(&label, "%s%s=%s", i > 0 ? ", " : "", point->values[i].name,
                    point->values[i].value);
    diag_context(diag, "at %s", text_data(&label));
    text_release(&label);
}

static Status
make_point(Maker *maker, size_t number, const cJSON *root)
{
    Sweep *sweep = maker->sweep;
    SweepPoint *point = &sweep->points[number];
    JsonDoc doc = *maker->doc;
    Status status;

    point->values = arena_alloc(sweep->arena, sweep->axis_count, sizeof(*point->values));
    for (size_t i = 0; i < sweep->axis_count; i++)
        point->values[i] =
            (NamedValue){sweep->axes[i].name, sweep->axes[i].values[choice_at(sweep, number, i)]};
    doc.root = cJSON_Duplicate(root, true);
    if (doc.root == NULL)
        BUG("out of memory for a sweep's point");
    choose_point(sweep, number, doc.root);
    status = scenario_parse_json(&doc, sweep, point->values, &point->scenario, maker->diag);
    cJSON_Delete(doc.root);
    if (status != STATUS_OK && sweep->axis_count > 0)
        add_label(point, sweep->axis_count, maker->diag);
    return status;
}

static Status
make_sweep(Maker *maker)
{
    const cJSON *root = maker->doc->root;
    Sweep *sweep = maker->sweep;
    Status status;

    maker->design_count =
        (size_t)cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(root, "designs"));
    sweep->axes = arena_alloc(sweep->arena, AXES_MAX, sizeof(*sweep->axes));
    status = find_axes(maker, root);
    if (status == STATUS_OK)
        status = read_titles(maker, root);
    if (status == STATUS_OK)
        status = count_points(maker, root);
    for (size_t i = 0; status == STATUS_OK && i < sweep->point_count; i++)
        status = make_point(maker, i, root);
    if (status == STATUS_OK)
        status = check_charts(maker->doc, sweep, maker->diag);
    return status;
}

/* One text for all points, which live and end together. */
static void
keep_text(Sweep *sweep, const cJSON *root, const char *bytes, size_t length)
{
    Scenario *first = sweep->points[0].scenario;

    scenario_keep_text(first, root, bytes, length);
    for (size_t i = 1; i < sweep->point_count; i++) {
        Scenario *other = sweep->points[i].scenario;

        other->text = first->text;
        memcpy(other->sha256, first->sha256, sizeof(other->sha256));
    }
}

/* ---- The door ---- */

Status
sweep_parse(const char *file, const char *bytes, size_t length, Sweep **sweep, Diag *diag)
{
    JsonDoc doc = {0};
    Maker maker = {.doc = &doc, .diag = diag};
    Status status = json_parse(file, bytes, length, SCENARIO_NESTING_MAX, &doc, diag);
    Arena *arena;

    if (status != STATUS_OK)
        return status;
    arena = arena_new();
    maker.sweep = arena_alloc(arena, 1, sizeof(*maker.sweep));
    maker.sweep->arena = arena;
    status = make_sweep(&maker);
    if (status == STATUS_OK)
        keep_text(maker.sweep, doc.root, bytes, length);
    json_release(&doc);
    if (status == STATUS_OK)
        *sweep = maker.sweep;
    else
        sweep_free(maker.sweep);
    return status;
}

Status
sweep_load(const char *name, Sweep **sweep, Diag *diag)
{
    Text path = {0}, content = {0};
    Status status = scenario_read_file(name, &path, &content, diag);

    if (status == STATUS_OK)
        status = sweep_parse(path.data, text_data(&content), content.length, sweep, diag);
    text_release(&content);
    text_release(&path);
    return status;
}

void
sweep_free(Sweep *sweep)
{
    if (sweep == NULL)
        return;
    for (size_t i = 0; sweep->points != NULL && i < sweep->point_count; i++)
        scenario_free(sweep->points[i].scenario);
    arena_free(sweep->arena);
}

const Scenario *
sweep_first(const Sweep *sweep)
{
    return sweep->points[0].scenario;
}

bool
sweep_measures(const Sweep *sweep, size_t point, size_t design)
{
    for (size_t i = 0; i < sweep->axis_count; i++)
        if (!sweep->axes[i].concerns[design] && choice_at(sweep, point, i) != 0)
            return false;
    return true;
}

bool
sweep_point_holds(const SweepPoint *point, size_t axis_count, const NamedValue *values,
                  size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool found = false;

        for (size_t k = 0; k < axis_count; k++)
            found = found || (strcmp(point->values[k].name, values[i].name) == 0 &&
                              strcmp(point->values[k].value, values[i].value) == 0);
        if (!found)
            return false;
    }
    return true;
}

cJSON *
sweep_point_json(const Sweep *sweep, const SweepPoint *point)
{
    cJSON *root = cJSON_Parse(point->scenario->text);

    if (root == NULL)
        BUG("out of memory for a sweep's point");
    choose_point(sweep, (size_t)(point - sweep->points), root);
    return root;
}

SweepAxis *
sweep_find_axis(const Sweep *sweep, const char *name)
{
    for (size_t i = 0; i < sweep->axis_count; i++)
        if (strcmp(sweep->axes[i].name, name) == 0)
            return &sweep->axes[i];
    return NULL;
}
