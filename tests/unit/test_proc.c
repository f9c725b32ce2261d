#include "base/clock.h"
#include "base/interrupt.h"
#include "base/proc.h"
#include "support/tap.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const uint64_t DEADLINE_NS = 60 * NS_PER_S;

/* What `sh -c script` gave. */
typedef struct Run {
    Text output, errors;
    int exit_code;
    Status status;
    Diag diag;
} Run;

static Run
run_spec(const ProcSpec *spec, uint64_t deadline_ns)
{
    Run run = {.exit_code = -1};

    run.status = proc_run(spec, deadline_ns, &run.output, &run.errors, &run.exit_code, &run.diag);
    return run;
}

static Run
run_script(const char *script)
{
    const char *argv[] = {"sh", "-c", script, NULL};
    ProcSpec spec = {.argv = argv};

    return run_spec(&spec, DEADLINE_NS);
}

static void
release(Run *run)
{
    text_release(&run->output);
    text_release(&run->errors);
}

static void
test_scripts(void)
{
    static const struct {
        const char *script, *output, *errors;
        int exit_code;
        const char *why;
    } cases[] = {
        {"echo one; echo two >&2; exit 3", "one\n", "two\n", 3, "both outputs and the exit status"},
        {":", "", "", 0, "no output"},
        {"kill -KILL $$", "", "", 128 + SIGKILL, "ended by a signal"},
        {"kill -TERM $$; echo alive", "", "", 128 + SIGTERM, "blocked here, not in the child"},
        {"kill -INT $$; echo alive", "", "", 128 + SIGINT, "ignored here, not in the child"},
        {"cat", "", "", 0, "standard input is empty"},
        {"exec >&- 2>&-; sleep 0.05; exit 4", "", "", 4, "output ends long before the child"},
        {"test -e /proc/$$/fd/50 || echo closed", "closed\n", "", 0, "no descriptor of ours"},
        {"test $(cut -d' ' -f6 /proc/$$/stat) = $$ && echo own", "own\n", "", 0, "its own session"},
    };
    int leaked = dup2(STDIN_FILENO, 50); /* not close-on-exec */

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        Run run = run_script(cases[i].script);

        tap_u64(run.status, STATUS_OK, cases[i].why);
        tap_text(text_data(&run.output), cases[i].output, "... its output");
        tap_text(text_data(&run.errors), cases[i].errors, "... its errors");
        tap_u64((uint64_t)run.exit_code, (uint64_t)cases[i].exit_code, "... its exit status");
        release(&run);
    }
    close(leaked);
}

static void
test_grandchild(void)
{
    Run run = run_script("sleep 61 & echo $!");
    pid_t grandchild = (pid_t)strtol(text_data(&run.output), NULL, 10);

    tap_u64(run.status, STATUS_OK, "a grandchild that holds the pipe is not awaited");
    tap_ok(grandchild > 0 && kill(grandchild, SIGKILL) == 0 &&
               waitpid(grandchild, NULL, 0) == grandchild,
           "... and lives on");
    release(&run);
}

static void
test_large_output(void)
{
    Run run = run_script("head -c 3000000 /dev/zero | tr '\\0' x; echo end >&2");

    tap_u64(run.output.length, 3000000, "more output than a pipe holds");
    tap_text(text_data(&run.errors), "end\n", "... and what came after it");
    release(&run);
}

static void
test_dropped_output(void)
{
    const char *argv[] = {"sh", "-c", "head -c 300000 /dev/zero; echo kept >&2", NULL};
    ProcSpec spec = {.argv = argv};
    Text errors = {0};
    Diag diag = {0};
    int exit_code = -1;

    tap_u64(proc_run(&spec, DEADLINE_NS, NULL, &errors, &exit_code, &diag), STATUS_OK,
            "output that nobody wants is read all the same");
    tap_text(text_data(&errors), "kept\n", "... and errors are kept");
    text_release(&errors);
}

static void
test_not_started(void)
{
    static const struct {
        const char *program, *folder, *message, *why;
    } cases[] = {
        {"/no/such/program", NULL, "cannot run \"/no/such/program\": No such file", "no program"},
        {"/etc/passwd", NULL, "cannot run \"/etc/passwd\": Permission denied", "no program file"},
        {"no-such-program", NULL, "no program \"no-such-program\" in PATH", "not in PATH"},
        {"/bin/sh", "/no/such/folder", "cannot run \"/bin/sh\": No such file", "no such folder"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const char *argv[] = {cases[i].program, NULL};
        ProcSpec spec = {.argv = argv, .folder = cases[i].folder};
        Run run = run_spec(&spec, DEADLINE_NS);

        tap_u64(run.status, STATUS_IO, cases[i].why);
        tap_contains(run.diag.message, cases[i].message, "... says what and why");
        tap_ok(run.exit_code == -1, "... leaves the exit status untouched");
        release(&run);
    }
}

/* What is left comes to this process, the nearest reaper. How many were not killed. */
static int
count_survivors(void)
{
    int wait_status;
    int count = 0;

    while (waitpid(-1, &wait_status, 0) > 0)
        count += !WIFSIGNALED(wait_status) || WTERMSIG(wait_status) != SIGKILL;
    return count;
}

static void
test_deadline(void)
{
    const char *argv[] = {"sh", "-c", "sleep 62 & sleep 63; echo late", NULL};
    ProcSpec spec = {.argv = argv};
    Run run = run_spec(&spec, NS_PER_S / 2);

    tap_u64(run.status, STATUS_IO, "a child that takes too long");
    tap_contains(run.diag.message, "did not end within", "... is said to");
    tap_u64((uint64_t)count_survivors(), 0, "... and its children are killed with it");
    release(&run);
}

static pid_t
spawn_in_a_process_that_ends(const int *report)
{
    pid_t middle = fork();

    if (middle == 0) {
        const char *argv[] = {"/bin/sh", "-c", "exec sleep 64", NULL};
        int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
        ProcSpec spec = {
            .argv = argv, .output_fd = null, .error_fd = null, .parent_death_signal = SIGKILL};
        pid_t child = proc_spawn(&spec);

        if (write(report[1], &child, sizeof(child)) < 0)
            _exit(1);
        _exit(0);
    }
    return middle;
}

static void
test_parent_death(void)
{
    int report[2] = {-1, -1};
    int wait_status = 0;
    pid_t child = -1;
    pid_t middle;

    if (pipe(report) != 0)
        abort();
    middle = spawn_in_a_process_that_ends(report);
    if (read(report[0], &child, sizeof(child)) < 0)
        abort();
    waitpid(middle, NULL, 0);
    tap_ok(child > 0 && waitpid(child, &wait_status, 0) == child && WIFSIGNALED(wait_status),
           "a child gets its signal when its parent ends");
    close(report[0]);
    close(report[1]);
}

static void
test_environment(void)
{
    static const char *const dropped[] = {"KBT_", NULL};
    static const char *const added[] = {"KBT_NEW=3", NULL};
    const char *argv[] = {"sh", "-c", "echo \"$KBT_OLD:$OTHER_KBT:$KBT_NEW\"; pwd", NULL};
    Arena *arena = arena_new();
    ProcSpec spec = {.argv = argv, .folder = "/"};
    Run run;

    setenv("KBT_OLD", "1", 1);
    setenv("OTHER_KBT", "2", 1);
    spec.env = proc_environment(arena, dropped, added);
    run = run_spec(&spec, DEADLINE_NS);
    tap_text(text_data(&run.output), ":2:3\n/\n", "the environment and folder asked for");
    release(&run);
    arena_free(arena);
}

static void
test_find(void)
{
    char *found = proc_find_program("sh");
    char *path;

    tap_ok(found != NULL && access(found, X_OK) == 0, "a program in PATH is found");
    free(found);
    found = proc_find_program("no-such-program");
    tap_ok(found == NULL, "and one that is not there is not");
    path = mem_text(getenv("PATH"));
    unsetenv("PATH");
    found = proc_find_program("sh");
    tap_ok(found == NULL, "nor any without PATH");
    setenv("PATH", path, 1);
    free(path);
}

static void
test_user(void)
{
    ProcUser nobody = {.uid = 65534, .gid = 65534, .change = true};
    ProcUser self = {.uid = geteuid(), .gid = getegid(), .change = false};
    const char *argv[] = {"sh", "-c", "echo $(id -u) $(id -G)", NULL};
    ProcSpec spec = {.argv = argv, .user = &nobody, .folder = "/"};
    Run run;

    tap_ok(proc_user_can(&self, "/bin/sh", X_OK), "this user may run a shell");
    tap_ok(!proc_user_can(&self, "/no/such/file", F_OK), "and not what is not there");
    if (geteuid() != 0) {
        tap_skip("another user", "only root can become one");
        return;
    }
    run = run_spec(&spec, DEADLINE_NS);
    tap_text(text_data(&run.output), "65534 65534\n", "another user, without our groups");
    tap_ok(proc_user_can(&nobody, "/bin/sh", X_OK), "who may run a shell");
    tap_ok(!proc_user_can(&nobody, "/etc/shadow", R_OK), "and not read secrets");
    release(&run);
}

static void
test_ignored_children(void)
{
    Run run;

    signal(SIGCHLD, SIG_IGN);
    run = run_script("exit 5");
    tap_u64((uint64_t)run.exit_code, 5, "an inherited SIGCHLD that is ignored");
    release(&run);
}

/* Last: a request stays. */
static void
test_interrupt(void)
{
    Run run = run_script("kill -TERM $PPID; sleep 65");

    tap_u64(run.status, STATUS_INTERRUPTED, "a signal to this process ends the wait");
    tap_u64((uint64_t)count_survivors(), 0, "... and what the child started");
    release(&run);
}

int
main(void)
{
    sigset_t blocked;

    setlinebuf(stdout); /* some sanitizers write it out in forked children, too */
    interrupt_install();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    signal(SIGINT, SIG_IGN);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    test_scripts();
    sigprocmask(SIG_UNBLOCK, &blocked, NULL);
    test_grandchild();
    test_large_output();
    test_dropped_output();
    test_not_started();
    test_deadline();
    test_parent_death();
    test_environment();
    test_find();
    test_user();
    test_ignored_children();
    test_interrupt();
    return tap_done();
}
