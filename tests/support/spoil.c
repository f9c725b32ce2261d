#include "support/spoil.h"

#include "base/diag.h"
#include "base/text.h"
#include "support/sample_result.h"

#include <math.h>
#include <string.h>

static double *
second(Result *result, const char *design, MetricId metric)
{
    return &sample_phase(result, design, "second", 1)->figures.value[metric];
}

void
spoil_interrupt(Result *result)
{
    result->status = RESULT_INTERRUPTED;
}

void
spoil_fail(Result *result)
{
    result->status = RESULT_FAILED;
}

void
spoil_design(Result *result)
{
    result->designs[2].name = "another";
}

void
spoil_phase(Result *result)
{
    sample_phase(result, "bigint", "second", 1)->name = "another";
}

void
spoil_cut(Result *result)
{
    sample_phase(result, "uuidv4", "second", 1)->complete = false;
}

void
spoil_figure(Result *result)
{
    *second(result, "uuidv4", METRIC_WAL_BYTES) = NAN;
}

void
spoil_taint(Result *result)
{
    const Finding finding = {
        .kind = "checkpoint", .design = "uuidv4", .phase = "second", .batch = 3, .detail = "one"};

    result_add_finding(result, &finding);
}

void
spoil_remark(Result *result)
{
    const Finding finding = {.kind = "session", .design = "uuidv4", .detail = "others"};

    result_add_finding(result, &finding);
}

void
spoil_byte(Result *result)
{
    PhaseResult *phase = sample_phase(result, "bigint", "second", 1);

    phase->figures.value[METRIC_WAL_BYTES] += 1;
    phase->batches[3].figures.value[METRIC_WAL_BYTES] += 1;
}

void
spoil_little(Result *result)
{
    *second(result, "uuidv4", METRIC_WAL_BYTES) *= 1.009;
}

void
spoil_more(Result *result)
{
    *second(result, "uuidv4", METRIC_WAL_BYTES) *= 1.011;
}

void
spoil_fuller(Result *result)
{
    sample_phase(result, "uuidv4", "second", 1)
        ->indexes[0]
        .figures.value[METRIC_LEAF_DENSITY_PCT] += 3;
}

void
spoil_hints(Result *result)
{
    sample_phase(result, "bigint", "first", 1)->figures.value[METRIC_FPI_COUNT] += 3;
}

void
spoil_many_hints(Result *result)
{
    sample_phase(result, "bigint", "first", 1)->figures.value[METRIC_FPI_COUNT] += 9;
}

/* Put `new` where `old` is in the scenario's text, which must have it. */
static void
replace(Result *result, const char *old, const char *new)
{
    const char *at = strstr(result->scenario_text, old);
    Text text = {0};

    if (at == NULL)
        BUG("\"%s\" is not in the sample's scenario", old);
    text_add_bytes(&text, result->scenario_text, (size_t)(at - result->scenario_text));
    text_printf(&text, "%s%s", new, at + strlen(old));
    result->scenario_text = arena_text(result->arena, text.data);
    text_release(&text);
}

void
spoil_keys(Result *result)
{
    replace(result, "gen_random_uuid", "uuidv4");
}

void
spoil_title(Result *result)
{
    replace(result, "\"title\":\"UUIDv4\"", "\"title\":\"random\"");
}

void
spoil_scale(Result *result)
{
    replace(result, "\"rows\":1000000", "\"rows\":500000");
}

void
spoil_cadence(Result *result)
{
    replace(result, "\"checkpoint\":\"phase\"", "\"checkpoint\":\"none\"");
}

void
spoil_batches(Result *result)
{
    replace(result, "\"batches\":10", "\"batches\":20");
}

void
spoil_writers(Result *result)
{
    replace(result, "\"batches\":10", "\"batches\":10,\"writers\":4");
}

void
spoil_more_allowed(Result *result)
{
    spoil_more(result);
    replace(result, "\"title\":\"UUIDv4\"", "\"title\":\"UUIDv4\",\"tolerance_pct\":2");
}

void
spoil_wal_allowed(Result *result)
{
    spoil_more(result);
    replace(result, "\"title\":\"UUIDv4\"",
            "\"title\":\"UUIDv4\",\"tolerance_pct\":{\"wal_bytes\":2,\"fpi_count\":0}");
}

void
spoil_mint(Result *result)
{
    replace(result, "\"source\":\"server\",\"type\":\"uuid\",\"generator\":\"gen_random_uuid\"",
            "\"source\":\"keybench\",\"format\":\"uuidv4\"");
    for (size_t i = 0; i < result->design_count; i++)
        if (strcmp(result->designs[i].name, "uuidv4") == 0)
            result->designs[i].minted_by = "keybench";
}

/* The sample's values are shared by all samples, so they are copied first. */
static void
set_server(Result *result, const char *name, const char *value)
{
    NamedValue *values = arena_alloc(result->arena, result->server_count, sizeof(*values));

    memcpy(values, result->server, result->server_count * sizeof(*values));
    for (size_t i = 0; i < result->server_count; i++)
        if (strcmp(values[i].name, name) == 0)
            values[i].value = value;
    result->server = values;
}

void
spoil_full_page_writes(Result *result)
{
    set_server(result, "full_page_writes", "off");
}

void
spoil_compression(Result *result)
{
    set_server(result, "wal_compression", "on");
}

void
spoil_cache(Result *result)
{
    set_server(result, "shared_buffers", "1GB");
}

void
spoil_major(Result *result)
{
    set_server(result, "version_number", "170010");
}
