#include "lab/library.h"
#include "lab/target.h"

#include "support/tap.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/kbtest-XXXXXX";

static const char *
path_of(const char *name)
{
    static char paths[4][64];
    static size_t next;
    char *path = paths[next++ % 4];

    snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
    return path;
}

static void
write_chapter(const char *file, const char *name, const char *claims[2])
{
    FILE *stream = fopen(path_of(file), "w");

    fprintf(stream, "--@ chapter %s: Title\n", name);
    for (size_t i = 0; i < 2; i++)
        fprintf(stream, "--@ claim %s: sentence\nselect 1;\n--@ expect 1\n", claims[i]);
    fclose(stream);
}

static void
make_data_folder(void)
{
    FILE *mark;

    if (mkdtemp(folder) == NULL)
        exit(1);
    mkdir(path_of("scenarios"), 0700);
    mkdir(path_of("scenarios/lab"), 0700);
    mark = fopen(path_of("scenarios/keybench-scenario.schema.json"), "w");
    fclose(mark);
    write_chapter("scenarios/lab/b.sql", "beta", (const char *[]){"b-one", "b-two"});
    write_chapter("scenarios/lab/a.sql", "alpha", (const char *[]){"a-one", "a-two"});
    write_chapter("own.sql", "own", (const char *[]){"own-one", "a-one"});
    setenv("KEYBENCH_DATA", folder, 1);
}

static void
remove_data_folder(void)
{
    static const char *const NAMES[] = {
        "scenarios/lab/a.sql",
        "scenarios/lab/b.sql",
        "scenarios/keybench-scenario.schema.json",
        "own.sql",
        "scenarios/lab",
        "scenarios",
        ".",
    };

    for (size_t i = 0; i + 1 < ARRAY_LEN(NAMES); i++)
        remove(path_of(NAMES[i]));
    rmdir(folder);
}

static void
test_choosing(void)
{
    const struct {
        const char *words[2];
        size_t count, chosen;
        const char *first, *label;
    } cases[] = {
        {{NULL}, 0, 4, "alpha", "all that is installed, in the order of file names"},
        {{"beta"}, 1, 2, "alpha", "a chapter"},
        {{"a-two"}, 1, 1, "alpha", "a claim"},
        {{"beta", "a-one"}, 2, 3, "alpha", "both"},
        {{"beta", "b-one"}, 2, 2, "alpha", "a claim twice is chosen once"},
        {{path_of("own.sql")}, 1, 2, "own", "a file is read instead of what is installed"},
        {{path_of("own.sql"), "a-one"}, 2, 1, "own", "and a claim of it chosen"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        Library library = {0};
        Diag diag = {0};

        tap_u64(library_load(cases[i].words, cases[i].count, &library, &diag), STATUS_OK,
                cases[i].label);
        tap_u64(library_chosen_count(&library), cases[i].chosen, "... how many claims");
        tap_text(library.chapters[0]->name, cases[i].first, "... and the first chapter");
        library_release(&library);
    }
}

static void
test_refusals(void)
{
    const struct {
        const char *words[2];
        size_t count;
        Status status;
        const char *message, *label;
    } cases[] = {
        {{"gamma"}, 1, STATUS_USAGE, "no chapter or claim \"gamma\"", "a name that there is not"},
        {{path_of("own.sql"), "beta"}, 2, STATUS_USAGE, "\"beta\"", "one that is not in the file"},
        {{path_of("own.sql"), path_of("own.sql")},
         2,
         STATUS_SCENARIO,
         "chapter \"own\" is in",
         "a chapter twice"},
        {{path_of("own.sql"), path_of("scenarios/lab/a.sql")},
         2,
         STATUS_SCENARIO,
         "claim \"a-one\" is at",
         "a claim in two chapters"},
        {{"missing.sql"}, 1, STATUS_IO, "missing.sql", "a file that is not there"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        Library library = {0};
        Diag diag = {0};

        tap_u64(library_load(cases[i].words, cases[i].count, &library, &diag), cases[i].status,
                cases[i].label);
        tap_contains(diag.message, cases[i].message, "... and what is said");
        tap_ok(library.chapters == NULL, "... and nothing is returned");
    }
}

static void
test_targets(void)
{
    static const struct {
        const char *given, *wanted, *label;
    } cases[] = {
        {NULL, "other", "nothing given: the name alone"},
        {"mine", "other", "a name is replaced"},
        {"host=a dbname=mine", "host=a dbname=mine dbname=other", "in a conninfo the last wins"},
        {"postgresql://h/mine", "postgresql://h/mine?dbname=other", "a URI gets a parameter"},
        {"postgres://h/m?port=1", "postgres://h/m?port=1&dbname=other", "behind those it has"},
    };
    Arena *arena = arena_new();

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        tap_text(target_dbname(arena, cases[i].given, "other"), cases[i].wanted, cases[i].label);
    arena_free(arena);
}

int
main(void)
{
    make_data_folder();
    test_choosing();
    test_refusals();
    test_targets();
    remove_data_folder();
    return tap_done();
}
