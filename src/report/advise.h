/*
 * Which key a new table should have: rules from what is known about its ids to a design as DDL, the
 * reasons with the claims of the lab that prove them, what it costs in a reference result, and what
 * not to do. Where the facts come from, options or an interview, is the caller's affair.
 */
#ifndef KB_REPORT_ADVISE_H
#define KB_REPORT_ADVISE_H

#include "base/diag.h"
#include "base/text.h"
#include "results/result.h"

#include <stddef.h>

/* Below the data folder: the result that prices come from. */
#define ADVISE_REFERENCE "results/reference/table-13-1-pg18.json"

/* What is known about a table's ids, as a set of bits. */
typedef enum AdviseFact {
    FACT_OFFLINE_CLIENTS = 1 << 0,  /* clients make ids before the server sees the row */
    FACT_MANY_WRITERS = 1 << 1,     /* several services make ids themselves */
    FACT_MERGE_DATABASES = 1 << 2,  /* rows of several databases will meet in one */
    FACT_CLIENT_RETRIES = 1 << 3,   /* an id of the client's only marks a request sent again */
    FACT_PUBLIC_URLS = 1 << 4,      /* ids are seen in URLs or an API */
    FACT_HIDE_TIME = 1 << 5,        /* creation time must not be seen; implies FACT_PUBLIC_URLS */
    FACT_CAPABILITY_LINKS = 1 << 6, /* whoever has a link gets in */
    /* Keys of the tables that are there; at most one of these. */
    FACT_EXISTING_BIGINT = 1 << 7,
    FACT_EXISTING_UUIDV4 = 1 << 8,
    FACT_EXISTING_UUIDV7 = 1 << 9,
    FACT_EXISTING_TEXT = 1 << 10, /* UUIDs stored as text */
} AdviseFact;

enum {
    ADVISE_FACT_COUNT = 11,
    ADVISE_EXISTING =
        FACT_EXISTING_BIGINT | FACT_EXISTING_UUIDV4 | FACT_EXISTING_UUIDV7 | FACT_EXISTING_TEXT,
    ADVISE_CLAIMS_MAX = 6, /* of one rule */
    ADVISE_RULES_MAX = 32,
};

/* What a rule puts into the design. */
typedef enum AdvisePart {
    PART_NONE, /* a reason only */
    PART_KEY_BIGINT,
    PART_KEY_UUIDV7,
    PART_PUBLIC_UUIDV7,
    PART_PUBLIC_UUIDV4,
    PART_CLIENT_ID,
    PART_HONEST_ID,  /* the check of a key that clients make */
    PART_CREATED_AT, /* to sort by, where the key's order is none */
    PART_ACCOUNT_ID,
    PART_LINKS,
    PART_NEVER, /* what not to do */
    PART_COUNT,
} AdvisePart;

/* One rule: it applies when every fact of `all`, some of `any` (0: no matter) and no fact of `none`
 * is known. */
typedef struct AdviseRule {
    const char *name;
    AdvisePart part;
    unsigned all, any, none;
    const char *sentence;
    const char *claims[ADVISE_CLAIMS_MAX]; /* of the lab, ended by NULL unless full */
} AdviseRule;

extern const AdviseRule ADVISE_RULES[];
extern const size_t ADVISE_RULE_COUNT;

/* The rules that apply, in the table's order. */
typedef struct Advice {
    unsigned facts;
    const AdviseRule *rules[ADVISE_RULES_MAX];
    size_t rule_count;
    const Result *reference; /* borrowed */
} Advice;

/*
 * Apply the rules.
 *
 * facts      bits of AdviseFact
 * reference  what ADVISE_REFERENCE holds; borrowed as long as the advice is used
 * Returns    STATUS_SCENARIO when the result lacks a figure that a price needs
 */
Status advise(unsigned facts, const Result *reference, Advice *advice, Diag *diag) MUST_USE;

/* Whether a rule with this part applies. */
bool advice_has(const Advice *advice, AdvisePart part);

/* Append the design as SQL for PostgreSQL 18. */
void advice_ddl(const Advice *advice, Text *sql);

/* Append all of it for people, or as one JSON object. */
void advice_print_text(const Advice *advice, Text *out);
void advice_print_json(const Advice *advice, Text *out);

#endif
