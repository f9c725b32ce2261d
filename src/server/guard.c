#include "server/guard.h"

#include "base/interrupt.h"
#include "server/postmaster.h"
#include "server/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    POLL_MS = 2,
    QUIT_MS = 5000,    /* for the server to end by itself */
    KILL_MS = 15000,   /* for killed processes to be gone */
    REMOVE_MS = 10000, /* for processes that still write into the folder */
    ANSWER_MS = 30000, /* for the guard to answer keybench */
    FIRST_FREE_FD = 3, /* above the standard descriptors */
};

typedef enum GuardCommand {
    COMMAND_START,
    COMMAND_CRASH,
    COMMAND_KEEP,
    COMMAND_DISCARD,
} GuardCommand;

typedef enum GuardEvent {
    EVENT_STARTED, /* value: pid, or a negative errno */
    EVENT_CRASHED, /* value: 0 */
    EVENT_ENDED,   /* by itself; value: its wait status */
} GuardEvent;

/* Both ways, one packet each. */
typedef struct GuardMessage {
    int32_t kind, value;
} GuardMessage;

/* The guard's own side. */
typedef struct Watch {
    const GuardPlan *plan;
    int control_fd, child_fd;
    int owner_fd; /* readable once keybench has ended; -1 where the kernel has none */
    pid_t owner, server;
    bool keep;
} Watch;

static void
pause_ms(int ms)
{
    struct timespec step = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};

    nanosleep(&step, NULL);
}

static void
send_message(int fd, int kind, int value)
{
    GuardMessage message = {.kind = kind, .value = value};

    /* Nobody there to read it: the socket's end is seen where it is waited for. */
    if (send(fd, &message, sizeof(message), MSG_NOSIGNAL) < 0)
        return;
}

/* -1: the other side is gone. */
static int
receive_message(int fd, GuardMessage *message)
{
    ssize_t got;

    do
        got = recv(fd, message, sizeof(*message), 0);
    while (got < 0 && errno == EINTR);
    return got == (ssize_t)sizeof(*message) ? 0 : -1;
}

/* Whatever keybench has open, above all its own ends of other guards' sockets, must not live on
 * here. */
static void
isolate_descriptors(Watch *watch)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    watch->control_fd = fcntl(watch->control_fd, F_DUPFD_CLOEXEC, FIRST_FREE_FD);
    for (int fd = 0; null >= 0 && fd < FIRST_FREE_FD; fd++)
        dup2(null, fd);
    proc_close_between(FIRST_FREE_FD, watch->control_fd - 1);
    proc_close_between(watch->control_fd + 1, INT32_MAX);
}

/* Ctrl-C and a closed terminal are keybench's business: it will tell, or end. */
static void
isolate_signals(void)
{
    static const int SPARED[] = {SIGCHLD, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigset_t blocked;

    sigemptyset(&ignore.sa_mask);
    sigemptyset(&standard.sa_mask);
    for (int number = 1; number < NSIG; number++)
        sigaction(number, &ignore, NULL); /* fails for SIGKILL and SIGSTOP, which is fine */
    for (size_t i = 0; i < ARRAY_LEN(SPARED); i++)
        sigaction(SPARED[i], &standard, NULL);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGCHLD);
    sigprocmask(SIG_SETMASK, &blocked, NULL);
}

/* -1 where the kernel has no such descriptors. */
static int
open_process(pid_t pid)
{
#ifdef SYS_pidfd_open
    return (int)syscall(SYS_pidfd_open, pid, 0U);
#else
    (void)pid;
    return -1;
#endif
}

/* A server's processes become the guard's children when their postmaster is killed, so their end
 * can be waited for. Somebody may have forked keybench and hold a copy of its end of the socket, so
 * its death is also watched directly. */
static bool
isolate(Watch *watch)
{
    sigset_t child;

    setsid();
    isolate_signals();
    isolate_descriptors(watch);
    prctl(PR_SET_NAME, "kb-guard"); /* not hit by "pkill -9 keybench" */
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    watch->owner_fd = open_process(watch->owner);
    watch->child_fd = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    return watch->child_fd >= 0 && prctl(PR_SET_CHILD_SUBREAPER, 1) == 0 && chdir("/") == 0 &&
           getppid() == watch->owner;
}

/* Take the status of all children that have ended; false when none is left. */
static bool
reap(Watch *watch, bool announce)
{
    int wait_status;
    pid_t child;

    while ((child = waitpid(-1, &wait_status, WNOHANG)) > 0) {
        if (child != watch->server)
            continue;
        watch->server = 0;
        /* Without a postmaster its backends go on with long statements, and their clients wait. */
        postmaster_signal_all(watch->plan->data, SIGKILL);
        if (announce)
            send_message(watch->control_fd, EVENT_ENDED, wait_status);
    }
    return child == 0;
}

/* Send the server `number`; all its processes are killed when they are still there after
 * `grace_ms`. */
static void
end_server(Watch *watch, int number, int grace_ms)
{
    if (watch->server > 0)
        kill(watch->server, number);
    for (int waited_ms = 0; reap(watch, false) && waited_ms < grace_ms + KILL_MS;
         waited_ms += POLL_MS) {
        if (waited_ms >= grace_ms) {
            postmaster_signal_all(watch->plan->data, SIGKILL);
            if (watch->server > 0)
                kill(watch->server, SIGKILL);
        }
        pause_ms(POLL_MS);
    }
}

/* initdb may have been at work when keybench was killed; its children end a little later. */
static void
remove_folder(const GuardPlan *plan)
{
    postmaster_end(plan->data);
    postmaster_remove_memory(plan->data);
    for (int waited_ms = 0; !tree_remove(plan->folder) && waited_ms < REMOVE_MS;
         waited_ms += POLL_MS)
        pause_ms(POLL_MS);
}

static int
start_server(Watch *watch)
{
    ProcSpec spec = *watch->plan->server;
    int log_fd;

    if (watch->server > 0)
        return -EBUSY;
    log_fd = open(watch->plan->log, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (log_fd < 0)
        return -errno;
    spec.output_fd = log_fd;
    spec.error_fd = log_fd;
    watch->server = proc_spawn(&spec);
    if (watch->server < 0) {
        int error = errno;

        watch->server = 0;
        close(log_fd);
        return -error;
    }
    close(log_fd);
    return watch->server;
}

static void
obey(Watch *watch, GuardCommand command)
{
    switch (command) {
    case COMMAND_START:
        send_message(watch->control_fd, EVENT_STARTED, start_server(watch));
        break;
    case COMMAND_CRASH:
        end_server(watch, SIGKILL, 0);
        send_message(watch->control_fd, EVENT_CRASHED, 0);
        break;
    case COMMAND_KEEP:
        watch->keep = true;
        break;
    case COMMAND_DISCARD:
        watch->keep = false;
        break;
    }
}

static void
discard_child_signals(int fd)
{
    struct signalfd_siginfo block;

    while (read(fd, &block, sizeof(block)) > 0)
        continue;
}

/* Until keybench is gone. */
static void
serve(Watch *watch)
{
    struct pollfd polled[] = {
        {.fd = watch->control_fd, .events = POLLIN},
        {.fd = watch->child_fd, .events = POLLIN},
        {.fd = watch->owner_fd, .events = POLLIN},
    };
    GuardMessage message;

    for (;;) {
        if (poll(polled, ARRAY_LEN(polled), -1) < 0)
            continue;
        discard_child_signals(watch->child_fd);
        reap(watch, true);
        if (polled[0].revents == 0 && polled[2].revents != 0)
            return;
        if (polled[0].revents == 0)
            continue;
        if (receive_message(watch->control_fd, &message) != 0)
            return;
        obey(watch, (GuardCommand)message.kind);
    }
}

static _Noreturn void
run_guard(const GuardPlan *plan, int control_fd, pid_t owner)
{
    Watch watch = {.plan = plan, .control_fd = control_fd, .owner = owner};

    if (isolate(&watch))
        serve(&watch);
    if (!watch.keep) {
        end_server(&watch, SIGQUIT, QUIT_MS);
        remove_folder(plan);
    }
    _exit(0);
}

Status
guard_open(const GuardPlan *plan, Guard *guard, Diag *diag)
{
    pid_t owner = getpid();
    int ends[2];
    pid_t pid;

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return diag_set(diag, STATUS_IO, "cannot make a socket pair: %s", strerror(errno));
    pid = proc_fork();
    if (pid == 0)
        run_guard(plan, ends[1], owner);
    close(ends[1]);
    if (pid < 0) {
        diag_set(diag, STATUS_IO, "cannot start the guard of a server: %s", strerror(errno));
        close(ends[0]);
        return diag->status;
    }
    *guard = (Guard){.pid = pid, .fd = ends[0]};
    return STATUS_OK;
}

void
guard_close(Guard *guard)
{
    if (guard->pid > 0) {
        shutdown(guard->fd, SHUT_RDWR); /* in every process that has a copy */
        close(guard->fd);
        while (waitpid(guard->pid, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    *guard = (Guard){0};
}

static Status
guard_ended(Diag *diag)
{
    return diag_set(diag, STATUS_SERVER, "the process that guards the server was killed");
}

/* Wait for one kind of answer; what else was said in between is old. */
static Status
await_event(const Guard *guard, GuardEvent kind, int32_t *value, Diag *diag)
{
    struct pollfd polled[] = {
        {.fd = guard->fd, .events = POLLIN},
        {.fd = interrupt_fd(), .events = POLLIN},
    };
    GuardMessage message;

    for (;;) {
        int ready = poll(polled, ARRAY_LEN(polled), ANSWER_MS);

        if (interrupt_requested())
            return interrupt_status(diag);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return diag_set(diag, STATUS_SERVER, "no answer from the guard of the server");
        if (receive_message(guard->fd, &message) != 0)
            return guard_ended(diag);
        if (message.kind == (int32_t)kind) {
            *value = message.value;
            return STATUS_OK;
        }
    }
}

Status
guard_start_server(const Guard *guard, pid_t *server_pid, Diag *diag)
{
    int32_t value = 0;
    Status status;

    send_message(guard->fd, COMMAND_START, 0);
    status = await_event(guard, EVENT_STARTED, &value, diag);
    if (status == STATUS_OK && value < 0)
        status = diag_set(diag, STATUS_SERVER, "cannot start the server: %s", strerror(-value));
    if (status == STATUS_OK)
        *server_pid = value;
    return status;
}

Status
guard_crash_server(const Guard *guard, Diag *diag)
{
    int32_t ignored;

    send_message(guard->fd, COMMAND_CRASH, 0);
    return await_event(guard, EVENT_CRASHED, &ignored, diag);
}

void
guard_keep(const Guard *guard, bool keep)
{
    send_message(guard->fd, keep ? COMMAND_KEEP : COMMAND_DISCARD, 0);
}

bool
guard_wait_end(const Guard *guard, int timeout_ms)
{
    struct pollfd polled[] = {
        {.fd = guard->fd, .events = POLLIN},
        {.fd = interrupt_fd(), .events = POLLIN},
    };
    GuardMessage message;

    if (poll(polled, ARRAY_LEN(polled), timeout_ms) <= 0 || polled[0].revents == 0)
        return false;
    return receive_message(guard->fd, &message) != 0 || message.kind == EVENT_ENDED;
}
