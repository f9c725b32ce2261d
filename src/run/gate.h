/*
 * A start line: threads wait at it until all are there and it is opened, so that none of them has a
 * head start.
 */
#ifndef KB_RUN_GATE_H
#define KB_RUN_GATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct Gate {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t waiting_count;
    bool open, cancelled;
} Gate;

void gate_init(Gate *gate);
void gate_release(Gate *gate);

/* Wait until it opens; false when it never will. */
bool gate_wait(Gate *gate);

/* Wait until `count` threads wait at it. */
void gate_await(Gate *gate, size_t count);

/* Let all go; `cancelled` tells them to go home. */
void gate_open(Gate *gate, bool cancelled);

#endif
