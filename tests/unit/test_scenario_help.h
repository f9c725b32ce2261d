/*
 * Tables of scenarios that differ from a good one in one place. Texts are written with ` for ", so
 * that they can be read.
 */
#ifndef KB_TESTS_TEST_SCENARIO_HELP_H
#define KB_TESTS_TEST_SCENARIO_HELP_H

#include "base/text.h"
#include "scenario/load.h"
#include "support/tap.h"

/* A good scenario; lines and columns in messages are its own. */
static const char BASE[] =
    "{\n"
    " `format`: `keybench-scenario/1`,\n"
    " `name`: `base`,\n"
    " `seed`: 13,\n"
    " `settings`: {`shared_buffers`: `128MB`},\n"
    " `designs`: [\n"
    "  {`name`: `a`, `primary_key`: `id`, `columns`: [\n"
    "    {`name`: `id`, `source`: `identity`, `type`: `bigint`},\n"
    "    {`name`: `n`, `source`: `row_number`, `type`: `integer`},\n"
    "    {`name`: `fill`, `source`: `filler`, `type`: `text`, `bytes`: 400}],\n"
    "   `indexes`: [{`name`: `by_n`, `columns`: [`n`], `unique`: true}]},\n"
    "  {`name`: `b`, `primary_key`: `id`, `columns`: [\n"
    "    {`name`: `id`, `source`: `server`, `type`: `uuid`, `generator`: `uuidv7`}]},\n"
    "  {`name`: `c`, `primary_key`: `id`, `columns`: [\n"
    "    {`name`: `id`, `source`: `keybench`, `format`: `uuidv4`}]}],\n"
    " `phases`: [\n"
    "  {`name`: `p`, `rows`: 100},\n"
    "  {`name`: `q`, `rows`: 100, `batches`: 10, `checkpoint`: `phase`}],\n"
    " `references`: [\n"
    "  {`design`: `a`, `phase`: `p`, `metric`: `wal_bytes`, `value`: 2, `unit`: `MB`, `source`: "
    "`s`}],\n"
    " `tables`: [{`phase`: `q`, `metrics`: [`wal_bytes`, `leaf_pages`]}],\n"
    " `charts`: [{`name`: `w`, `kind`: `bars`, `phase`: `p`, `metrics`: [`wal_bytes`]}],\n"
    " `bounds`: [\n"
    "  {`name`: `r`, `design`: `b`, `phase`: `p`, `metric`: `wal_bytes`, `over_design`: `a`, "
    "`min`: 1}]\n"
    "}\n";

/* Put `to` in place of `from` in the good scenario. */
typedef struct RefusedCase {
    const char *from, *to;
    const char *message; /* without the file's name */
    const char *hint;    /* NULL: none */
    const char *label;
} RefusedCase;

static inline void
set_quotes(char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '`')
            *text = '"';
}

static inline void
change_text(const char *base, const char *from, const char *to, Text *text)
{
    const char *place = strstr(base, from);

    if (place == NULL)
        BUG("the base scenario holds no %s", from);
    text_add_bytes(text, base, (size_t)(place - base));
    text_add(text, to);
    text_add(text, place + strlen(from));
}

/* The good scenario with one change; caller releases. */
static inline void
change_base(const char *from, const char *to, Text *text)
{
    change_text(BASE, from, to, text);
    set_quotes(text->data);
}

static inline Status
parse_text(const Text *text, Scenario **scenario, Diag *diag)
{
    return scenario_parse("f.json", text->data, text->length, scenario, diag);
}

static inline void
check_refused(const RefusedCase *wrong)
{
    Text text = {0}, message = {0}, hint = {0};
    Scenario *scenario = NULL;
    Diag diag = {0};

    change_base(wrong->from, wrong->to, &text);
    text_printf(&message, "f.json:%s", wrong->message);
    text_add(&hint, wrong->hint != NULL ? wrong->hint : "");
    set_quotes(message.data);
    set_quotes(hint.data);
    tap_u64(parse_text(&text, &scenario, &diag), STATUS_SCENARIO, wrong->label);
    tap_text(diag.message, message.data, "  its message");
    tap_text(diag.hint, hint.data, "  its hint");
    tap_ok(scenario == NULL, "  nothing is given back");
    scenario_free(scenario);
    text_release(&hint);
    text_release(&message);
    text_release(&text);
}

#endif
