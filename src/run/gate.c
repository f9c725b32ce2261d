#include "run/gate.h"

void
gate_init(Gate *gate)
{
    *gate = (Gate){.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
}

void
gate_release(Gate *gate)
{
    pthread_cond_destroy(&gate->changed);
    pthread_mutex_destroy(&gate->lock);
}

bool
gate_wait(Gate *gate)
{
    bool cancelled;

    pthread_mutex_lock(&gate->lock);
    gate->waiting_count++;
    pthread_cond_broadcast(&gate->changed);
    while (!gate->open)
        pthread_cond_wait(&gate->changed, &gate->lock);
    cancelled = gate->cancelled;
    pthread_mutex_unlock(&gate->lock);
    return !cancelled;
}

void
gate_await(Gate *gate, size_t count)
{
    pthread_mutex_lock(&gate->lock);
    while (gate->waiting_count < count)
        pthread_cond_wait(&gate->changed, &gate->lock);
    pthread_mutex_unlock(&gate->lock);
}

void
gate_open(Gate *gate, bool cancelled)
{
    pthread_mutex_lock(&gate->lock);
    gate->cancelled = cancelled;
    gate->open = true;
    pthread_cond_broadcast(&gate->changed);
    pthread_mutex_unlock(&gate->lock);
}
