#include "base/proc.h"

#include "base/clock.h"
#include "base/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    POLL_MS = 20,         /* how late an end without an end of output is noticed */
    END_POLL_MS = 1,      /* the same once the output has ended */
    REPORT_FD = 3,        /* the first above the standard descriptors */
    OLD_FD_MAX = 1 << 16, /* how far to close without close_range(2) */
};

void
proc_close_between(int first, int last)
{
    if (first > last)
        return;
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)first, (unsigned)last, 0U) == 0)
        return;
#endif
    for (int fd = first; fd <= last && fd < OLD_FD_MAX; fd++)
        close(fd);
}

static bool
become(const ProcUser *user)
{
    return user == NULL || !user->change ||
           (setgroups(1, &user->gid) == 0 && setgid(user->gid) == 0 && setuid(user->uid) == 0);
}

/* An ignored signal stays ignored through exec, and a blocked one blocked. */
static void
reset_signals(void)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigset_t none;

    sigemptyset(&action.sa_mask);
    for (int number = 1; number < NSIG; number++)
        sigaction(number, &action, NULL); /* fails for SIGKILL and SIGSTOP, which is fine */
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Both descriptors are first moved out of the way of the three numbers that they shall get. */
static bool
place_descriptors(const ProcSpec *spec)
{
    int output = fcntl(spec->output_fd, F_DUPFD_CLOEXEC, REPORT_FD);
    int error = fcntl(spec->error_fd, F_DUPFD_CLOEXEC, REPORT_FD);
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

    if (output < 0 || error < 0 || null < 0)
        return false;
    if (null == STDIN_FILENO)
        fcntl(null, F_SETFD, 0);
    else if (dup2(null, STDIN_FILENO) < 0)
        return false;
    return dup2(output, STDOUT_FILENO) >= 0 && dup2(error, STDERR_FILENO) >= 0;
}

static bool
prepare_child(const ProcSpec *spec, pid_t parent)
{
    if (!spec->same_session)
        setsid();
    if (!place_descriptors(spec) || !become(spec->user))
        return false;
    if (spec->folder != NULL && chdir(spec->folder) != 0)
        return false;
    /* A change of user clears it, so it comes after; the parent may have ended before. */
    if (spec->parent_death_signal != 0 &&
        (prctl(PR_SET_PDEATHSIG, spec->parent_death_signal) != 0 || getppid() != parent)) {
        errno = ECHILD;
        return false;
    }
    reset_signals();
    return true;
}

/* execve wants pointers to writable texts for history's sake and does not write. */
static void
execute(const ProcSpec *spec)
{
    union {
        const char *const *in;
        char *const *out;
    } argv = {spec->argv}, env = {spec->env};

    execve(spec->argv[0], argv.out, spec->env != NULL ? env.out : environ);
}

/* The report gets a known number, so that all above it can be closed. */
static _Noreturn void
run_child(const ProcSpec *spec, pid_t parent, int report_fd)
{
    int report = fcntl(report_fd, F_DUPFD_CLOEXEC, REPORT_FD);
    bool prepared = prepare_child(spec, parent);
    int error = errno;

    if (report != REPORT_FD)
        report = dup3(report, REPORT_FD, O_CLOEXEC);
    proc_close_between(REPORT_FD + 1, INT32_MAX);
    if (prepared) {
        execute(spec);
        error = errno;
    }
    if (write(report, &error, sizeof(error)) < 0)
        _exit(126);
    _exit(127);
}

/* A successful exec closes the pipe: nothing to read. */
static int
read_report(int fd)
{
    int error = 0;
    ssize_t got;

    do
        got = read(fd, &error, sizeof(error));
    while (got < 0 && errno == EINTR);
    return got == (ssize_t)sizeof(error) ? error : 0;
}

/* With SIGCHLD ignored, as a parent may have left it, no child's end could be seen. */
static void
want_child_status(void)
{
    struct sigaction action;

    if (sigaction(SIGCHLD, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
        signal(SIGCHLD, SIG_DFL);
}

pid_t
proc_fork(void)
{
    sigset_t all, before;
    pid_t child;

    want_child_status();
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    child = fork();
    if (child != 0)
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    return child;
}

pid_t
proc_spawn(const ProcSpec *spec)
{
    pid_t parent = getpid();
    int report[2];
    int error;
    pid_t child;

    if (pipe2(report, O_CLOEXEC) != 0)
        return -1;
    child = proc_fork();
    if (child == 0)
        run_child(spec, parent, report[1]);
    error = child < 0 ? errno : 0;
    close(report[1]);
    if (child > 0)
        error = read_report(report[0]);
    close(report[0]);
    if (error == 0)
        return child;
    if (child > 0)
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            continue;
    errno = error;
    return -1;
}

/* The reading ends of a running child's output; -1 once one has ended. */
typedef struct Collector {
    int fds[2];
    Text *texts[2];
} Collector;

static void
close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Read what is there now. */
static void
collect(Collector *collector)
{
    char block[8192];

    for (int i = 0; i < 2; i++) {
        ssize_t got = 1;

        while (collector->fds[i] >= 0 && got > 0) {
            got = read(collector->fds[i], block, sizeof(block));
            if (got > 0 && collector->texts[i] != NULL)
                text_add_bytes(collector->texts[i], block, (size_t)got);
            if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
                close_fd(&collector->fds[i]);
        }
    }
}

static void
wait_for_output(const Collector *collector)
{
    bool ended = collector->fds[0] < 0 && collector->fds[1] < 0;
    struct pollfd polled[] = {
        {.fd = collector->fds[0], .events = POLLIN},
        {.fd = collector->fds[1], .events = POLLIN},
        {.fd = interrupt_fd(), .events = POLLIN},
    };

    poll(polled, ARRAY_LEN(polled), ended ? END_POLL_MS : POLL_MS);
}

static int
exit_code_of(int wait_status)
{
    return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

/* The child leads its own group: whatever it started goes with it. */
static void
kill_group(pid_t child)
{
    kill(-child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
}

static Status
await_end(pid_t child, const char *program, uint64_t deadline_ns, Collector *collector,
          int *exit_code, Diag *diag)
{
    Instant start = instant_now();
    int wait_status;
    pid_t ended;

    while ((ended = waitpid(child, &wait_status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
        if (interrupt_requested()) {
            kill_group(child);
            return interrupt_status(diag);
        }
        if (instant_elapsed_ns(start) > deadline_ns) {
            kill_group(child);
            return diag_set(diag, STATUS_IO, "\"%s\" did not end within %.0f s", program,
                            (double)deadline_ns / (double)NS_PER_S);
        }
        wait_for_output(collector);
        collect(collector);
    }
    if (ended < 0)
        return diag_set(diag, STATUS_IO, "cannot wait for \"%s\": %s", program, strerror(errno));
    collect(collector);
    *exit_code = exit_code_of(wait_status);
    return STATUS_OK;
}

static bool
open_pipes(Collector *collector, int *writers)
{
    for (int i = 0; i < 2; i++) {
        int ends[2];

        if (pipe2(ends, O_CLOEXEC) != 0)
            return false;
        collector->fds[i] = ends[0];
        writers[i] = ends[1];
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
    }
    return true;
}

static Status
run_found(const ProcSpec *spec, uint64_t deadline_ns, Collector *collector, int *exit_code,
          Diag *diag)
{
    ProcSpec child_spec = *spec;
    int writers[2] = {-1, -1};
    pid_t child = -1;
    int error;

    if (open_pipes(collector, writers)) {
        child_spec.output_fd = writers[0];
        child_spec.error_fd = writers[1];
        child_spec.same_session = false;
        child = proc_spawn(&child_spec);
    }
    error = errno;
    close_fd(&writers[0]);
    close_fd(&writers[1]);
    if (child < 0)
        return diag_set(diag, STATUS_IO, "cannot run \"%s\": %s", spec->argv[0], strerror(error));
    return await_end(child, spec->argv[0], deadline_ns, collector, exit_code, diag);
}

/* One pipe for both outputs would keep their order; two keep them apart. The same Text for both is
 * good enough for showing. */
static Status
run_by_path(const ProcSpec *spec, uint64_t deadline_ns, Text *output, Text *errors, int *exit_code,
            Diag *diag)
{
    Collector collector = {{-1, -1}, {output, errors}};
    Status status = run_found(spec, deadline_ns, &collector, exit_code, diag);

    close_fd(&collector.fds[0]);
    close_fd(&collector.fds[1]);
    return status;
}

static size_t
list_length(const char *const *list)
{
    size_t length = 0;

    while (list[length] != NULL)
        length++;
    return length;
}

Status
proc_run(const ProcSpec *spec, uint64_t deadline_ns, Text *output, Text *errors, int *exit_code,
         Diag *diag)
{
    size_t argument_count = list_length(spec->argv);
    ProcSpec found = *spec;
    const char **argv;
    char *path;
    Status status;

    if (strchr(spec->argv[0], '/') != NULL)
        return run_by_path(spec, deadline_ns, output, errors, exit_code, diag);
    path = proc_find_program(spec->argv[0]);
    if (path == NULL)
        return diag_set(diag, STATUS_IO, "no program \"%s\" in PATH", spec->argv[0]);
    argv = mem_new(argument_count + 1, sizeof(*argv));
    memcpy(argv, spec->argv, argument_count * sizeof(*argv));
    argv[0] = path;
    found.argv = argv;
    status = run_by_path(&found, deadline_ns, output, errors, exit_code, diag);
    free(argv);
    free(path);
    return status;
}

bool
proc_user_can(const ProcUser *user, const char *path, int mode)
{
    int wait_status = -1;
    pid_t child;

    if (!user->change)
        return access(path, mode) == 0;
    child = proc_fork();
    if (child == 0)
        _exit(!(become(user) && access(path, mode) == 0));
    if (child < 0)
        return false;
    while (waitpid(child, &wait_status, 0) < 0 && errno == EINTR)
        continue;
    return wait_status == 0;
}

char *
proc_find_program(const char *name)
{
    const char *list = getenv("PATH");
    char *found = NULL;

    while (list != NULL && found == NULL) {
        size_t length = strcspn(list, ":");
        Text path = {0};

        text_printf(&path, "%.*s/%s", length > 0 ? (int)length : 1, length > 0 ? list : ".", name);
        if (access(path.data, X_OK) == 0)
            found = mem_text(path.data);
        text_release(&path);
        list = list[length] == ':' ? list + length + 1 : NULL;
    }
    return found;
}

static bool
has_prefix(const char *text, const char *const *prefixes)
{
    for (; *prefixes != NULL; prefixes++)
        if (strncmp(text, *prefixes, strlen(*prefixes)) == 0)
            return true;
    return false;
}

const char *const *
proc_environment(Arena *arena, const char *const *prefixes, const char *const *additions)
{
    size_t addition_count = list_length(additions);
    size_t count = 0;
    const char **list;

    while (environ != NULL && environ[count] != NULL)
        count++;
    list = arena_alloc(arena, count + addition_count + 1, sizeof(*list));
    memcpy(list, additions, addition_count * sizeof(*list));
    for (size_t i = 0, kept = addition_count; i < count; i++)
        if (!has_prefix(environ[i], prefixes))
            list[kept++] = arena_text(arena, environ[i]);
    return list;
}
