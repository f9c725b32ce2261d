#include "base/json.h"

#include "support/tap.h"

enum { NESTING_MAX = 4 };

static Status
parse(const char *text, JsonDoc *doc, Diag *diag)
{
    return json_parse("f.json", text, strlen(text), NESTING_MAX, doc, diag);
}

static void
test_accepted(void)
{
    static const struct {
        const char *text, *label;
    } cases[] = {
        {"{}", "an empty object"},
        {" \t\r\n[ ] \n", "blanks around and inside"},
        {"7", "a number alone"},
        {"\"\"", "an empty string"},
        {"{\"\": 1}", "an empty key"},
        {"[true, false, null]", "literals"},
        {"[0, -0, 1.5, -1e3, 1E+3, 1e-3, 0.0]", "numbers"},
        {"9007199254740992", "2^53"},
        {"-9007199254740992", "-2^53"},
        {"12345678901234567890.5", "a large number that is not whole is a double anyway"},
        {"1e308", "nearly the largest double"},
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"", "all escapes"},
        {"\"\\ud83d\\ude00\"", "a surrogate pair"},
        {"\"caf\xc3\xa9 \xf0\x9f\x98\x80\"", "UTF-8"},
        {"\xef\xbb\xbf{}", "a byte order mark in front"},
        {"[[[[1]]]]", "as deep as allowed"},
        {"{\"a\": {\"a\": 1}, \"b\": {\"a\": 1}}", "one key in several objects"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        JsonDoc doc = {0};
        Diag diag = {0};

        if (!tap_u64(parse(cases[i].text, &doc, &diag), STATUS_OK, cases[i].label))
            printf("# %s\n", diag.message);
        json_release(&doc);
    }
}

static void
test_refused(void)
{
    static const struct {
        const char *text, *message, *label;
    } cases[] = {
        {"", "f.json:1:1: the file ends where a value should be", "nothing"},
        {"  \n ", "f.json:2:2: the file ends where a value should be", "blanks only"},
        {"[1] x", "f.json:1:5: text behind the end of the value", "trailing text"},
        {"{} {}", "f.json:1:4: text behind the end of the value", "two values"},
        {"[1\n,", "f.json:2:2: the file ends where a value should be", "an open array"},
        {"[1", "f.json:1:3: the file ends where \",\" or \"]\" should be", "an open array"},
        {"[1 2]", "f.json:1:4: expected \",\" or \"]\", not \"2\"", "no comma in an array"},
        {"{\"a\": 1 \"b\": 2}", "f.json:1:9: expected \",\" or \"}\", not \"\"\"",
         "no comma in an object"},
        {"{\"a\" 1}", "f.json:1:6: expected \":\", not \"1\"", "no colon"},
        {"{a: 1}", "f.json:1:2: expected a key in double quotes, not \"a\"", "a bare key"},
        {"{'a': 1}", "f.json:1:2: expected a key in double quotes, not \"'\"", "single quotes"},
        {"{1: 1}", "f.json:1:2: expected a key in double quotes, not \"1\"", "a number as key"},
        {"[1,]", "f.json:1:3: a comma with nothing behind it", "a trailing comma in an array"},
        {"{\"a\": 1,\n}", "f.json:1:8: a comma with nothing behind it", "and in an object"},
        {"[,1]", "f.json:1:2: expected a value, not \",\"", "a leading comma"},
        {"// x\n{}", "f.json:1:1: expected a value, not \"/\"", "a comment"},
        {"[\xc3\xa9]", "f.json:1:2: expected a value, not \"\xc3\xa9\"", "a stray letter"},
        {"nul", "f.json:1:1: expected a value, not \"n\"", "half a literal"},
        {"truex", "f.json:1:5: text behind the end of the value", "a literal with a tail"},
        {"True", "f.json:1:1: expected a value, not \"T\"", "a literal in upper case"},
        {"NaN", "f.json:1:1: expected a value, not \"N\"", "NaN"},
        {"[-Infinity]", "f.json:1:3: expected a digit, not \"I\"", "infinity"},
        {"[01]", "f.json:1:2: a number with a leading zero", "a leading zero"},
        {"[-01]", "f.json:1:3: a number with a leading zero", "behind a sign"},
        {"[+1]", "f.json:1:2: expected a value, not \"+\"", "a plus"},
        {"[.5]", "f.json:1:2: expected a value, not \".\"", "no whole part"},
        {"[1.]", "f.json:1:4: expected a digit, not \"]\"", "no decimals"},
        {"[1e]", "f.json:1:4: expected a digit, not \"]\"", "no exponent"},
        {"[1e+]", "f.json:1:5: expected a digit, not \"]\"", "half an exponent"},
        {"-", "f.json:1:2: the file ends where a digit should be", "a sign alone"},
        {"[0x10]", "f.json:1:3: expected \",\" or \"]\", not \"x\"", "hexadecimal"},
        {"[1-2]", "f.json:1:3: expected \",\" or \"]\", not \"-\"", "a sum"},
        {"[9007199254740993]",
         "f.json:1:2: a whole number beyond 9007199254740992, which doubles do not hold",
         "2^53 + 1"},
        {"[-10000000000000000]",
         "f.json:1:3: a whole number beyond 9007199254740992, which doubles do not hold",
         "17 digits"},
        {"{\"a\": [1, 1e400]}", "f.json:1:11: a[1]: the number is too large", "beyond double"},
        {"\"abc", "f.json:1:5: the file ends inside a string", "an open string"},
        {"\"abc\\", "f.json:1:5: an unknown escape; a backslash itself is written \\\\",
         "an open escape"},
        {"\"a\tb\"", "f.json:1:3: a control character inside a string; write it as \\u0009",
         "a tab in a string"},
        {"\"a\nb\"", "f.json:1:3: a control character inside a string; write it as \\u000a",
         "a line break in a string"},
        {"[\x01]", "f.json:1:2: expected a value, not \"?\"", "a control character outside"},
        {"[1,\x0b 2]", "f.json:1:4: expected a value, not \"?\"", "a vertical tab as blank"},
        {"\"\\x41\"", "f.json:1:2: an unknown escape; a backslash itself is written \\\\",
         "an unknown escape"},
        {"\"\\u12g4\"", "f.json:1:6: expected four hexadecimal digits, not \"g\"",
         "a bad hexadecimal digit"},
        {"\"\\u12", "f.json:1:6: the file ends where four hexadecimal digits should be",
         "an open hexadecimal escape"},
        {"\"\\u0000\"", "f.json:1:2: \\u0000 cannot be part of a string", "an escaped zero"},
        {"\"x\\ud800\"", "f.json:1:3: half a surrogate pair", "a high surrogate alone"},
        {"\"\\udc00\"", "f.json:1:2: half a surrogate pair", "a low surrogate alone"},
        {"\"\\ud800\\u0041\"", "f.json:1:2: half a surrogate pair", "a high one and a letter"},
        {"\"\\ud800\\uzzzz\"", "f.json:1:10: expected four hexadecimal digits, not \"z\"",
         "a high one and nonsense"},
        {"\"\xc3\"", "f.json:1:2: not UTF-8", "half a character"},
        {"\"\n\xed\xa0\x80\"", "f.json:2:1: not UTF-8", "a surrogate in UTF-8"},
        {"\"\xc3\xa9\xff\"", "f.json:1:3: not UTF-8", "columns are characters"},
        {"[[[[[1]]]]]", "f.json:1:5: nested deeper than 4 levels", "too deep"},
        {"{\"a\":{\"a\":{\"a\":{\"a\":{}}}}}", "f.json:1:21: nested deeper than 4 levels",
         "too deep, objects"},
        {"{\"a\": 1,\n  \"b\": 2,\n  \"a\": 3}", "f.json:3:3: a: the key is there twice",
         "a key twice"},
        {"{\"x\": [0, {\"a\": 1, \"\\u0061\": 2}]}", "f.json:1:20: x[1].a: the key is there twice",
         "a key twice, once escaped"},
        {"{\"a b\": {\"c\": 1, \"c\": 1}}", "f.json:1:18: [\"a b\"].c: the key is there twice",
         "a key that is no word, in a path"},
        {"{\"\\u001b[2J\": 1e999}", "f.json:1:15: [\"?[2J\"]: the number is too large",
         "no terminal sees a control character of a key"},
        {"{\"\\u009b\": 1e999}", "f.json:1:12: [\"??\"]: the number is too large",
         "nor one of the second kind"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        JsonDoc doc = {.file = NULL};
        Diag diag = {0};

        tap_u64(parse(cases[i].text, &doc, &diag), STATUS_SCENARIO, cases[i].label);
        tap_text(diag.message, cases[i].message, "  its message");
        tap_ok(doc.root == NULL, "  the document is untouched");
    }
}

static void
test_bytes(void)
{
    JsonDoc doc = {0};
    Diag diag = {0};
    size_t deep = 100000;
    char *text = malloc(deep);

    tap_u64(json_parse("f.json", "[1,\n\0 2]", 9, NESTING_MAX, &doc, &diag), STATUS_SCENARIO,
            "a zero byte");
    tap_text(diag.message, "f.json:2:1: a zero byte", "  its message");
    tap_u64(json_parse("f.json", "{}", 1, NESTING_MAX, &doc, &diag), STATUS_SCENARIO,
            "the length counts, not a terminator");
    tap_text(diag.message, "f.json:1:2: the file ends where a key in double quotes should be",
             "  its message");
    memset(text, '[', deep);
    tap_u64(json_parse("f.json", text, deep, NESTING_MAX, &doc, &diag), STATUS_SCENARIO,
            "a hundred thousand brackets");
    tap_text(diag.message, "f.json:1:5: nested deeper than 4 levels", "  its message");
    free(text);
}

static void
test_long_names(void)
{
    char text[2000], key[1000];
    JsonDoc doc = {0};
    Diag diag = {0};

    memset(key, 'k', sizeof(key) - 1);
    key[sizeof(key) - 1] = '\0';
    memcpy(key + 62, "\xc3\xa9", 2);
    snprintf(text, sizeof(text), "{\"%s\": {\"a\": 1e999}}", key);
    tap_u64(parse(text, &doc, &diag), STATUS_SCENARIO, "a very long key");
    tap_ok(strstr(diag.message, "kk?\"].a: the number is too large") != NULL,
           "is cut in a path, and what the cut leaves is UTF-8");
}

static const char SAMPLE[] = "{\"text\": \"x\", \"whole\": 5, \"half\": 0.5, \"yes\": true,\n"
                             " \"list\": [1, \"two\"], \"object\": {}, \"null\": null}";

static void
test_reads(void)
{
    const cJSON *item = NULL;
    const char *text = NULL;
    uint64_t whole = 0;
    double number = 0;
    bool yes = false;
    JsonDoc doc = {0};
    Diag diag = {0};

    tap_u64(parse(SAMPLE, &doc, &diag), STATUS_OK, "the sample");
    tap_ok(json_text(&doc, doc.root, "text", &text, &diag) == STATUS_OK, "a string");
    tap_text(text, "x", "  its value");
    tap_ok(json_u64(&doc, doc.root, "whole", 5, 5, &whole, &diag) == STATUS_OK,
           "a whole number at both ends of its range");
    tap_u64(whole, 5, "  its value");
    tap_ok(json_double(&doc, doc.root, "half", &number, &diag) == STATUS_OK, "a double");
    tap_near(number, 0.5, 0, "  its value");
    tap_ok(json_bool_or(&doc, doc.root, "yes", &yes, &diag) == STATUS_OK && yes, "a boolean");
    tap_ok(json_array(&doc, doc.root, "list", &item, &diag) == STATUS_OK && cJSON_IsArray(item),
           "an array");
    tap_ok(json_item_text(&doc, item->child->next, &text, &diag) == STATUS_OK, "its string");
    tap_text(text, "two", "  its value");
    tap_ok(json_object(&doc, doc.root, "object", &item, &diag) == STATUS_OK && cJSON_IsObject(item),
           "an object");

    tap_ok(json_text_or(&doc, doc.root, "none", &text, &diag) == STATUS_OK, "a missing string");
    tap_text(text, "two", "  leaves the value");
    tap_ok(json_u64_or(&doc, doc.root, "none", 0, 1, &whole, &diag) == STATUS_OK && whole == 5,
           "a missing whole number");
    tap_ok(json_double_or(&doc, doc.root, "none", &number, &diag) == STATUS_OK && number > 0,
           "a missing double");
    tap_ok(json_bool_or(&doc, doc.root, "none", &yes, &diag) == STATUS_OK && yes,
           "a missing boolean");
    tap_ok(json_array_or(&doc, doc.root, "none", &item, &diag) == STATUS_OK && item == NULL,
           "a missing array is NULL");
    item = doc.root;
    tap_ok(json_object_or(&doc, doc.root, "none", &item, &diag) == STATUS_OK && item == NULL,
           "a missing object is NULL");
    json_release(&doc);
    json_release(&doc);
    tap_ok(doc.root == NULL, "a document may be released twice");
}

typedef Status (*Read)(const JsonDoc *doc, Diag *diag);

static Status
read_missing(const JsonDoc *doc, Diag *diag)
{
    const char *text = NULL;

    return json_text(doc, doc->root, "none", &text, diag);
}

static Status
read_missing_inside(const JsonDoc *doc, Diag *diag)
{
    uint64_t value = 0;

    return json_u64(doc, cJSON_GetObjectItem(doc->root, "object"), "none", 0, 1, &value, diag);
}

static Status
read_number_as_text(const JsonDoc *doc, Diag *diag)
{
    const char *text = NULL;

    return json_text(doc, doc->root, "whole", &text, diag);
}

static Status
read_text_as_number(const JsonDoc *doc, Diag *diag)
{
    double value;

    return json_double(doc, doc->root, "text", &value, diag);
}

static Status
read_null_as_boolean(const JsonDoc *doc, Diag *diag)
{
    bool value = false;

    return json_bool_or(doc, doc->root, "null", &value, diag);
}

static Status
read_object_as_array(const JsonDoc *doc, Diag *diag)
{
    const cJSON *value;

    return json_array_or(doc, doc->root, "object", &value, diag);
}

static Status
read_boolean_as_object(const JsonDoc *doc, Diag *diag)
{
    const cJSON *value;

    return json_object(doc, doc->root, "yes", &value, diag);
}

static Status
read_item_as_text(const JsonDoc *doc, Diag *diag)
{
    const char *text = NULL;

    return json_item_text(doc, cJSON_GetObjectItem(doc->root, "list")->child, &text, diag);
}

static Status
read_half_as_whole(const JsonDoc *doc, Diag *diag)
{
    uint64_t value = 0;

    return json_u64(doc, doc->root, "half", 0, 9, &value, diag);
}

static Status
read_too_small(const JsonDoc *doc, Diag *diag)
{
    uint64_t value = 0;

    return json_u64_or(doc, doc->root, "whole", 6, 9, &value, diag);
}

static Status
read_too_large(const JsonDoc *doc, Diag *diag)
{
    uint64_t value = 0;

    return json_u64_or(doc, doc->root, "whole", 0, 4, &value, diag);
}

static Status
read_unbounded(const JsonDoc *doc, Diag *diag)
{
    uint64_t value = 0;

    return json_u64_or(doc, doc->root, "half", 0, UINT64_MAX, &value, diag);
}

static Status
read_stranger(const JsonDoc *doc, Diag *diag)
{
    return json_error(doc, NULL, diag, "%s", "an item that is not in the tree");
}

static void
test_read_errors(void)
{
    static const struct {
        Read read;
        const char *message, *label;
    } cases[] = {
        {read_missing, "f.json:1:1: key \"none\" is missing", "missing in the root"},
        {read_missing_inside, "f.json:2:32: object: key \"none\" is missing", "missing inside"},
        {read_number_as_text, "f.json:1:24: whole: must be a string, not a number",
         "a number for a string"},
        {read_text_as_number, "f.json:1:10: text: must be a number, not a string",
         "a string for a number"},
        {read_null_as_boolean, "f.json:2:44: null: must be true or false, not null",
         "null for a boolean"},
        {read_object_as_array, "f.json:2:32: object: must be an array, not an object",
         "an object for an array"},
        {read_boolean_as_object, "f.json:1:47: yes: must be an object, not a boolean",
         "a boolean for an object"},
        {read_item_as_text, "f.json:2:11: list[0]: must be a string, not a number",
         "a number for a string in a list"},
        {read_half_as_whole, "f.json:1:35: half: must be a whole number from 0 to 9",
         "a fraction for a whole number"},
        {read_too_small, "f.json:1:24: whole: must be a whole number from 6 to 9", "too small"},
        {read_too_large, "f.json:1:24: whole: must be a whole number from 0 to 4", "too large"},
        {read_unbounded, "f.json:1:35: half: must be a whole number from 0 to 9007199254740992",
         "no whole number beyond 2^53 is exact"},
        {read_stranger, "f.json:1:1: an item that is not in the tree",
         "an item of another tree is shown at the start"},
    };
    JsonDoc doc = {0};
    Diag diag = {0};

    tap_u64(parse(SAMPLE, &doc, &diag), STATUS_OK, "the sample");
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        tap_u64(cases[i].read(&doc, &diag), STATUS_SCENARIO, cases[i].label);
        tap_text(diag.message, cases[i].message, "  its message");
    }
    json_release(&doc);
}

static void
test_only_keys(void)
{
    static const char *const KEYS[] = {"name", "batches", "rows", NULL};
    static const struct {
        const char *text, *message, *hint, *label;
    } cases[] = {
        {"{\"rows\": 1, \"name\": 2}", "", "", "known keys in any order"},
        {"{\"name\": 1,\n \"bathces\": 2}", "f.json:2:2: bathces: unknown key",
         "Did you mean \"batches\"?", "two letters swapped"},
        {"{\"row\": 1}", "f.json:1:2: row: unknown key", "Did you mean \"rows\"?",
         "a letter left out"},
        {"{\"colour\": 1}", "f.json:1:2: colour: unknown key",
         "Allowed here: \"name\", \"batches\", \"rows\".", "nothing near"},
        {"{\"Rows\": 1}", "f.json:1:2: Rows: unknown key", "Did you mean \"rows\"?",
         "keys have one case"},
        {"{\"\": 1}", "f.json:1:2: [\"\"]: unknown key",
         "Allowed here: \"name\", \"batches\", \"rows\".", "an empty key"},
        {"{\"a key that is much longer than any of those that are allowed here\": 1}",
         "f.json:1:2: [\"a key that is much longer than any of those that are allowed he\"]: "
         "unknown key",
         "Allowed here: \"name\", \"batches\", \"rows\".", "a long key"},
        {"[1]", "f.json:1:1: must be an object, not an array", "", "an array"},
        {"\"x\"", "f.json:1:1: must be an object, not a string", "", "a string"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        JsonDoc doc = {0};
        Diag diag = {0};
        Status wanted = cases[i].message[0] == '\0' ? STATUS_OK : STATUS_SCENARIO;

        tap_u64(parse(cases[i].text, &doc, &diag), STATUS_OK, cases[i].label);
        tap_u64(json_only_keys(&doc, doc.root, KEYS, &diag), wanted, "  its status");
        tap_text(diag.message, cases[i].message, "  its message");
        tap_text(diag.hint, cases[i].hint, "  its hint");
        json_release(&doc);
    }
}

int
main(void)
{
    test_accepted();
    test_refused();
    test_bytes();
    test_long_names();
    test_reads();
    test_read_errors();
    test_only_keys();
    return tap_done();
}
