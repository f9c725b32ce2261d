/*
 * What the columns of an advised design cost, from the figures of a reference result.
 */
#ifndef KB_REPORT_ADVISE_PRICE_H
#define KB_REPORT_ADVISE_PRICE_H

#include "report/advise.h"

/* A column with an index, and the design of the reference result that has one like it. */
typedef struct Priced {
    AdvisePart part; /* PART_NONE: never chosen */
    const char *column, *type, *design;
    bool is_key;
} Priced;

extern const Priced PRICED[];
extern const size_t PRICED_COUNT;

/* The phases of the reference result: one checkpoint before all rows, then one before each batch.
 */
enum { PRICE_PHASE_COUNT = 2 };

typedef struct Price {
    double column_bytes, index_bytes;            /* a row */
    double wal_bytes[PRICE_PHASE_COUNT];         /* a million rows */
    uint64_t checkpoint_rows[PRICE_PHASE_COUNT]; /* rows between two checkpoints */
} Price;

/* Figures that the result lacks are NAN. */
Price price_of(const Priced *priced, const Result *reference);

/* STATUS_SCENARIO when the result lacks one. */
Status price_require(const Result *reference, Diag *diag) MUST_USE;

/* Whether a row belongs to the design (`chosen`), or is a key to compare it with. */
bool price_is_shown(const Priced *priced, const Advice *advice, bool chosen);

#endif
