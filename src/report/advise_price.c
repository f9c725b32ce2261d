#include "report/advise_price.h"

#include <math.h>
#include <string.h>

#define MILLION_ROWS 1e6

const Priced PRICED[] = {
    {PART_KEY_BIGINT, "id", "bigint", "bigint", true},
    {PART_KEY_UUIDV7, "id", "uuid, version 7", "uuidv7", true},
    {PART_PUBLIC_UUIDV7, "public_id", "uuid, version 7", "uuidv7", false},
    {PART_PUBLIC_UUIDV4, "public_id", "uuid, version 4", "uuidv4", false},
    {PART_NONE, "id", "uuid, version 4", "uuidv4", true}, /* never chosen: to compare with */
};
const size_t PRICED_COUNT = ARRAY_LEN(PRICED);

static const char *const PHASES[PRICE_PHASE_COUNT] = {"first", "second"};

static double
index_wal_bytes(const PhaseResult *phase)
{
    double bytes = 0;

    for (size_t i = 0; i < phase->wal_kind_count; i++)
        if (strcmp(phase->wal_kinds[i].resource_manager, "Btree") == 0)
            bytes += phase->wal_kinds[i].record_bytes + phase->wal_kinds[i].fpi_bytes;
    return phase->wal_kind_count > 0 ? bytes : NAN;
}

/* A key's WAL is that of its whole table (key, integer). A further column adds that of an index
 * like the key's, and its own bytes in each row. */
static double
wal_bytes_per_row(const Priced *priced, const PhaseResult *phase, double column_bytes)
{
    double rows = phase_figure(phase, METRIC_ROWS);

    if (priced->is_key)
        return phase_figure(phase, METRIC_WAL_BYTES) / rows;
    return index_wal_bytes(phase) / rows + column_bytes;
}

Price
price_of(const Priced *priced, const Result *reference)
{
    const DesignResult *design = result_find_design(reference, priced->design, 1);
    Price price = {.column_bytes = NAN, .index_bytes = NAN, .wal_bytes = {NAN, NAN}};
    const PhaseResult *phases[PRICE_PHASE_COUNT];
    double rows = 0;

    for (size_t i = 0; i < PRICE_PHASE_COUNT; i++) {
        phases[i] = design != NULL ? design_find_phase(design, PHASES[i]) : NULL;
        if (phases[i] == NULL)
            return price;
        rows += phase_figure(phases[i], METRIC_ROWS);
    }
    price.column_bytes = phase_figure(phases[PRICE_PHASE_COUNT - 1], METRIC_KEY_BYTES);
    price.index_bytes = phase_figure(phases[PRICE_PHASE_COUNT - 1], METRIC_INDEX_BYTES) / rows;
    for (size_t i = 0; i < PRICE_PHASE_COUNT; i++) {
        price.wal_bytes[i] =
            wal_bytes_per_row(priced, phases[i], price.column_bytes) * MILLION_ROWS;
        price.checkpoint_rows[i] = phases[i]->rows_per_checkpoint;
    }
    return price;
}

Status
price_require(const Result *reference, Diag *diag)
{
    for (size_t i = 0; i < PRICED_COUNT; i++) {
        Price price = price_of(&PRICED[i], reference);

        if (isnan(price.column_bytes) || isnan(price.index_bytes) || isnan(price.wal_bytes[0]) ||
            isnan(price.wal_bytes[1]))
            return diag_set(diag, STATUS_SCENARIO,
                            "the reference result has no complete figures of design \"%s\"",
                            PRICED[i].design);
    }
    return STATUS_OK;
}

bool
price_is_shown(const Priced *priced, const Advice *advice, bool chosen)
{
    bool has = priced->part != PART_NONE && advice_has(advice, priced->part);

    return chosen ? has : !has && priced->is_key;
}
