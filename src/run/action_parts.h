/*
 * What the files of actions share: action.c decides and measures, action_rows.c knows the rows.
 * Private to these two.
 */
#ifndef KB_RUN_ACTION_PARTS_H
#define KB_RUN_ACTION_PARTS_H

#include "run/action.h"

struct Actor {
    const TrialTable *table;
    DbConn *conn;
    const ServerFacts *facts;
    ActorPlan plan;
    const Phase *phase; /* the current one */
    WalSource wal_source;
    bool has_chosen;          /* the chosen rows' keys are in their temporary table */
    bool sees_cache;          /* the extensions that look into it are there */
    char *sql;                /* the measured statement, and its parameters; NULL: none */
    char *first, *last;       /* texts; NULL: it has none */
    double leaf_pages;        /* of the phase's cold reads */
    char *key, *number, *set; /* quoted: the primary key, the row number, what updates change */
};

/* Choose the rows of a phase, or of one batch of reads, and write the statement that finds them by
 * their keys. */
Status chosen_rows_make(Actor *actor, uint64_t batch, Diag *diag) MUST_USE;
Status chosen_rows_drop(Actor *actor, Diag *diag) MUST_USE;

/* The keys of the chosen rows on their way past a restart: as the text of an array; caller frees.
 * The table is there no more, and is made again from it. */
Status chosen_rows_take(Actor *actor, char **keys, Diag *diag) MUST_USE;
Status chosen_rows_put(Actor *actor, const char *keys, Diag *diag) MUST_USE;

/* Run or measure the statement for one batch. */
Status chosen_rows_run(Actor *actor, Diag *diag) MUST_USE;
Status chosen_rows_measure(Actor *actor, uint64_t batch, Measurement *measurement,
                           Diag *diag) MUST_USE;

#endif
