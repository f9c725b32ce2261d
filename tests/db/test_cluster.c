#include "support/cluster_support.h"

#include "base/interrupt.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mount.h>

static ServerPrograms programs;

static Status
start(const ClusterOptions *options, Cluster **cluster, Diag *diag)
{
    Instant begin = instant_now();
    Status status = cluster_start(options, cluster, diag);

    if (status == STATUS_OK)
        printf("# %s ready after %.3f s\n", cluster_programs(*cluster)->version,
               (double)instant_elapsed_ns(begin) / (double)NS_PER_S);
    return status;
}

static Cluster *
must_start(const ClusterOptions *options, const char *label)
{
    Cluster *cluster = NULL;
    Diag diag = {0};

    if (tap_ok(start(options, &cluster, &diag) == STATUS_OK, label))
        return cluster;
    diag_print(&diag, stdout);
    exit(tap_done() | 1);
}

static void
check_settings(const Cluster *cluster)
{
    static const struct {
        const char *name, *wanted;
    } cases[] = {
        {"fsync", "off"},
        {"autovacuum", "off"},
        {"shared_buffers", "128MB"},
        {"max_wal_size", "64GB"},
        {"checkpoint_timeout", "1d"},
        {"listen_addresses", ""},
        {"server_encoding", "UTF8"},
        {"unix_socket_permissions", "0700"},
        {"full_page_writes", "on"},
        {"log_timezone", "UTC"},
    };
    Text answer = {0};

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        Text sql = {0};

        text_printf(&sql, "SELECT current_setting('%s') AS answer", cases[i].name);
        tap_text(ask_server(cluster, sql.data, &answer), cases[i].wanted, cases[i].name);
        text_release(&sql);
    }
    text_release(&answer);
}

static void
test_life(const char *bindir)
{
    ClusterOptions options = {.bindir = bindir, .data_checksums = -1};
    Cluster *cluster = must_start(&options, "a server starts");
    pid_t pid = server_pid(cluster_folder(cluster));
    Text folder = {0};
    struct stat found = {0};

    text_add(&folder, cluster_folder(cluster));
    stat(folder.data, &found);
    tap_ok(strncmp(folder.data, getenv("TMPDIR"), strlen(getenv("TMPDIR"))) == 0,
           "... in a folder in TMPDIR");
    tap_u64(found.st_mode & 07777, 0700, "... that nobody else may enter");
    check_settings(cluster);
    cluster_stop(cluster);
    tap_ok(!file_exists(folder.data), "... and its folder is gone afterwards");
    tap_ok(pid > 0 && is_process_gone(&pid), "... and its process");
    tap_nothing_left("... and all else in TMPDIR");
    text_release(&folder);
}

static void
test_user_settings(void)
{
    static const ClusterSetting SETTINGS[] = {
        {"shared_buffers", "32MB"},
        {"WAL_Compression", "on"},
        {"my_extension.text", "it's a \\ \"text\"\nwith a second line # and no comment"},
    };
    ClusterOptions options = {
        .bindir = programs.bindir, .settings = SETTINGS, .setting_count = 3, .data_checksums = 1};
    Cluster *cluster = must_start(&options, "a server with settings of the user");
    Text answer = {0};

    tap_text(ask_server(cluster, "SELECT current_setting('shared_buffers') AS answer", &answer),
             "32MB", "... which win over the profile");
    tap_text(ask_server(cluster, "SELECT current_setting('my_extension.text') AS answer", &answer),
             SETTINGS[2].value, "... whatever their values hold");
    tap_text(ask_server(cluster, "SELECT current_setting('data_checksums') AS answer", &answer),
             "on", "... with checksums");
    run_sql(cluster, "ALTER SYSTEM SET wal_compression = off");
    run_sql(cluster, "SELECT pg_reload_conf(), pg_sleep(0.2)");
    tap_text(ask_server(cluster, "SELECT current_setting('wal_compression') AS answer", &answer),
             "off", "... over which ALTER SYSTEM wins");
    cluster_stop(cluster);
    options.data_checksums = 0;
    options.setting_count = 0;
    cluster = must_start(&options, "a server without checksums");
    tap_text(ask_server(cluster, "SELECT current_setting('data_checksums') AS answer", &answer),
             "off", "... has none");
    cluster_stop(cluster);
    text_release(&answer);
}

static void
test_crash(void)
{
    ClusterOptions options = {.bindir = programs.bindir, .data_checksums = -1};
    Cluster *cluster = must_start(&options, "a server to crash");
    pid_t pid = server_pid(cluster_folder(cluster));
    Text answer = {0}, tail = {0};
    Diag diag = {0};

    run_sql(cluster, "CREATE TABLE public.kept AS SELECT generate_series(1, 1000) AS id");
    tap_u64(cluster_crash(cluster, &diag), STATUS_OK, "it crashes");
    tap_ok(is_process_gone(&pid), "... its process is gone");
    tap_ok(file_exists(cluster_folder(cluster)), "... its folder is not");
    tap_u64(cluster_crash(cluster, &diag), STATUS_OK, "a second crash changes nothing");
    tap_u64(cluster_restart(cluster, &diag), STATUS_OK, "it starts again");
    tap_text(ask_server(cluster, "SELECT count(*) AS answer FROM public.kept", &answer), "1000",
             "... with what was committed");
    tap_u64(cluster_restart(cluster, &diag), STATUS_SERVER, "it does not start twice");
    cluster_log_tail(cluster, 100, &tail);
    tap_contains(text_data(&tail), "automatic recovery in progress", "... after a recovery");
    cluster_stop(cluster);
    tap_nothing_left("... and leaves nothing");
    text_release(&tail);
    text_release(&answer);
}

static void *
start_and_stop(void *context)
{
    ClusterOptions options = {.bindir = programs.bindir, .data_checksums = -1};
    Cluster *cluster = NULL;
    Text answer = {0};
    Diag diag = {0};
    bool *good = context;

    *good = cluster_start(&options, &cluster, &diag) == STATUS_OK &&
            strcmp(ask_server(cluster, "SELECT 1 AS answer", &answer), "1") == 0;
    if (!*good)
        printf("# %s; %s\n", diag.message, diag.detail);
    cluster_stop(cluster);
    text_release(&answer);
    return NULL;
}

static void
test_several(void)
{
    enum { COUNT = 3 };
    pthread_t threads[COUNT];
    bool good[COUNT] = {false};

    for (int i = 0; i < COUNT; i++)
        if (pthread_create(&threads[i], NULL, start_and_stop, &good[i]) != 0)
            BUG("no thread");
    for (int i = 0; i < COUNT; i++)
        pthread_join(threads[i], NULL);
    tap_ok(good[0] && good[1] && good[2], "several servers from several threads");
    tap_nothing_left("... leave nothing");
}

static void
test_refusals(void)
{
    static const ClusterSetting PORT = {"Port", "1234"}, ADDRESS = {"listen_addresses", "*"},
                                INCLUDE = {"include", "/etc/passwd"}, SPACE = {"a b", "1"},
                                LINE = {"x\nfsync", "on"}, EMPTY = {"", "1"},
                                UNKNOWN = {"no_such_setting", "1"},
                                BAD_VALUE = {"shared_buffers", "lots"},
                                TOO_MUCH = {"shared_buffers", "8000GB"};
    static const struct {
        const ClusterSetting *setting;
        Status status;
        const char *message, *detail;
    } cases[] = {
        {&PORT, STATUS_USAGE, "setting \"Port\" cannot be changed", ""},
        {&ADDRESS, STATUS_USAGE, "setting \"listen_addresses\" cannot be changed", ""},
        {&INCLUDE, STATUS_USAGE, "setting \"include\" cannot be changed", ""},
        {&SPACE, STATUS_USAGE, "\"a b\" is not the name of a server setting", ""},
        {&LINE, STATUS_USAGE, "is not the name of a server setting", ""},
        {&EMPTY, STATUS_USAGE, "\"\" is not the name of a server setting", ""},
        {&UNKNOWN, STATUS_SERVER, "ended while it started",
         "unrecognized configuration parameter \"no_such_setting\""},
        {&BAD_VALUE, STATUS_SERVER, "ended while it started",
         "invalid value for parameter \"shared_buffers\": \"lots\""},
        {&TOO_MUCH, STATUS_SERVER, "ended while it started", "memory"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        ClusterOptions options = {.bindir = programs.bindir,
                                  .settings = cases[i].setting,
                                  .setting_count = 1,
                                  .data_checksums = -1};
        Cluster *cluster = NULL;
        Diag diag = {0};

        tap_u64(start(&options, &cluster, &diag), cases[i].status, cases[i].setting->name);
        tap_contains(diag.message, cases[i].message, "... is said to be wrong");
        tap_contains(diag.detail, cases[i].detail, "... in the server's words");
        tap_ok(cluster == NULL, "... and there is no cluster");
    }
    tap_nothing_left("refused servers leave nothing");
}

static void
test_parents(void)
{
    static const struct {
        const char *parent;
        const char *message;
    } cases[] = {
        {"/no/such/folder", "cannot use folder \"/no/such/folder\": No such file"},
        {"long", "would have a path of"},
        {"with,comma", "no comma may be in its path"},
        {"/etc/passwd", "\"/etc/passwd\""},
    };
    Text parents[2] = {{0}, {0}};

    text_printf(&parents[0], "%s/%080d", temporary_folder, 7);
    text_printf(&parents[1], "%s/with,comma", temporary_folder);
    tap_ok(mkdir(parents[0].data, 0755) == 0 && mkdir(parents[1].data, 0755) == 0, "bad folders");
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const char *parent = cases[i].parent[0] == '/' ? cases[i].parent : parents[i - 1].data;
        ClusterOptions options = {
            .bindir = programs.bindir, .parent_folder = parent, .data_checksums = -1};
        Cluster *cluster = NULL;
        Diag diag = {0};

        tap_u64(start(&options, &cluster, &diag), STATUS_USAGE, cases[i].parent);
        tap_contains(diag.message, cases[i].message, "... is no folder for a server");
        tap_u64(count_entries(parent), 0, "... and stays empty");
    }
    text_release(&parents[1]);
    text_add(&parents[1], getenv("TMPDIR"));
    setenv("TMPDIR", parents[0].data, 1);
    {
        ClusterOptions options = {.bindir = programs.bindir, .data_checksums = -1};
        Cluster *cluster = must_start(&options, "a TMPDIR that is too long");

        tap_ok(strncmp(cluster_folder(cluster), "/tmp/keybench-", 14) == 0,
               "... is replaced by /tmp");
        cluster_stop(cluster);
    }
    setenv("TMPDIR", parents[1].data, 1);
    text_release(&parents[0]);
    text_release(&parents[1]);
}

static void
test_find(void)
{
    static const struct {
        const char *name, *version, *message;
        Status status;
    } cases[] = {
        {"good", "18.9 (Debian 18.9-1)", "", STATUS_OK},
        {"next", "19rc1", "", STATUS_OK},
        {"old", "9.6.24", "is version 9.6.24, 14 is needed", STATUS_SERVER},
        {"strange", "eighteen", "is not a PostgreSQL server", STATUS_USAGE},
    };
    ServerPrograms found = {0};
    Diag diag = {0};

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char *folder = make_fake_server(cases[i].name, cases[i].version, "exit 1");

        diag = (Diag){0};
        tap_u64(server_find(folder, 14, &found, &diag), cases[i].status, cases[i].version);
        tap_contains(diag.message, cases[i].message, "... and why");
        free(folder);
    }
    tap_u64((uint64_t)found.version_number, 190000, "the last good one is kept on failure");
    tap_text(found.version, "19rc1", "... with its name");
    tap_text(found.found_by, "--pg-bindir", "... and where it is from");
    tap_u64(server_find("/etc", 14, &found, &diag), STATUS_USAGE, "a folder without a server");
    tap_contains(diag.message, "no program \"initdb\" in \"/etc\"", "... and why");
    tap_u64(server_find("/no/such", 14, &found, &diag), STATUS_USAGE, "no folder");
    setenv("KEYBENCH_PG_BINDIR", "/etc", 1);
    tap_u64(server_find(NULL, 14, &found, &diag), STATUS_USAGE, "a variable without a server");
    tap_text(diag.context, "KEYBENCH_PG_BINDIR", "... is named");
    unsetenv("KEYBENCH_PG_BINDIR");
    tap_u64(server_find(NULL, 9000, &found, &diag), STATUS_SERVER, "no server is new enough");
    tap_contains(diag.hint, "--pg-bindir", "... and what to do");
}

/* A full disk, a broken installation: initdb says it. */
static void
test_failing_initdb(void)
{
    char *folder = make_fake_server("failing", "18.9",
                                    "echo 'initdb: error: could not write: No space left' >&2\n"
                                    "mkdir -p \"$2\"; touch \"$2/half\"; exit 1");
    ClusterOptions options = {.bindir = folder, .data_checksums = -1};
    Cluster *cluster = NULL;
    Diag diag = {0};

    tap_u64(start(&options, &cluster, &diag), STATUS_SERVER, "initdb fails");
    tap_contains(diag.message, "initdb\" failed with exit status 1", "... which is said");
    tap_contains(diag.detail, "No space left", "... in its own words");
    tap_nothing_left("... and leaves nothing");
    free(folder);
}

static void
test_full_disk(void)
{
    Text mount_point = {0};
    ClusterOptions options = {.bindir = programs.bindir, .data_checksums = -1};
    Cluster *cluster = NULL;
    Diag diag = {0};

    text_printf(&mount_point, "%s/small", temporary_folder);
    mkdir(mount_point.data, 0755);
    if (mount("tmpfs", mount_point.data, "tmpfs", 0, "size=20m,mode=1777") != 0) {
        tap_skip("a full disk", "this user may not mount one");
        text_release(&mount_point);
        return;
    }
    options.parent_folder = mount_point.data;
    tap_u64(start(&options, &cluster, &diag), STATUS_SERVER, "a disk too small for a server");
    tap_contains(diag.hint, "MB are free on the disk of", "... is said to be full");
    tap_u64(count_entries(mount_point.data), 0, "... and is empty again");
    umount(mount_point.data);
    text_release(&mount_point);
}

static void
test_no_cache(void)
{
    static const char *const PLACES[] = {"/proc/no/cache", "/dev/null"};
    ClusterOptions options = {.bindir = programs.bindir, .data_checksums = -1};
    char *before = mem_text(getenv("KEYBENCH_CACHE"));

    for (size_t i = 0; i < ARRAY_LEN(PLACES); i++) {
        setenv("KEYBENCH_CACHE", PLACES[i], 1);
        cluster_stop(must_start(&options, "without a usable cache"));
    }
    setenv("KEYBENCH_CACHE", before, 1);
    free(before);
}

/* As CI often runs: everything as a user who is not root. */
static void
test_plain_user(void)
{
    Account account;
    Diag diag = {0};
    int wait_status = -1;
    pid_t child;

    if (geteuid() != 0) {
        tap_skip("another user", "only root can become one");
        return;
    }
    if (account_find(&account, &diag) != STATUS_OK)
        BUG("no unprivileged user");
    child = fork();
    if (child == 0) {
        ClusterOptions options = {.bindir = programs.bindir, .data_checksums = -1};
        Cluster *cluster = NULL;
        bool good = setgid(account.user.gid) == 0 && setuid(account.user.uid) == 0 &&
                    start(&options, &cluster, &diag) == STATUS_OK;

        if (!good)
            diag_print(&diag, stdout);
        cluster_stop(cluster);
        fflush(stdout);
        _exit(!good);
    }
    waitpid(child, &wait_status, 0);
    tap_ok(wait_status == 0, "a user without any rights");
    tap_nothing_left("... leaves nothing");
}

int
main(void)
{
    static const char SYSTEM_15[] = "/usr/lib/postgresql/15/bin";
    Diag diag = {0};

    if (server_find(NULL, SERVER_MAJOR_MIN, &programs, &diag) != STATUS_OK) {
        diag_print(&diag, stdout);
        return 1;
    }
    support_begin();
    interrupt_install();
    test_life(programs.bindir);
    test_life(programs.bindir); /* this time from a template */
    if (file_exists(SYSTEM_15))
        test_life(SYSTEM_15);
    test_user_settings();
    test_crash();
    test_several();
    test_refusals();
    test_parents();
    test_find();
    test_failing_initdb();
    test_full_disk();
    test_no_cache();
    test_plain_user();
    support_end();
    return tap_done();
}
