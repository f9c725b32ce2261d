#include "lab/chapter.h"

#include "support/tap.h"

#include "base/text.h"

#define HEAD "--@ chapter c: Title\n--@ claim one: a sentence\n"
#define TAIL "select 1;\n--@ expect 1\n"

static Status
parse(const char *text, Chapter **chapter, Diag *diag)
{
    *diag = (Diag){0};
    return chapter_parse("x.sql", text, strlen(text), chapter, diag);
}

static Chapter *
must_parse(const char *text)
{
    Chapter *chapter = NULL;
    Diag diag;

    if (parse(text, &chapter, &diag) != STATUS_OK) {
        diag_print(&diag, stdout);
        exit(1);
    }
    return chapter;
}

static void
test_whole(void)
{
    Chapter *chapter =
        must_parse("-- for the reader\n"
                   "--@ chapter keys: What keys do\n"
                   "--@ needs version 16\n"
                   "--@ setup\n"
                   "create function f() returns int language sql as $$ select 1; $$;\n"
                   "--@ claim first: it holds\n"
                   "--@ why Because\n"
                   "--@ why it matters.\n"
                   "--@ needs extension pgstattuple\n"
                   "create table t (id int); insert into t values (1);\n"
                   "--@ show ids\n"
                   "select id\n"
                   "from t;\n"
                   "--@ expect 1\n"
                   "\n"
                   "-- of the next\n"
                   "--@ claim second: it fails\n"
                   "--@ set x select 1;\n"
                   "--@ error 22012 division ... zero\n"
                   "select :'x'::int / 0;\n");
    const Claim *first = &chapter->claims[0], *second = &chapter->claims[1];

    tap_text(chapter->name, "keys", "the chapter's name");
    tap_text(chapter->title, "What keys do", "and title");
    tap_text(chapter->folder, ".", "a file without a folder");
    tap_u64(chapter->claim_count, 2, "two claims");
    tap_u64(chapter->setup_count, 1, "one statement of setup");
    tap_text(first->id, "first", "a claim's name");
    tap_text(first->sentence, "it holds", "and sentence");
    tap_text(first->why, "Because it matters.", "several lines of why are joined");
    tap_u64(first->setup_count, 1, "the setup is the claim's");
    tap_u64(first->need_count, 2, "its own need and the chapter's");
    tap_u64(first->needs[0].kind, NEED_EXTENSION, "its own first");
    tap_u64((uint64_t)first->needs[1].version_min, 16, "then the chapter's");
    tap_u64(first->step_count, 4, "two statements on one line are two steps");
    tap_text(first->steps[1].text, "insert into t values (1)", "without their semicolons");
    tap_u64(first->steps[2].line, 12, "a step knows its line");
    tap_text(first->steps[2].show, "ids", "and what directives said of it");
    tap_text(first->steps[2].text, "select id\nfrom t", "its lines are kept");
    tap_u64(first->steps[3].kind, STEP_EXPECT, "then what is expected");
    tap_contains(first->source, "--@ claim first: it holds\n", "its source begins with the claim");
    tap_text(first->source + strlen(first->source) - strlen("--@ expect 1"), "--@ expect 1",
             "and ends with its last step: comments below are the next claim's");
    tap_text(second->steps[0].variable, "x", "a variable with its query");
    tap_text(second->steps[0].text, "select 1", "whose semicolon is left out");
    tap_text(second->steps[1].sqlstate, "22012", "an error's SQLSTATE");
    tap_text(second->steps[1].message, "division ... zero", "and text");
    chapter_free(chapter);
}

static void
test_needs_of_steps(void)
{
    static const struct {
        const char *steps;
        NeedKind kind;
        const char *label;
    } cases[] = {
        {"--@ crash\n", NEED_THROWAWAY, "a crash needs a server of ours"},
        {"--@ restart\n", NEED_THROWAWAY, "so does a restart"},
        {"--@ server other\n", NEED_THROWAWAY, "and another server"},
        {"--@ database other\n", NEED_CREATEDB, "another database needs the right to make it"},
        {"--@ run a.json\n", NEED_ROLE, "a run needs the right to checkpoints"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        Text text = {0};
        Chapter *chapter;

        text_printf(&text, HEAD "%s" TAIL, cases[i].steps);
        chapter = must_parse(text.data);
        tap_u64(chapter->claims[0].need_count > 0 ? chapter->claims[0].needs[0].kind : 99,
                cases[i].kind, cases[i].label);
        chapter_free(chapter);
        text_release(&text);
    }
}

static void
test_sessions(void)
{
    Chapter *chapter = must_parse(HEAD "--@ session a\nbegin;\n"
                                       "--@ session b\n--@ blocks\nlock table t;\n"
                                       "--@ session a\ncommit;\n"
                                       "--@ resumes b error 40P01 deadlock\n"
                                       "--@ session b\n--@ disconnect\n"
                                       "--@ server s with wal_level=logical a.b=1\n"
                                       "--@ until\nselect true;\n"
                                       "--@ measure d p q\nselect 1;\n");
    const Step *steps = chapter->claims[0].steps;

    tap_ok(steps[3].blocks, "a statement that blocks");
    tap_u64(steps[6].kind, STEP_RESUMES, "and is resumed");
    tap_text(steps[6].sqlstate, "40P01", "with an error");
    tap_u64(steps[8].kind, STEP_DISCONNECT, "a session ends");
    tap_u64(steps[9].setting_count, 2, "a server's settings");
    tap_text(steps[9].settings[1], "a.b=1", "in their order");
    tap_ok(steps[10].until, "a query that is asked again");
    tap_text(steps[11].design, "d", "what a measured statement is called");
    tap_text(steps[11].phase, "p q", "and its phase");
    chapter_free(chapter);
}

static void
test_errors(void)
{
    static const struct {
        const char *text, *message, *label;
    } cases[] = {
        {"", "x.sql:1: no chapter", "an empty file"},
        {"--@ claim a: b\n", "x.sql:1: the file must begin with", "a claim before the chapter"},
        {"--@ chapter c: T\n", "x.sql:2: a chapter without a claim", "no claim"},
        {"--@ chapter c: T\n--@ chapter d: T\n", "x.sql:2: a second chapter", "two chapters"},
        {"--@ chapter C: T\n", "x.sql:1: expected NAME: TEXT", "a name in capitals"},
        {"--@ chapter c:\n", "x.sql:1: the sentence behind the name is missing", "no title"},
        {"--@ chapter c: T\nselect 1;\n", "x.sql:2: a statement above the first claim",
         "a statement where no claim is"},
        {"--@ chapter c: T\n--@ show a\n", "x.sql:2: \"show\" has no place above the first claim",
         "a directive where no claim is"},
        {"--@ chapter c: T\n--@ setup\n--@ expect 1\n",
         "x.sql:3: \"expect\" has no place in a setup", "a directive in a setup"},
        {HEAD "--@ expct 1\n", "x.sql:3: unknown directive \"expct\"", "a word that is none"},
        {HEAD "--@ expect 1\n", "x.sql:3: \"expect\" does not follow a query", "nothing to expect"},
        {HEAD "--@ error 22012\nselect 1/0;\n--@ expect 1\n", "x.sql:5: \"expect\" does not follow",
         "an answer of a statement that fails"},
        {HEAD "select 1;\n--@ expect\n", "x.sql:4: what is expected is missing", "an empty expect"},
        {HEAD "select 1;\n", "x.sql:2: claim \"one\" has no way to fail",
         "a claim without a check"},
        {HEAD TAIL "--@ claim one: again\n" TAIL, "x.sql:5: claim \"one\" is at line 2 already",
         "two claims of a name"},
        {HEAD TAIL "--@ show a\n", "x.sql:5: no statement follows \"show\"",
         "show without a query"},
        {HEAD "--@ show a\n--@ session b\n" TAIL, "x.sql:3: no statement follows \"show\"",
         "show before another directive"},
        {HEAD "--@ show a\n--@ show b\n" TAIL, "x.sql:4: a second \"show\"", "two shows"},
        {HEAD "--@ error 2301\n" TAIL, "x.sql:3: expected an SQLSTATE", "a short SQLSTATE"},
        {HEAD "--@ blocks\n--@ error 23505\n" TAIL,
         "x.sql:5: the error of a statement that blocks is said by \"resumes\"",
         "blocks and error"},
        {HEAD "--@ blocks\n" TAIL, "x.sql:5: \"expect\" does not follow a query",
         "blocks and an answer"},
        {HEAD "--@ blocks\nselect 1;\n", "x.sql:4: nothing resumes this statement",
         "blocks and no resumes"},
        {HEAD "--@ blocks\nselect 1;\nselect 2;\n",
         "x.sql:5: session \"main\" still waits in the statement of line 4", "a waiting session"},
        {HEAD "--@ resumes b\n", "x.sql:3: no statement of session \"b\" waits", "nobody waits"},
        {HEAD "--@ session b\n--@ blocks\nselect 1;\n--@ session a\n--@ resumes b with 1\n",
         "x.sql:7: expected \"resumes NAME error", "resumes with another word"},
        {HEAD "--@ session a-b\n", "x.sql:3: \"a-b\" cannot name a session", "a session's name"},
        {HEAD "--@ session\n", "x.sql:3: the session needs a name", "no name"},
        {HEAD "--@ server main with a=1\n", "x.sql:3: server \"main\" runs already",
         "settings for the main server"},
        {HEAD "--@ server s with a\n", "x.sql:3: \"a\" is not SETTING=VALUE", "half a setting"},
        {HEAD "--@ crash now\n", "x.sql:3: nothing can stand behind it", "crash with a text"},
        {HEAD "--@ needs version 18 to 17\n", "x.sql:3: expected \"needs version N\"",
         "versions the wrong way round"},
        {HEAD "--@ needs luck\n", "x.sql:3: a claim can need version, superuser,", "another need"},
        {HEAD "--@ needs role\n", "x.sql:3: its name is missing", "a role without a name"},
        {HEAD "--@ measure d\n--@ show a\n" TAIL, "x.sql:5: \"measure\" goes with no other",
         "measure and show"},
        {HEAD "--@ run a.json\n--@ measure d\nselect 1;\n" TAIL,
         "x.sql:2: claim \"one\" has both \"run\" and \"measure\"", "both kinds of measuring"},
        {HEAD "drop table :\"x\";\n", "x.sql:3: nothing sets the variable \"x\"",
         "an unknown name"},
        {HEAD "select :'x';\n", "x.sql:3: nothing sets the variable \"x\"", "an unknown variable"},
        {HEAD "--@ set x select 1\n" TAIL "--@ claim two: b\nselect :'x';\n",
         "x.sql:7: nothing sets the variable \"x\"", "another claim's variable"},
        {HEAD "select 1\n--@ expect 1\n",
         "x.sql:4: a directive inside the statement of line 3: is a \";\" missing?",
         "a forgotten semicolon"},
        {HEAD "select 1", "x.sql:3: a statement without \";\" at its end", "none at the end"},
        {HEAD "select 1,\n 'a;\n", "x.sql:4: a quote or comment is opened here and not closed",
         "an open quote"},
        {HEAD "select 1; --@ expect 1\n", "x.sql:3: a directive stands on a line of its own",
         "a directive behind a statement"},
        {HEAD "\\d t\n", "x.sql:3: a command of psql", "a psql command"},
        {HEAD "copy t from stdin;\n", "x.sql:3: COPY from or to the client", "COPY"},
    };
    Diag diag;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        Chapter *chapter = NULL;

        tap_u64(parse(cases[i].text, &chapter, &diag), STATUS_SCENARIO, cases[i].label);
        tap_contains(diag.message, cases[i].message, "... and where");
        tap_ok(chapter == NULL, "... and nothing is returned");
    }
    parse(HEAD "--@ expct 1\n", &(Chapter *){NULL}, &diag);
    tap_contains(diag.hint, "expect", "the nearest directive is named");
    tap_u64(chapter_parse("x.sql", "--@ chap\0ter", 12, &(Chapter *){NULL}, &diag), STATUS_SCENARIO,
            "a zero byte");
    tap_u64(chapter_parse("x.sql", "\n\n\xff", 3, &(Chapter *){NULL}, &diag), STATUS_SCENARIO,
            "bytes that are no text");
    tap_contains(diag.message, "x.sql:3: bytes that are not UTF-8", "... and where");
    tap_u64(chapter_load("/nowhere/x.sql", &(Chapter *){NULL}, &diag), STATUS_IO,
            "a file that is not there");
}

int
main(void)
{
    test_whole();
    test_needs_of_steps();
    test_sessions();
    test_errors();
    return tap_done();
}
