/*
 * Whole files: read into memory with a limit, and written so that a crash leaves the old content or
 * the new, never half.
 */
#ifndef KB_BASE_FILE_H
#define KB_BASE_FILE_H

#include "base/diag.h"
#include "base/text.h"

/*
 * Read a whole file, or standard input for "-". Appends to `content`, which the caller releases.
 * Returns   STATUS_IO when it cannot be read, STATUS_USAGE when it is longer than `limit_bytes`
 */
Status file_read(const char *path, size_t limit_bytes, Text *content, Diag *diag) MUST_USE;

/* Write by temporary name in the same folder, fsync, rename, fsync of the folder. Existing folders
 * only. */
Status file_write_atomic(const char *path, const char *bytes, size_t length, Diag *diag) MUST_USE;

/* Make a folder and its missing parents, mode 0777 less the umask; existing is fine. STATUS_USAGE
 * when one of them is a file. */
Status folder_make(const char *path, Diag *diag) MUST_USE;

/* Whether a path exists. */
bool file_exists(const char *path);

/* Whether it is one of a folder. */
bool folder_exists(const char *path);

#endif
