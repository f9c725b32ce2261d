/*
 * The grammar of RFC 8259, checked to the letter, and a way to walk the text of a file: what cJSON
 * lacks. For json.c alone.
 */
#ifndef KB_BASE_JSON_SCAN_H
#define KB_BASE_JSON_SCAN_H

#include "base/diag.h"

/* A place in a text that ends with a zero. Start with text, length and nesting_max. */
typedef struct JsonScan {
    const char *text;
    size_t length;
    unsigned nesting_max; /* how many objects and arrays may be open at once */
    unsigned nesting;
    size_t at;         /* offset of the next byte; after a failure that of the fault */
    char problem[128]; /* what is wrong there */
} JsonScan;

/* Whether the text is one value with blanks around it; if not, `at` and `problem` say why. */
bool json_scan_all(JsonScan *scan) MUST_USE;

/* Move behind blanks, one string, one value with blanks in front. False at the first fault. */
void json_scan_blanks(JsonScan *scan);
bool json_scan_string(JsonScan *scan);
bool json_scan_value(JsonScan *scan);

#endif
