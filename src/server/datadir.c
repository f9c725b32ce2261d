#include "server/datadir.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/paths.h"
#include "server/complaint.h"
#include "server/postmaster.h"
#include "server/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEMPORARY_NAME ".new-XXXXXX"
/* A template is a folder with the data folder, and with a file that says how much it holds. */
#define DATA_NAME "data"
#define SUM_NAME "sum"

static const uint64_t INITDB_DEADLINE_NS = 300 * NS_PER_S;
static const uint64_t COPY_DEADLINE_NS = 120 * NS_PER_S;

enum {
    SUM_FILE_BYTES_MAX = 256,
    CHECKSUMS_DEFAULT_MAJOR = 18,
    CACHE_MODE = 0755, /* root's cache is used by the user that runs the servers */
};

/* What a data folder is made from. */
typedef struct DatadirPlan {
    const ServerPrograms *programs;
    const Account *account;
    int data_checksums;
    const char *initdb; /* path of the program */
    const char *const *env;
} DatadirPlan;

const char *const *
server_environment(Arena *arena)
{
    static const char *const DROPPED[] = {"PG", "LC_", "LANG", "TZ=", NULL};
    static const char *const ADDED[] = {"LC_ALL=C", "TZ=UTC", NULL};

    return proc_environment(arena, DROPPED, ADDED);
}

/* initdb writes checksums by default from 18 on, which is also when the negative option came. */
static const char *
checksums_option(const DatadirPlan *plan)
{
    if (plan->data_checksums > 0)
        return "--data-checksums";
    if (plan->data_checksums == 0 &&
        plan->programs->version_number / 10000 >= CHECKSUMS_DEFAULT_MAJOR)
        return "--no-data-checksums";
    return NULL;
}

static Status
run_program(const DatadirPlan *plan, const char *const *argv, uint64_t deadline_ns, Diag *diag)
{
    ProcSpec spec = {
        .argv = argv,
        .env = plan->env,
        .folder = "/",
        .user = &plan->account->user,
        .parent_death_signal = SIGKILL,
    };
    Text errors = {0};
    int exit_code = 0;
    Status status = proc_run(&spec, deadline_ns, NULL, &errors, &exit_code, diag);

    if (status == STATUS_OK && exit_code != 0) {
        status =
            diag_set(diag, STATUS_SERVER, "\"%s\" failed with exit status %d", argv[0], exit_code);
        complaint_set(&errors, diag);
    }
    text_release(&errors);
    return status;
}

/* It would remove what it made, and with it the file that tells which shared memory its servers
 * left when they were killed; the folder's owner removes both. */
static Status
run_initdb(const DatadirPlan *plan, const char *folder, Diag *diag)
{
    const char *argv[] = {plan->initdb, "-D",
                          folder,       "-U",
                          "postgres",   "-A",
                          "trust",      "-E",
                          "UTF8",       "--locale=C",
                          "--no-sync",  "--no-instructions",
                          "--no-clean", checksums_option(plan),
                          NULL};

    Status status = run_program(plan, argv, INITDB_DEADLINE_NS, diag);

    if (status != STATUS_OK && postmaster_end(folder))
        postmaster_remove_memory(folder);
    return status;
}

static void
hash_text(uint64_t *hash, const char *text)
{
    for (; *text != '\0'; text++) /* FNV-1a */
        *hash = (*hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
}

/* Packages may set the times of their files to a constant; the time of the inode is never older
 * than the installation. */
static void
hash_program(uint64_t *hash, const char *bindir, const char *name)
{
    Text text = {0};
    struct stat found = {0};

    text_printf(&text, "%s/%s", bindir, name);
    if (stat(text.data, &found) == 0)
        text_printf(&text, " %ju %ju %jd.%09ld %jd.%09ld", (uintmax_t)found.st_ino,
                    (uintmax_t)found.st_size, (intmax_t)found.st_mtim.tv_sec, found.st_mtim.tv_nsec,
                    (intmax_t)found.st_ctim.tv_sec, found.st_ctim.tv_nsec);
    hash_text(hash, text.data);
    text_release(&text);
}

static void
template_name(const DatadirPlan *plan, Text *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    const char *option = checksums_option(plan);

    hash_program(&hash, plan->programs->bindir, "initdb");
    hash_program(&hash, plan->programs->bindir, "postgres");
    hash_text(&hash, option != NULL ? option : "");
    text_printf(name, "%s-%u-%016" PRIx64, plan->programs->version,
                (unsigned)plan->account->user.uid, hash);
}

/* "968 files, 40234567 bytes". */
static bool
print_sum(const char *template, Text *text)
{
    Text data = {0};
    TreeSum sum = {0};
    bool good;

    text_printf(&data, "%s/" DATA_NAME, template);
    good = tree_sum(data.data, &sum);
    text_release(&data);
    text_printf(text, "%" PRIu64 " files, %" PRIu64 " bytes", sum.file_count, sum.bytes);
    return good;
}

static bool
write_sum(const char *template)
{
    Text path = {0}, sum = {0};
    Diag ignored = {0};
    bool good;

    text_printf(&path, "%s/" SUM_NAME, template);
    good = print_sum(template, &sum) &&
           file_write_atomic(path.data, sum.data, sum.length, &ignored) == STATUS_OK;
    text_release(&path);
    text_release(&sum);
    return good;
}

/* Whether it holds what it held when it was made: a lost or shortened file is found here, before a
 * server fails over it. */
static bool
is_whole(const char *template)
{
    Text path = {0}, made = {0}, found = {0};
    Diag ignored = {0};
    bool whole;

    text_printf(&path, "%s/" SUM_NAME, template);
    whole = file_read(path.data, SUM_FILE_BYTES_MAX, &made, &ignored) == STATUS_OK &&
            print_sum(template, &found) && strcmp(text_data(&made), found.data) == 0;
    text_release(&path);
    text_release(&made);
    text_release(&found);
    return whole;
}

/* A template that somebody else could have written is none, and a damaged one is none. */
static bool
template_usable(const DatadirPlan *plan, const char *template)
{
    struct stat found;

    return lstat(template, &found) == 0 && S_ISDIR(found.st_mode) &&
           found.st_uid == plan->account->user.uid && is_whole(template);
}

static bool
make_cache_folder(const DatadirPlan *plan, const char *path)
{
    Diag ignored = {0};
    bool there = file_exists(path);

    if (folder_make(path, &ignored) != STATUS_OK)
        return false;
    return there || !plan->account->user.change || chmod(path, CACHE_MODE) == 0;
}

/* Append CACHE/templates, which is there then. */
static bool
templates_folder(const DatadirPlan *plan, Text *path)
{
    Text cache = {0};
    char *real = NULL;

    path_cache(&cache);
    if (make_cache_folder(plan, cache.data))
        real = realpath(cache.data, NULL);
    text_release(&cache);
    if (real == NULL)
        return false;
    text_printf(path, "%s/templates", real);
    free(real);
    return make_cache_folder(plan, path->data);
}

/* Held while a template is made, so that one whose maker was killed can be told from one under way.
 */
static int
lock_folder(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static void
remove_left_temporaries(const char *templates)
{
    Text pattern = {0};
    glob_t found = {0};

    text_printf(&pattern, "%s/.new-*", templates);
    if (glob(pattern.data, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++) {
            int fd = lock_folder(found.gl_pathv[i]);

            if (fd < 0)
                continue;
            tree_remove(found.gl_pathv[i]);
            close(fd);
        }
    globfree(&found);
    text_release(&pattern);
}

/* What is there under the template's name is damaged, or somebody else's: it goes first. */
static void
remove_damaged(const DatadirPlan *plan, const char *templates, const char *template)
{
    Text aside = {0};

    if (template_usable(plan, template)) /* another keybench was faster */
        return;
    text_printf(&aside, "%s/" TEMPORARY_NAME, templates);
    if (mkdtemp(aside.data) != NULL && rename(template, aside.data) == 0)
        tree_remove(aside.data);
    else
        rmdir(aside.data);
    text_release(&aside);
}

/* A template must not come into sight before it is on disk: after a loss of power its files would
 * be empty. One syncfs is faster than initdb's fsync of each of a thousand files. */
static bool
publish(int folder, const char *temporary, const char *template)
{
    return write_sum(temporary) && syncfs(folder) == 0 && rename(temporary, template) == 0;
}

static Status
fill_template(const DatadirPlan *plan, const char *temporary, Diag *diag)
{
    Text data = {0};
    Status status;

    if (plan->account->user.change &&
        lchown(temporary, plan->account->user.uid, plan->account->user.gid) != 0)
        return diag_set(diag, STATUS_IO, "cannot give away \"%s\": %s", temporary, strerror(errno));
    text_printf(&data, "%s/" DATA_NAME, temporary);
    status = run_initdb(plan, data.data, diag);
    text_release(&data);
    return status;
}

/* Another keybench may be doing the same: the first rename wins, and both templates are alike. */
static Status
make_template(const DatadirPlan *plan, const char *templates, const char *template, Diag *diag)
{
    Text temporary = {0};
    Status status = STATUS_OK;
    int lock = -1;

    text_printf(&temporary, "%s/" TEMPORARY_NAME, templates);
    if (mkdtemp(temporary.data) != NULL)
        lock = lock_folder(temporary.data);
    if (lock < 0)
        status = diag_set(diag, STATUS_IO, "cannot make a folder in \"%s\": %s", templates,
                          strerror(errno));
    if (status == STATUS_OK)
        status = fill_template(plan, temporary.data, diag);
    if (status == STATUS_OK)
        remove_damaged(plan, templates, template);
    if (status != STATUS_OK || !publish(lock, temporary.data, template))
        tree_remove(temporary.data);
    if (lock >= 0)
        close(lock);
    text_release(&temporary);
    return status;
}

static Status
copy_template(const DatadirPlan *plan, const char *template, const char *folder, Diag *diag)
{
    char *program = proc_find_program("cp");
    Text data = {0};
    Status status = STATUS_IO;

    if (program != NULL) {
        const char *argv[] = {program, "-a", "--reflink=auto", "-T", "--", NULL, folder, NULL};

        text_printf(&data, "%s/" DATA_NAME, template);
        argv[5] = data.data;
        status = run_program(plan, argv, COPY_DEADLINE_NS, diag);
    }
    text_release(&data);
    free(program);
    if (status != STATUS_OK)
        tree_remove(folder);
    return status;
}

static Status
make_from_template(const DatadirPlan *plan, const char *folder, Diag *diag)
{
    Text templates = {0}, template = {0};
    Status status = STATUS_IO;

    if (templates_folder(plan, &templates)) {
        status = STATUS_OK;
        remove_left_temporaries(templates.data);
        text_printf(&template, "%s/", templates.data);
        template_name(plan, &template);
        if (!template_usable(plan, template.data))
            status = make_template(plan, templates.data, template.data, diag);
        if (status == STATUS_OK && template_usable(plan, template.data))
            status = copy_template(plan, template.data, folder, diag);
        else if (status == STATUS_OK)
            status = STATUS_IO;
    }
    text_release(&templates);
    text_release(&template);
    return status;
}

Status
datadir_make(const ServerPrograms *programs, const Account *account, int data_checksums,
             const char *folder, Diag *diag)
{
    Arena *arena = arena_new();
    DatadirPlan plan = {
        .programs = programs,
        .account = account,
        .data_checksums = data_checksums,
        .initdb = arena_printf(arena, "%s/initdb", programs->bindir),
        .env = server_environment(arena),
    };
    Diag cache_diag = {0};
    Status status = make_from_template(&plan, folder, &cache_diag);

    /* A cache that cannot be used costs a second, nothing else. */
    if (status == STATUS_INTERRUPTED)
        *diag = cache_diag;
    else if (status != STATUS_OK)
        status = run_initdb(&plan, folder, diag);
    arena_free(arena);
    return status;
}
