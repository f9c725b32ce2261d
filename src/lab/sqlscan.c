#include "lab/sqlscan.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static bool
is_word_start(char byte)
{
    return isalpha((unsigned char)byte) || byte == '_' || (unsigned char)byte >= 0x80;
}

static bool
is_word_part(char byte)
{
    return is_word_start(byte) || isdigit((unsigned char)byte) || byte == '$';
}

static size_t
word_length(const char *at)
{
    size_t length = 0;

    while (is_word_part(at[length]))
        length++;
    return length;
}

/* Bytes of a quoted text from its first quote to its last; 0 when it is not closed. A doubled quote
 * reads as the end of one and the start of the next, which comes to the same but for the escapes
 * that E'' has. */
static size_t
quoted_length(const char *at, bool escapes)
{
    char quote = at[0];

    for (size_t i = 1; at[i] != '\0'; i++) {
        if (escapes && at[i] == '\\' && at[i + 1] != '\0')
            i++;
        else if (at[i] == quote && at[i + 1] == quote)
            i++;
        else if (at[i] == quote)
            return i + 1;
    }
    return 0;
}

/* Bytes of "$tag$", 0 when no dollar quote begins here. */
static size_t
dollar_tag_length(const char *at)
{
    size_t length = 1;

    if (at[0] != '$' || isdigit((unsigned char)at[1]))
        return 0;
    while (at[length] != '$' && is_word_part(at[length]))
        length++;
    return at[length] == '$' ? length + 1 : 0;
}

static size_t
dollar_length(const char *at, size_t tag)
{
    for (const char *end = at + tag; (end = strchr(end, '$')) != NULL; end++)
        if (strncmp(end, at, tag) == 0)
            return (size_t)(end - at) + tag;
    return 0;
}

static size_t
block_comment_length(const char *at)
{
    size_t open = 0, i = 0;

    do {
        if (at[i] == '\0')
            return 0;
        if (strncmp(at + i, "/*", 2) == 0) {
            open++;
            i += 2;
        } else if (strncmp(at + i, "*/", 2) == 0) {
            open--;
            i += 2;
        } else {
            i++;
        }
    } while (open > 0);
    return i;
}

static SqlToken
token_of(SqlKind kind, const char *at, size_t length)
{
    if (length == 0)
        return (SqlToken){SQL_UNTERMINATED, at, strlen(at)};
    return (SqlToken){kind, at, length};
}

static SqlToken
word_token(const char *at)
{
    if ((at[0] == 'e' || at[0] == 'E') && at[1] == '\'') {
        size_t length = quoted_length(at + 1, true);

        return token_of(SQL_QUOTED, at, length > 0 ? length + 1 : 0);
    }
    return token_of(SQL_WORD, at, word_length(at));
}

/* A colon: a cast, an assignment, a variable, or itself as in a slice. */
static SqlToken
colon_token(const char *at)
{
    static const char SCALE[] = "scale";

    if (at[1] == ':' || at[1] == '=')
        return token_of(SQL_OTHER, at, 2);
    if (at[1] == '\'' || at[1] == '"') {
        size_t length = quoted_length(at + 1, false);

        return token_of(at[1] == '"' ? SQL_QUOTED_NAME : SQL_LITERAL_NAME, at,
                        length > 0 ? length + 1 : 0);
    }
    if (word_length(at + 1) == strlen(SCALE) && strncmp(at + 1, SCALE, strlen(SCALE)) == 0)
        return token_of(SQL_SCALE_NAME, at, strlen(":scale"));
    return token_of(SQL_OTHER, at, 1);
}

static SqlToken
number_token(const char *at)
{
    size_t length = 1;

    while (isalnum((unsigned char)at[length]) || at[length] == '.' || at[length] == '_')
        length++;
    return token_of(SQL_OTHER, at, length);
}

SqlToken
sql_token(const char *at)
{
    size_t tag = dollar_tag_length(at);

    if (at[0] == '\0')
        return (SqlToken){SQL_END, at, 0};
    if (isspace((unsigned char)at[0]))
        return token_of(SQL_BLANK, at, strspn(at, " \t\r\n\f\v"));
    if (strncmp(at, "--", 2) == 0)
        return token_of(SQL_COMMENT, at, strcspn(at, "\n"));
    if (strncmp(at, "/*", 2) == 0)
        return token_of(SQL_COMMENT, at, block_comment_length(at));
    if (tag > 0)
        return token_of(SQL_QUOTED, at, dollar_length(at, tag));
    if (at[0] == '\'' || at[0] == '"')
        return token_of(SQL_QUOTED, at, quoted_length(at, false));
    if (is_word_start(at[0]))
        return word_token(at);
    if (isdigit((unsigned char)at[0]))
        return number_token(at);
    if (at[0] == ':')
        return colon_token(at);
    if (at[0] == ';')
        return token_of(SQL_SEMICOLON, at, 1);
    if (at[0] == '(' || at[0] == '[')
        return token_of(SQL_OPEN, at, 1);
    if (at[0] == ')' || at[0] == ']')
        return token_of(SQL_CLOSE, at, 1);
    return token_of(SQL_OTHER, at, 1);
}

bool
sql_token_is(SqlToken token, const char *word)
{
    return token.kind == SQL_WORD && token.length == strlen(word) &&
           strncasecmp(token.at, word, token.length) == 0;
}

/* How deep a scan is in parentheses and in BEGIN ATOMIC, which only a routine's definition has. */
typedef struct Depth {
    unsigned words; /* seen so far */
    bool create, routine;
    unsigned parentheses, blocks;
} Depth;

static void
count_word(Depth *depth, SqlToken token)
{
    depth->words++;
    if (depth->words == 1)
        depth->create = sql_token_is(token, "create");
    if (depth->create && depth->words <= 4 &&
        (sql_token_is(token, "function") || sql_token_is(token, "procedure")))
        depth->routine = true;
    if (!depth->routine || depth->parentheses > 0)
        return;
    if (sql_token_is(token, "begin") || (depth->blocks > 0 && sql_token_is(token, "case")))
        depth->blocks++;
    else if (depth->blocks > 0 && sql_token_is(token, "end"))
        depth->blocks--;
}

static void
count_token(Depth *depth, SqlToken token)
{
    if (token.kind == SQL_WORD)
        count_word(depth, token);
    else if (token.kind == SQL_OPEN)
        depth->parentheses++;
    else if (token.kind == SQL_CLOSE && depth->parentheses > 0)
        depth->parentheses--;
}

/* A directive where a statement goes on: its semicolon was forgotten. */
static bool
is_directive(SqlToken token, bool at_line_start)
{
    return at_line_start && token.kind == SQL_COMMENT && strncmp(token.at, "--@", 3) == 0;
}

bool
sql_find_end(const char *at, const char **stopped)
{
    Depth depth = {0};
    bool at_line_start = false;

    for (;;) {
        SqlToken token = sql_token(at);

        *stopped = at;
        if (token.kind == SQL_SEMICOLON && depth.parentheses == 0 && depth.blocks == 0)
            return true;
        if (token.kind == SQL_END || token.kind == SQL_UNTERMINATED ||
            is_directive(token, at_line_start))
            return false;
        count_token(&depth, token);
        at_line_start = token.kind == SQL_BLANK && memchr(token.at, '\n', token.length) != NULL;
        at += token.length;
    }
}
