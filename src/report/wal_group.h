/*
 * The WAL of a phase in few groups that a reader knows: what the heap, the leaves and the page
 * splits cost, and how much of it was full-page images.
 */
#ifndef KB_REPORT_WAL_GROUP_H
#define KB_REPORT_WAL_GROUP_H

#include "results/result.h"

typedef enum WalGroup {
    WAL_GROUP_HEAP,  /* rows that were inserted */
    WAL_GROUP_LEAF,  /* index entries that were inserted */
    WAL_GROUP_SPLIT, /* page splits and what they write above the leaves */
    WAL_GROUP_IMAGE, /* records that hold nothing but an image */
    WAL_GROUP_OTHER,
    WAL_GROUP_COUNT,
} WalGroup;

extern const char *const WAL_GROUP_TITLES[WAL_GROUP_COUNT];

typedef struct WalGroupBytes {
    double record_bytes[WAL_GROUP_COUNT]; /* without the images */
    double fpi_bytes[WAL_GROUP_COUNT];    /* of the images in such records */
    double record_total_bytes, fpi_total_bytes;
} WalGroupBytes;

WalGroup wal_group_of(const WalKind *kind);
WalGroupBytes wal_groups_sum(const PhaseResult *phase);

/* The phase of the first repeat that knows its kinds of WAL; borrowed, NULL when none does. */
const PhaseResult *wal_find_phase(const Result *result, const char *design, const char *phase);

#endif
