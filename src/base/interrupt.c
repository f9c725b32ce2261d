#include "base/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t requested;
static int pipe_ends[2] = {-1, -1};

void
interrupt_request(void)
{
    int saved = errno;

    requested = 1;
    if (pipe_ends[1] >= 0 && write(pipe_ends[1], "!", 1) < 0) {
        /* A full pipe is as readable as it needs to be. */
    }
    errno = saved;
}

static void
on_signal(int number)
{
    (void)number;
    interrupt_request();
}

void
interrupt_install(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    struct sigaction ignore = {.sa_handler = SIG_IGN}, inherited;

    if (pipe2(pipe_ends, O_CLOEXEC | O_NONBLOCK) != 0)
        BUG("no pipe for signals: errno %d", errno);
    sigemptyset(&action.sa_mask);
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (sigaction(SIGHUP, NULL, &inherited) == 0 && inherited.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL); /* under nohup it stays ignored */
    sigaction(SIGPIPE, &ignore, NULL);
}

bool
interrupt_requested(void)
{
    return requested != 0;
}

int
interrupt_fd(void)
{
    return pipe_ends[0];
}

Status
interrupt_status(Diag *diag)
{
    return diag_set(diag, STATUS_INTERRUPTED, "interrupted");
}
