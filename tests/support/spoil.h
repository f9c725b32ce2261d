/*
 * Ways to change the sample result, for tests of what two results say together. Each does what its
 * name says to design UUIDv4 unless it names another.
 */
#ifndef KB_TESTS_SPOIL_H
#define KB_TESTS_SPOIL_H

#include "results/result.h"

/* What was measured. */
void spoil_interrupt(Result *result);
void spoil_fail(Result *result);
void spoil_design(Result *result); /* UUIDv7 is gone */
void spoil_phase(Result *result);  /* the second phase of bigint is gone */
void spoil_cut(Result *result);
void spoil_figure(Result *result);     /* no wal_bytes in the second phase */
void spoil_taint(Result *result);      /* a checkpoint in its second phase, batch 3 */
void spoil_remark(Result *result);     /* a finding that taints nothing */
void spoil_byte(Result *result);       /* bigint has one byte of WAL more, in batch 4 */
void spoil_little(Result *result);     /* 0.9% more WAL */
void spoil_more(Result *result);       /* 1.1% more WAL */
void spoil_fuller(Result *result);     /* leaves are 3 points fuller */
void spoil_hints(Result *result);      /* three images more of bigint's first phase */
void spoil_many_hints(Result *result); /* nine */

/* The scenario inside. */
void spoil_keys(Result *result);
void spoil_title(Result *result);
void spoil_scale(Result *result);
void spoil_cadence(Result *result);
void spoil_batches(Result *result); /* of the second phase */
void spoil_writers(Result *result);
void spoil_more_allowed(Result *result); /* 1.1% more WAL, and 2% are allowed */
void spoil_wal_allowed(Result *result);  /* the same, of WAL alone */
void spoil_mint(Result *result);         /* UUIDv4 keys are minted by keybench */

/* The server. */
void spoil_full_page_writes(Result *result);
void spoil_compression(Result *result);
void spoil_cache(Result *result);
void spoil_major(Result *result);

#endif
