/*
 * The clock of UUIDv1 and v6: 60 bits of 100-nanosecond ticks since 15 October 1582, a clock
 * sequence of 14 bits and a node of 48, shared by the three formats that order them differently.
 * Source: RFC 9562, sections 5.1 and 6.1.
 */
#ifndef KB_KEYS_GREGORIAN_H
#define KB_KEYS_GREGORIAN_H

#include "keys/format_impl.h"

/* One id's fields. */
typedef struct GregorianStamp {
    uint64_t ticks; /* 60 bits */
    uint64_t tail;  /* clock sequence and node, 62 bits: the low half of the uuid */
} GregorianStamp;

/* A KeyMaker's `check` and `start`: a MAC of at most 48 bits; a node of its own for each generator,
 * random with the multicast bit set when no MAC is given. */
Status gregorian_check(const KeyParams *params, Diag *diag) MUST_USE;
void gregorian_start(KeyMinter *minter, KeyNode *node);

/* The next stamp of a node, for id `i` of the batch. When the clock stands still or steps back, the
 * last tick + 1. */
GregorianStamp gregorian_next(KeyNode *node, const KeyBatch *batch, size_t i);

/* Read ticks, clock sequence and node into the facts, with their part of the sentence. */
void gregorian_facts(uint64_t ticks, uint64_t tail, KeyFacts *facts);

#endif
