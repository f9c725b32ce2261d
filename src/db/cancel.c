#include "db/conn_private.h"

#include <pthread.h>
#include <time.h>

/* libpq waits for the server without a limit, so it does that in a thread of its own, which is left
 * to itself when it takes too long. */
static char was_sent; /* its address says so */

static void *
request(void *context)
{
    PGcancel *cancel = context;
    char reason[256];
    bool sent = PQcancel(cancel, reason, (int)sizeof(reason)) != 0;

    PQfreeCancel(cancel);
    return sent ? &was_sent : NULL;
}

bool
db_cancel(DbConn *conn)
{
    PGcancel *cancel = PQgetCancel(conn->pg);
    struct timespec until;
    pthread_t thread;
    void *sent = NULL;

    if (cancel == NULL)
        return false;
    if (pthread_create(&thread, NULL, request, cancel) != 0)
        return request(cancel) != NULL;
    clock_gettime(CLOCK_REALTIME, &until); /* ThreadSanitizer knows no join by the other clock */
    until.tv_sec += (time_t)(DB_CANCEL_REQUEST_DEADLINE_NS / NS_PER_S);
    if (pthread_timedjoin_np(thread, &sent, &until) != 0) {
        pthread_detach(thread);
        return false;
    }
    return sent != NULL;
}
