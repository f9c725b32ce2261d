/*
 * Where keybench finds its own files (scenarios, plot scripts) and where it may keep what is costly
 * to make again.
 */
#ifndef KB_BASE_PATHS_H
#define KB_BASE_PATHS_H

#include "base/diag.h"
#include "base/text.h"

/*
 * The folder that holds scenarios/ and plots/: $KEYBENCH_DATA, else the checkout that the program
 * was built in, else share/keybench beside the program's bin folder. Appends to `path`; STATUS_IO
 * when there is none.
 */
Status path_data(const char *below, Text *path, Diag *diag) MUST_USE;

/*
 * The cache folder, not made: $KEYBENCH_CACHE, /var/cache/keybench for root,
 * $XDG_CACHE_HOME/keybench, else .cache/keybench in the home folder. Appends to `path`.
 */
void path_cache(Text *path);

#endif
