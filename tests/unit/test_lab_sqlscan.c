#include "lab/sqlscan.h"

#include "support/tap.h"

#include "base/diag.h"

static void
test_tokens(void)
{
    static const struct {
        const char *text;
        SqlKind kind;
        size_t length;
        const char *label;
    } cases[] = {
        {"", SQL_END, 0, "the end"},
        {" \t\nx", SQL_BLANK, 3, "blanks up to the next token"},
        {"-- a; 'b\nx", SQL_COMMENT, 8, "a comment ends with its line"},
        {"/* a /* b */ c */ d", SQL_COMMENT, 17, "a comment holds another"},
        {"/* a /* b */ c", SQL_UNTERMINATED, 14, "a comment within is closed, it is not"},
        {"'it''s;' x", SQL_QUOTED, 8, "a quote doubled goes on"},
        {"'a\\' x", SQL_QUOTED, 4, "a backslash is a letter"},
        {"E'a\\'b' x", SQL_QUOTED, 7, "but an escape after E"},
        {"e'\\", SQL_UNTERMINATED, 3, "an escape at the end"},
        {"'open", SQL_UNTERMINATED, 5, "a quote that is not closed"},
        {"\"a\"\"b\" x", SQL_QUOTED, 6, "a quoted identifier"},
        {"$$a;'$$ x", SQL_QUOTED, 7, "a dollar quote"},
        {"$a$ $$ $b$ $a$ x", SQL_QUOTED, 14, "its tag is what ends it"},
        {"$a$ $$", SQL_UNTERMINATED, 6, "another tag does not"},
        {"$1 x", SQL_OTHER, 1, "a parameter is no dollar quote"},
        {"a$b$c x", SQL_WORD, 5, "nor are dollars within a word"},
        {"\xc3\xa4rger x", SQL_WORD, 6, "letters beyond ASCII"},
        {"1e5 x", SQL_OTHER, 3, "a number"},
        {"::text", SQL_OTHER, 2, "a cast"},
        {":= 1", SQL_OTHER, 2, "an assignment"},
        {":'name' x", SQL_LITERAL_NAME, 7, "a variable"},
        {":\"name\" x", SQL_QUOTED_NAME, 7, "a variable as an identifier"},
        {":scale x", SQL_SCALE_NAME, 6, "the scale"},
        {":scales x", SQL_OTHER, 1, "a longer word is not the scale"},
        {":2]", SQL_OTHER, 1, "a slice"},
        {";", SQL_SEMICOLON, 1, "a semicolon"},
        {"(", SQL_OPEN, 1, "a parenthesis"},
        {"]", SQL_CLOSE, 1, "a bracket"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        SqlToken token = sql_token(cases[i].text);

        tap_u64(token.kind, cases[i].kind, cases[i].label);
        tap_u64(token.length, cases[i].length, "... and its length");
    }
    tap_ok(sql_token_is(sql_token("SeLeCt 1"), "select"), "words are compared in any case");
    tap_ok(!sql_token_is(sql_token("selects"), "select"), "as a whole");
    tap_ok(!sql_token_is(sql_token("'select'"), "'select'"), "and only words");
}

static void
test_ends(void)
{
    static const struct {
        const char *text, *stopped; /* stopped: what is left there */
        bool found;
        const char *label;
    } cases[] = {
        {"select 1; x", "; x", true, "a semicolon"},
        {"select ';'; x", "; x", true, "not one in quotes"},
        {"select 1 -- ;\n; x", "; x", true, "not one in a comment"},
        {"do $$ begin; end; $$; x", "; x", true, "not one in a dollar quote"},
        {"create rule r as on insert to t do (select 1; select 2); x", "; x", true,
         "not one in parentheses"},
        {"select 1); x", "; x", true, "a parenthesis too many is the server's to tell"},
        {"create function f() returns int begin atomic select case when true then 1 end; end; x",
         "; x", true, "not one in the body of a routine"},
        {"create or replace procedure p() begin atomic select 1; select 2; end; x", "; x", true,
         "nor of one that is replaced"},
        {"begin; x", "; x", true, "begin by itself begins a transaction"},
        {"create table t (a int); x", "; x", true, "create by itself is no routine"},
        {"select 1", "", false, "none to the end"},
        {"select 'a; b", "'a; b", false, "a quote that is not closed"},
        {"select 1\n--@ expect 1\n;", "--@ expect 1\n;", false, "a directive inside"},
        {"select 1 --@ no directive\n; x", "; x", true, "behind text it is a comment"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const char *stopped = NULL;

        tap_ok(sql_find_end(cases[i].text, &stopped) == cases[i].found, cases[i].label);
        tap_text(stopped, cases[i].stopped, "... and where");
    }
}

int
main(void)
{
    test_tokens();
    test_ends();
    return tap_done();
}
