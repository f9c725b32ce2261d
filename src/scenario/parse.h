/*
 * What the readers of the parts of a scenario file share: names, titles, choices and lists, checked
 * as they are read. For the files of this room only; load.h is the door.
 */
#ifndef KB_SCENARIO_PARSE_H
#define KB_SCENARIO_PARSE_H

#include "base/json.h"
#include "base/text.h"
#include "results/result.h"
#include "scenario/scenario.h"
#include "scenario/sweep.h"

enum { PHASES_MAX = 64 };

/* The file being read, and what was read of it so far. */
typedef struct Parser {
    const JsonDoc *doc;
    Scenario *scenario;
    const Design *design; /* the table that is being read, else NULL */
    const SweepAxis *axes;
    const NamedValue *point; /* of each axis, the value that is in place of the file's lists */
    size_t axis_count;
} Parser;

/* Things that a word may name. Their structs, or they themselves, begin with the name. */
typedef struct Choices {
    const char *what; /* in errors: unknown `what` "x" */
    const void *items;
    size_t count, item_bytes;
} Choices;

#define CHOICES(what, items, count) ((Choices){(what), (items), (count), sizeof(*(items))})

/* Find the word under `key`, which must be there, or one item of an array; *index into choices. */
Status parse_choice(const Parser *parser, const cJSON *object, const char *key, Choices choices,
                    size_t *index, Diag *diag) MUST_USE;
Status parse_choice_item(const Parser *parser, const cJSON *item, Choices choices, size_t *index,
                         Diag *diag) MUST_USE;

/* The same, but *index stays as it is when the key is missing. */
Status parse_choice_or(const Parser *parser, const cJSON *object, const char *key, Choices choices,
                       size_t *index, Diag *diag) MUST_USE;

/* "name": a word of [a-z0-9] and, behind the first, [-_]; at most SCENARIO_NAME_MAX bytes. */
Status parse_name(const Parser *parser, const cJSON *object, const char **name,
                  Diag *diag) MUST_USE;

/* "name" of a column or index: any printable text of 1 to SCENARIO_NAME_MAX bytes. */
Status parse_identifier(const Parser *parser, const cJSON *object, const char **name,
                        Diag *diag) MUST_USE;

/* Printable text of 1 to `max_bytes`; *text stays as it is when the key is missing. */
Status parse_text_or(const Parser *parser, const cJSON *object, const char *key, size_t max_bytes,
                     const char **text, Diag *diag) MUST_USE;

/* 10 to 100, or 0 when the key is missing. */
Status parse_fillfactor(const Parser *parser, const cJSON *object, const char *key, int *fillfactor,
                        Diag *diag) MUST_USE;

/* Words of a list under `key`, each in `choices`, no two alike; indexes into choices. */
typedef struct WordList {
    size_t *indexes; /* in the arena */
    size_t count;
} WordList;

Status parse_words(const Parser *parser, const cJSON *object, const char *key, Choices choices,
                   WordList *words, Diag *diag) MUST_USE;

/* A list of objects under `key`, each read into one zeroed struct. */
typedef struct ListSpec {
    const char *key;
    size_t min, max; /* items; with a min of 0 the list may be missing */
    size_t item_bytes;
    bool named;              /* the structs begin with a name, and no two may be alike */
    const char *const *keys; /* allowed in each object; NULL-terminated */
    Status (*parse)(const Parser *parser, const cJSON *json, void *item, Diag *diag);
} ListSpec;

/* *items in the arena, NULL when there are none. */
Status parse_list(const Parser *parser, const cJSON *object, const ListSpec *spec, void **items,
                  size_t *count, Diag *diag) MUST_USE;

/* A printable text: no control characters. */
bool is_printable(const char *text);

/* Source, type and values of one item of "columns"; a ListSpec's parse. */
Status parse_column(const Parser *parser, const cJSON *json, void *item, Diag *diag) MUST_USE;

/* What a column of source "parent" says: which row's key it holds. */
Status parse_parent(const Parser *parser, const cJSON *json, Column *column, Diag *diag) MUST_USE;

/* The name by which phases know the table that is being read; NULL: a design's own. */
const char *parse_table_name(const Parser *parser);

/* All keys that some column may have; NULL-terminated. */
extern const char *const COLUMN_KEYS[];

/* "load" of a phase. */
Status parse_load(const Parser *parser, const cJSON *phase_json, Load *load, Diag *diag) MUST_USE;
/* "action", and what a phase that does not insert has beside name and title. */
Status parse_action(const Parser *parser, const cJSON *json, Action *action, Diag *diag) MUST_USE;
Status parse_other_action(const Parser *parser, const cJSON *json, Phase *phase,
                          Diag *diag) MUST_USE;

/* "rows" and "batches", and "checkpoint", which is counted in them. */
Status parse_phase_rows(const Parser *parser, const cJSON *json, Phase *phase, Diag *diag) MUST_USE;
Status parse_checkpoint(const Parser *parser, const cJSON *json, Phase *phase, Diag *diag) MUST_USE;

/* Whether each phase finds as many rows as it needs: `array` holds them. */
Status check_rows_there(const Parser *parser, const cJSON *array, Diag *diag) MUST_USE;

/* Whether a design has the columns that the phases' actions need. */
Status check_actions(const Parser *parser, const cJSON *json, const Design *design,
                     Diag *diag) MUST_USE;

/* The parts, in the order in which they must be read. */
Status parse_settings(Parser *parser, const cJSON *root, Diag *diag) MUST_USE;
Status parse_phases(Parser *parser, const cJSON *root, Diag *diag) MUST_USE;
Status parse_designs(Parser *parser, const cJSON *root, Diag *diag) MUST_USE;
Status parse_references(Parser *parser, const cJSON *root, Diag *diag) MUST_USE;
Status parse_tables(Parser *parser, const cJSON *root, Diag *diag) MUST_USE;
Status parse_charts(Parser *parser, const cJSON *root, Diag *diag) MUST_USE;
Status parse_bounds(Parser *parser, const cJSON *root, Diag *diag) MUST_USE;

/*
 * A whole document, in which no list stands for a scalar any more. Caller frees with scenario_free.
 *
 * sweep   whose axes these lists were; NULL: nothing is swept
 * point   the value of each axis that stands in their place
 */
Status scenario_parse_json(const JsonDoc *doc, const Sweep *sweep, const NamedValue *point,
                           Scenario **scenario, Diag *diag) MUST_USE;

/* Keep what a result must say of the file: its JSON and its hash. */
void scenario_keep_text(Scenario *scenario, const cJSON *root, const char *bytes, size_t length);

/* Find the file of a scenario and read it; caller releases both texts. */
Status scenario_read_file(const char *name, Text *path, Text *content, Diag *diag) MUST_USE;

/* "at": {"writers": 8}: whether a reference or bound is about this point; without "at" it is about
 * all. */
Status parse_at(const Parser *parser, const cJSON *json, bool *here, Diag *diag) MUST_USE;

/* Once all points are read: whether each chart of a sweep can be drawn. */
Status check_charts(const JsonDoc *doc, const Sweep *sweep, Diag *diag) MUST_USE;

/* For key "design", "phase", "metric" and their kin. */
Choices parse_design_choices(const Parser *parser);
Choices parse_phase_choices(const Parser *parser);
Choices parse_metric_choices(void);

#endif
