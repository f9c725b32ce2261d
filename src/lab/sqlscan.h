/*
 * SQL text cut into tokens, as far as a chapter needs it: where a statement ends, what is quoted,
 * and where it names a variable. PostgreSQL's own rules of chapter "Lexical Structure" hold, and
 * psql's for variables.
 */
#ifndef KB_LAB_SQLSCAN_H
#define KB_LAB_SQLSCAN_H

#include <stdbool.h>
#include <stddef.h>

typedef enum SqlKind {
    SQL_END,
    SQL_BLANK,
    SQL_COMMENT,      /* one line or a block with blocks inside */
    SQL_QUOTED,       /* '...', E'...', "...", $tag$...$tag$ */
    SQL_WORD,         /* a key word or an identifier without quotes */
    SQL_LITERAL_NAME, /* :'name', a variable as a literal */
    SQL_QUOTED_NAME,  /* :"name", a variable as an identifier */
    SQL_SCALE_NAME,   /* :scale */
    SQL_SEMICOLON,
    SQL_OPEN,         /* ( or [ */
    SQL_CLOSE,        /* ) or ] */
    SQL_OTHER,        /* numbers, operators, parameters */
    SQL_UNTERMINATED, /* a quote or comment that goes on to the end */
} SqlKind;

typedef struct SqlToken {
    SqlKind kind;
    const char *at; /* borrowed from the text */
    size_t length;
} SqlToken;

/* The token that begins at `at`, which ends with a zero. */
SqlToken sql_token(const char *at);

/* Whether a word is `word`, given in lower case. */
bool sql_token_is(SqlToken token, const char *word);

/*
 * Where a statement ends: its closing semicolon, not counting those in quotes, comments,
 * parentheses and the body of BEGIN ATOMIC.
 *
 * at        the statement's first token
 * stopped   out: where the scan ended; the semicolon when true is returned, else the end of the
 *           text, the token that is not closed, or a line that begins with "--@"
 * Returns   whether there is a semicolon
 */
bool sql_find_end(const char *at, const char **stopped);

#endif
