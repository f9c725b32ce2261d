#include "lab/shutdown.h"

#include "base/clock.h"
#include "server/postmaster.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

static const uint64_t SHUTDOWN_DEADLINE_NS = 20 * NS_PER_S;

/* Immediate shutdown is SIGQUIT to the postmaster. Source: manual, "Shutting Down the Server". */
Status
shutdown_immediate(const char *data_folder, Diag *diag)
{
    const struct timespec pause = {.tv_nsec = 2 * (long)NS_PER_MS};
    pid_t pid = postmaster_running(data_folder);
    Instant start = instant_now();

    if (pid <= 0 || kill(pid, SIGQUIT) != 0)
        return diag_set(diag, STATUS_SERVER, "cannot shut the server down: %s",
                        pid <= 0 ? "it does not run" : strerror(errno));
    while (postmaster_running(data_folder) == pid) {
        if (instant_elapsed_ns(start) > SHUTDOWN_DEADLINE_NS)
            return diag_set(diag, STATUS_SERVER, "the server did not shut down in time");
        nanosleep(&pause, NULL); /* it is no child of ours: there is nothing to wait on */
    }
    return STATUS_OK;
}
