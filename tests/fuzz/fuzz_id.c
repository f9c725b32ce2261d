/* Any text: key_explain says what it is or what is wrong, and what it takes for an id it reads the
 * same way again from the id's own text. */
#include "keys/format.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check(bool good)
{
    if (!good)
        abort();
}

static void
check_canonical(const KeyFacts *facts)
{
    KeyFacts again;
    Diag diag;

    check(memchr(facts->leaks, '\0', sizeof(facts->leaks)) != NULL && facts->leaks[0] != '\0');
    check(key_explain(facts->canonical, &again, NULL, 0, NULL, &diag) == STATUS_OK);
    check(strcmp(again.canonical, facts->canonical) == 0 || again.format != facts->format);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    const KeyFormat *ambiguous[4];
    size_t count = 0;
    KeyFacts facts;
    Diag diag = {0};

    memcpy(text, data, size);
    text[size] = '\0';
    if (key_explain(text, &facts, ambiguous, 4, &count, &diag) == STATUS_OK)
        check_canonical(&facts);
    else
        check(diag.status == STATUS_USAGE && diag.message[0] != '\0');
    check(count <= 4);
    free(text);
    return 0;
}
