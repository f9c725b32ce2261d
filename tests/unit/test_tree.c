#include "base/diag.h"
#include "base/file.h"
#include "server/tree.h"
#include "support/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[] = "/tmp/kbtest-XXXXXX";

static void
make_path(Text *path, const char *below)
{
    text_release(path);
    text_printf(path, "%s/%s", root, below);
}

static void
make_folder(const char *below)
{
    Text path = {0};

    make_path(&path, below);
    if (mkdir(path.data, 0700) != 0)
        BUG("no folder %s", path.data);
    text_release(&path);
}

static void
make_file(const char *below)
{
    Text path = {0};
    int fd;

    make_path(&path, below);
    fd = open(path.data, O_CREAT | O_WRONLY, 0400);
    if (fd < 0)
        BUG("no file %s", path.data);
    close(fd);
    text_release(&path);
}

static void
make_link(const char *below, const char *target)
{
    Text path = {0}, full = {0};

    make_path(&path, below);
    make_path(&full, target);
    if (symlink(full.data, path.data) != 0)
        BUG("no link %s", path.data);
    text_release(&path);
    text_release(&full);
}

static bool
is_there(const char *below)
{
    Text path = {0};
    bool there;

    make_path(&path, below);
    there = file_exists(path.data);
    text_release(&path);
    return there;
}

static bool
remove_below(const char *below)
{
    Text path = {0};
    bool gone;

    make_path(&path, below);
    gone = tree_remove(path.data);
    text_release(&path);
    return gone;
}

static void
make_many_files(const char *folder)
{
    for (int i = 0; i < 3000; i++) {
        char name[64];

        snprintf(name, sizeof(name), "%s/%d-with-a-name-of-some-length", folder, i);
        make_file(name);
    }
}

static void
make_deep(Text *path, int depth)
{
    for (int i = 0; i < depth; i++) {
        text_add(path, "/d");
        if (mkdir(path->data, 0700) != 0)
            BUG("no folder %s", path->data);
    }
}

static void
test_deep(void)
{
    Text path = {0};

    make_path(&path, "deep");
    mkdir(path.data, 0700);
    make_deep(&path, 80);
    tap_ok(!remove_below("deep") && errno == ELOOP, "a tree deeper than any server's is refused");
    text_release(&path);
    make_path(&path, "deep/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d");
    tap_ok(tree_remove(path.data) && remove_below("deep"), "... and can be removed in parts");
    text_release(&path);
}

static void
test_sum(void)
{
    TreeSum sum = {0};
    Text path = {0};
    Diag diag = {0};

    make_folder("summed");
    make_folder("summed/below");
    make_path(&path, "summed/below/six");
    tap_u64(file_write_atomic(path.data, "abcdef", 6, &diag), STATUS_OK, "a file");
    make_file("summed/empty");
    make_link("summed/link", "elsewhere");
    make_path(&path, "summed");
    tap_ok(tree_sum(path.data, &sum), "a tree is summed up");
    tap_u64(sum.file_count, 2, "its regular files");
    tap_u64(sum.bytes, 6, "and their lengths");
    tap_ok(tree_remove(path.data), "and removed");
    tap_ok(!tree_sum(path.data, &sum), "one that is not there has no sum");
    text_release(&path);
}

int
main(void)
{
    if (mkdtemp(root) == NULL)
        BUG("no temporary folder");
    make_folder("kept");
    make_file("kept/file");
    make_folder("tree");
    make_folder("tree/many");
    make_folder("tree/many/below");
    make_many_files("tree/many");
    make_many_files("tree/many/below");
    make_link("tree/link", "kept");
    make_link("tree/dangling", "nowhere");
    tap_ok(remove_below("tree"), "a tree is removed");
    tap_ok(!is_there("tree"), "... all of it");
    tap_ok(is_there("kept/file"), "... and nothing that its links lead to");
    make_link("link", "kept");
    tap_ok(remove_below("link") && is_there("kept/file"),
           "a link itself is removed, not its target");
    tap_ok(remove_below("nowhere"), "what is not there is gone");
    tap_ok(remove_below("kept/file"), "a file");
    tap_ok(!tree_remove("/proc/self/task"), "what cannot be removed is not");
    test_deep();
    test_sum();
    tap_ok(tree_remove(root), "the rest");
    return tap_done();
}
