#include "lab/library.h"

#include "base/paths.h"
#include "base/text.h"
#include "base/words.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool
ends_in_sql(const char *name)
{
    size_t length = strlen(name);

    return length > strlen(".sql") && strcmp(name + length - strlen(".sql"), ".sql") == 0;
}

static bool
is_file(const char *word)
{
    return strchr(word, '/') != NULL || ends_in_sql(word);
}

/* ---- Loading ---- */

/* Names are unique over all that is loaded: they choose, and they name results. */
static Status
check_unique(const Library *library, const Chapter *added, Diag *diag)
{
    for (size_t i = 0; i < library->chapter_count; i++) {
        const Chapter *chapter = library->chapters[i];

        if (strcmp(chapter->name, added->name) == 0)
            return diag_set(diag, STATUS_SCENARIO, "%s:1: chapter \"%s\" is in %s already",
                            added->file, added->name, chapter->file);
        for (size_t old = 0; old < chapter->claim_count; old++)
            for (size_t new = 0; new < added->claim_count; new ++)
                if (strcmp(chapter->claims[old].id, added->claims[new].id) == 0)
                    return diag_set(diag, STATUS_SCENARIO,
                                    "%s:%zu: claim \"%s\" is at %s:%zu already", added->file,
                                    added->claims[new].line, added->claims[new].id, chapter->file,
                                    chapter->claims[old].line);
    }
    return STATUS_OK;
}

static Status
load_file(Library *library, const char *file, Diag *diag)
{
    size_t count = library->chapter_count;
    Chapter *chapter = NULL;
    Status status = chapter_load(file, &chapter, diag);

    if (status == STATUS_OK)
        status = check_unique(library, chapter, diag);
    if (status != STATUS_OK) {
        chapter_free(chapter);
        return status;
    }
    library->chapters = mem_resize(library->chapters, count + 1, sizeof(*library->chapters));
    library->chosen = mem_resize(library->chosen, count + 1, sizeof(*library->chosen));
    library->chapters[count] = chapter;
    library->chosen[count] = mem_new(chapter->claim_count, sizeof(**library->chosen));
    library->chapter_count++;
    return STATUS_OK;
}

static int
is_chapter(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && ends_in_sql(entry->d_name);
}

static Status
load_folder(Library *library, const char *folder, Diag *diag)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_chapter, alphasort);
    Status status = STATUS_OK;

    if (count < 0)
        return diag_set(diag, STATUS_IO, "cannot read \"%s\": %s", folder, strerror(errno));
    for (int i = 0; i < count; i++) {
        Text file = {0};

        text_printf(&file, "%s/%s", folder, entries[i]->d_name);
        if (status == STATUS_OK)
            status = load_file(library, file.data, diag);
        text_release(&file);
        free(entries[i]);
    }
    free(entries);
    return status;
}

static Status
load_installed(Library *library, Diag *diag)
{
    Text folder = {0};
    Status status = path_data("scenarios/lab", &folder, diag);

    if (status == STATUS_OK)
        status = load_folder(library, folder.data, diag);
    text_release(&folder);
    return status;
}

static Status
load_named(Library *library, const char *const *words, size_t count, bool *any, Diag *diag)
{
    Status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        if (!is_file(words[i]))
            continue;
        *any = true;
        status = load_file(library, words[i], diag);
    }
    return status;
}

/* ---- Choosing ---- */

static bool
choose(Library *library, const char *word)
{
    bool found = false;

    for (size_t i = 0; i < library->chapter_count; i++) {
        const Chapter *chapter = library->chapters[i];
        bool whole = strcmp(chapter->name, word) == 0;

        for (size_t claim = 0; claim < chapter->claim_count; claim++) {
            bool meant = whole || strcmp(chapter->claims[claim].id, word) == 0;

            library->chosen[i][claim] |= meant;
            found |= meant;
        }
    }
    return found;
}

static Status
unknown_name(const Library *library, const char *word, Diag *diag)
{
    const char **names = NULL;
    size_t count = 0;

    for (size_t i = 0; i < library->chapter_count; i++) {
        const Chapter *chapter = library->chapters[i];

        names = mem_resize(names, count + chapter->claim_count + 1, sizeof(*names));
        names[count++] = chapter->name;
        for (size_t claim = 0; claim < chapter->claim_count; claim++)
            names[count++] = chapter->claims[claim].id;
    }
    diag_set(diag, STATUS_USAGE, "there is no chapter or claim \"%s\"", word);
    if (word_nearest(word, names, count) != NULL)
        diag_hint(diag, "Did you mean \"%s\"?", word_nearest(word, names, count));
    else
        diag_hint(diag, "\"keybench lab --list\" shows them.");
    free(names);
    return diag->status;
}

static void
choose_all(Library *library)
{
    for (size_t i = 0; i < library->chapter_count; i++)
        for (size_t claim = 0; claim < library->chapters[i]->claim_count; claim++)
            library->chosen[i][claim] = true;
}

static Status
choose_named(Library *library, const char *const *words, size_t count, Diag *diag)
{
    bool any = false;

    for (size_t i = 0; i < count; i++) {
        if (is_file(words[i]))
            continue;
        any = true;
        if (!choose(library, words[i]))
            return unknown_name(library, words[i], diag);
    }
    if (!any)
        choose_all(library);
    return STATUS_OK;
}

Status
library_load(const char *const *words, size_t count, Library *library, Diag *diag)
{
    Library loaded = {0};
    bool any_file = false;
    Status status = load_named(&loaded, words, count, &any_file, diag);

    if (status == STATUS_OK && !any_file)
        status = load_installed(&loaded, diag);
    if (status == STATUS_OK)
        status = choose_named(&loaded, words, count, diag);
    if (status == STATUS_OK)
        *library = loaded;
    else
        library_release(&loaded);
    return status;
}

void
library_release(Library *library)
{
    for (size_t i = 0; i < library->chapter_count; i++) {
        chapter_free(library->chapters[i]);
        free(library->chosen[i]);
    }
    free(library->chapters);
    free(library->chosen);
    *library = (Library){0};
}

size_t
library_chosen_count(const Library *library)
{
    size_t count = 0;

    for (size_t i = 0; i < library->chapter_count; i++)
        for (size_t claim = 0; claim < library->chapters[i]->claim_count; claim++)
            count += library->chosen[i][claim];
    return count;
}

bool
library_chapter_chosen(const Library *library, size_t chapter)
{
    for (size_t claim = 0; claim < library->chapters[chapter]->claim_count; claim++)
        if (library->chosen[chapter][claim])
            return true;
    return false;
}
