/* results/: a result survives the round trip through its file bit by bit; bad files are refused;
 * writing is atomic. */
#include "support/sample_result.h"
#include "support/tap.h"

#include "base/file.h"
#include "results/result_json.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static void
test_round_trip(const char *folder)
{
    Result *result = sample_result_new(NULL);
    Result *loaded = NULL;
    Diag diag = {0};
    char path[256];
    char *before, *after = NULL;

    snprintf(path, sizeof(path), "%s/round.json", folder);
    result->designs[0].phases[0].figures.value[METRIC_ELAPSED_MS] = 0.1 + 0.2;
    result->designs[0].phases[0].wal_source = "backend";
    before = result_to_json(result);
    tap_u64(result_save(result, path, &diag), STATUS_OK, "a result is saved");
    tap_u64(result_load(path, &loaded, &diag), STATUS_OK, "and loaded");
    if (loaded != NULL) {
        after = result_to_json(loaded);
        tap_text(after, before, "nothing is lost on the way");
        tap_near(loaded->designs[0].phases[0].figures.value[METRIC_ELAPSED_MS], 0.1 + 0.2, 0,
                 "a fraction survives bit by bit");
        tap_text(loaded->designs[0].phases[0].wal_source, "backend", "who counted the WAL");
        tap_ok(loaded->designs[0].phases[1].wal_source == NULL, "or nobody");
    }
    free(before);
    free(after);
    result_free(result);
    result_free(loaded);
}

static void
test_refusals(const char *folder)
{
    const struct {
        const char *content, *wanted, *label;
    } cases[] = {
        {"", "", "an empty file"},
        {"{\"format\": \"other/1\"}", "format \"other/1\" is not \"keybench-result/1\"",
         "another format"},
        {"", "is empty: its run has not measured a phase yet", "what a killed run leaves"},
        {"{\"format\": \"keybench-result/1\"}", "status", "nothing but a format"},
        {"{\"format\": \"keybench-result/1\", \"status\": \"splendid\"}",
         "unknown status \"splendid\"", "a status that is none"},
    };
    char path[256];

    snprintf(path, sizeof(path), "%s/bad.json", folder);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        Result *loaded = NULL;
        Diag diag = {0};

        if (file_write_atomic(path, cases[i].content, strlen(cases[i].content), &diag) != STATUS_OK)
            tap_ok(false, "the bad file is written");
        tap_u64(result_load(path, &loaded, &diag), STATUS_SCENARIO, cases[i].label);
        tap_contains(diag.message, cases[i].wanted, "the message says what");
        tap_ok(loaded == NULL, "nothing is handed over");
    }
}

/* A sample result as JSON, edited by hand: the first `from` becomes `to`. */
static void
test_edited(const char *folder)
{
    static const char *const CASES[][3] = {
        {"\"wal_bytes\":\t", "-1, \"x\": ", "no figure can be -1"},
        {"\"wal_bytes\":\t", "1e308, \"x\": ", "no figure can be 1e+308"},
        {"\"name\":\t\"uuidv7\"", NULL, "the same trial twice"},
        {"\"name\":\t\"second\"", NULL, "the same phase twice"},
    };
    static const char *const COPIES[] = {NULL, NULL, "\"name\":\t\"bigint\"",
                                         "\"name\":\t\"first\""};
    char path[256];

    snprintf(path, sizeof(path), "%s/edited.json", folder);
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Result *result = sample_result_new(NULL), *loaded = NULL;
        char *json = result_to_json(result),
             *designs = strstr(strstr(json, "\"machine\":"), "\"designs\":");
        char *at = strstr(designs, CASES[i][0]);
        const char *put = COPIES[i] != NULL ? COPIES[i] : CASES[i][1];
        Text text = {0};
        Diag diag = {0};

        if (at == NULL)
            BUG("no %s", CASES[i][0]);
        at += COPIES[i] != NULL ? 0 : strlen(CASES[i][0]);
        text_add_bytes(&text, json, (size_t)(at - json));
        text_add(&text, put);
        text_add(&text, at + (COPIES[i] != NULL ? strlen(CASES[i][0]) : 0));
        if (file_write_atomic(path, text.data, text.length, &diag) != STATUS_OK)
            BUG("no edited file");
        tap_u64(result_load(path, &loaded, &diag), STATUS_SCENARIO, CASES[i][2]);
        tap_contains(diag.message, CASES[i][2], "the message says it");
        text_release(&text);
        free(json);
        result_free(result);
    }
}

static void
test_atomic(const char *folder)
{
    Diag diag = {0};
    Text content = {0};
    struct stat facts;
    int pipe_fd = -1;
    char path[256], missing[256];

    snprintf(path, sizeof(path), "%s/old.json", folder);
    tap_u64(file_write_atomic(path, "old", 3, &diag), STATUS_OK, "a file");
    tap_u64(file_write_atomic(path, "newer", 5, &diag), STATUS_OK, "replaced");
    tap_u64(file_read(path, 100, &content, &diag), STATUS_OK, "and read");
    tap_text(content.data, "newer", "it holds the new content");
    text_release(&content);
    tap_u64(file_read(path, 4, &content, &diag), STATUS_USAGE, "longer than allowed");
    text_release(&content);
    snprintf(missing, sizeof(missing), "%s/link.json", folder);
    tap_ok(symlink("old.json", missing) == 0, "a link to it");
    tap_u64(file_write_atomic(missing, "newest", 6, &diag), STATUS_OK, "is written through");
    tap_ok(lstat(missing, &facts) == 0 && S_ISLNK(facts.st_mode), "and stays a link");
    snprintf(missing, sizeof(missing), "%s/pipe", folder);
    tap_ok(mkfifo(missing, 0600) == 0 && (pipe_fd = open(missing, O_RDONLY | O_NONBLOCK)) >= 0,
           "a pipe with a reader");
    tap_u64(file_write_atomic(missing, "x", 1, &diag), STATUS_OK, "is written to");
    tap_ok(lstat(missing, &facts) == 0 && S_ISFIFO(facts.st_mode), "and not replaced");
    close(pipe_fd);
    snprintf(missing, sizeof(missing), "%s/no/such/folder.json", folder);
    tap_u64(file_write_atomic(missing, "x", 1, &diag), STATUS_IO, "a folder that is not there");
    tap_contains(diag.message, "No such file", "the message says why");
    snprintf(missing, sizeof(missing), "%s/new/er", folder);
    tap_u64(folder_make(missing, &diag), STATUS_OK, "a folder and its parent");
    tap_u64(folder_make(missing, &diag), STATUS_OK, "which may be there already");
    snprintf(missing, sizeof(missing), "%s/old.json/below", folder);
    tap_u64(folder_make(missing, &diag), STATUS_USAGE, "a file is no parent");
    tap_contains(diag.message, "is a file, not a folder", "the message says so");
}

/* A full disk: /dev/full takes no byte, but a rename needs a real folder, so the small tmpfs test
 * is in tests/cli. */
static void
test_read_errors(const char *folder)
{
    Text content = {0};
    Diag diag = {0};

    tap_u64(file_read(folder, 100, &content, &diag), STATUS_IO, "a folder is no file");
    tap_u64(file_read("/nonexistent/x", 100, &content, &diag), STATUS_IO,
            "a file that is not there");
    text_release(&content);
}

int
main(void)
{
    char folder[] = "/tmp/keybench-test-XXXXXX";
    char command[sizeof(folder) + 16];

    if (mkdtemp(folder) == NULL)
        return 1;
    test_round_trip(folder);
    test_refusals(folder);
    test_edited(folder);
    test_atomic(folder);
    test_read_errors(folder);
    snprintf(command, sizeof(command), "rm -rf %s", folder);
    tap_ok(system(command) == 0, "the test's folder is removed");
    return tap_done();
}
