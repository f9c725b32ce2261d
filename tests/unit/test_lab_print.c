#include "lab/print.h"

#include "support/tap.h"

#include "base/json.h"

/* A library of one chapter with a claim for each verdict, and what was found of it. */
typedef struct Sample {
    Library library;
    Lab lab;
    Chapter *chapters[1];
    bool *chosen[1];
    bool flags[4];
    Outcome *outcomes[1];
    Outcome found[4];
} Sample;

static const char SOURCE[] = "--@ chapter c: Title\n"
                             "--@ claim held: one & \"two\" < three\n"
                             "--@ why It matters.\n"
                             "--@ needs version 15 to 18\n"
                             "select 1;\n--@ expect 1\n"
                             "--@ claim failed: it #fails\n"
                             "select 1;\n--@ expect 2\n"
                             "--@ claim skipped: it needs more\n"
                             "select 1;\n--@ expect 1\n"
                             "--@ claim missing: not reached\n"
                             "select 1;\n--@ expect 1\n";

static SeenValue values[] = {{"ids", "1, 3"}, {"", "two\nlines"}};
static const char *remarks[] = {"checkpoint, design a"};

static void
fill(Sample *sample)
{
    Diag diag = {0};

    *sample = (Sample){.flags = {true, true, true, true}};
    if (chapter_parse("c.sql", SOURCE, strlen(SOURCE), &sample->chapters[0], &diag) != STATUS_OK) {
        diag_print(&diag, stdout);
        exit(1);
    }
    sample->chosen[0] = sample->flags;
    sample->library = (Library){sample->chapters, sample->chosen, 1};
    sample->found[0] = (Outcome){.verdict = VERDICT_OK,
                                 .reason = "",
                                 .values = values,
                                 .value_count = 2,
                                 .remarks = remarks,
                                 .remark_count = 1,
                                 .elapsed_ns = 1500000000};
    sample->found[1] = (Outcome){.verdict = VERDICT_FAIL,
                                 .failure = FAILURE_EXPECT,
                                 .reason = "expected \"2\", got \"1\"\x01",
                                 .line = 8};
    sample->found[2] = (Outcome){.verdict = VERDICT_SKIP, .reason = "needs #1"};
    sample->found[3] = (Outcome){.verdict = VERDICT_NONE, .reason = ""};
    sample->outcomes[0] = sample->found;
    sample->lab = (Lab){.library = &sample->library,
                        .outcomes = sample->outcomes,
                        .server_version = "18.4",
                        .ok_count = 1,
                        .fail_count = 1,
                        .skip_count = 1,
                        .missing_count = 1,
                        .elapsed_ns = 2000000000};
}

/* What a printer writes into a stream; caller frees. */
typedef struct Capture {
    FILE *stream;
    char *text;
    size_t length;
} Capture;

static FILE *
capture_begin(Capture *capture)
{
    *capture = (Capture){0};
    capture->stream = open_memstream(&capture->text, &capture->length);
    return capture->stream;
}

static void
test_text(Sample *sample)
{
    Capture capture;
    LabPrinter printer = {.stream = capture_begin(&capture), .library = &sample->library};

    for (size_t i = 0; i < 3; i++)
        print_text_outcome(&printer, 0, i, &sample->found[i]);
    print_text_end(&printer, &sample->lab);
    fclose(capture.stream);
    tap_text(capture.text,
             "c: Title\n"
             "  ok    held: one & \"two\" < three\n"
             "        ids: 1, 3; two lines\n"
             "        note: checkpoint, design a\n"
             "  FAIL  failed: it #fails\n"
             "        c.sql:8: expected \"2\", got \"1\"\x01\n"
             "  skip  skipped: it needs more\n"
             "        (needs #1)\n"
             "\n4 claims on PostgreSQL 18.4 in 2.0 s: 1 ok, 1 FAIL, 1 skipped, 1 not reached\n",
             "text for people");
    free(capture.text);
}

static void
test_tap(Sample *sample)
{
    Capture capture;
    LabPrinter printer = {.stream = capture_begin(&capture), .library = &sample->library};

    for (size_t i = 0; i < 3; i++)
        print_tap_outcome(&printer, 0, i, &sample->found[i]);
    print_tap_end(&printer, NULL);
    print_tap_end(&printer, "lost #1\nof 2");
    fclose(capture.stream);
    tap_text(capture.text,
             "ok 1 - held: one & \"two\" < three\n"
             "# ids: 1, 3; two lines\n"
             "# note: checkpoint, design a\n"
             "not ok 2 - failed: it \\#fails\n"
             "# c.sql:8: expected \"2\", got \"1\"\x01\n"
             "ok 3 - skipped: it needs more # SKIP needs \\#1\n"
             "1..3\n"
             "Bail out! lost \\#1 of 2\n",
             "TAP");
    free(capture.text);
}

static void
test_junit(Sample *sample)
{
    Text xml = {0};

    print_junit(&sample->lab, &xml);
    tap_contains(xml.data, "tests=\"4\" failures=\"1\" errors=\"0\" skipped=\"2\" time=\"2.000\"",
                 "JUnit counts, what was not reached as skipped");
    tap_contains(xml.data, "<system-out>one &amp; &quot;two&quot; &lt; three&#10;ids: 1, 3;",
                 "its texts are escaped");
    tap_contains(xml.data, "<failure message=\"expected &quot;2&quot;, got &quot;1&quot;?\">",
                 "and hold no byte that XML has not");
    tap_contains(xml.data, "<skipped message=\"not reached\"/>", "a claim that was not reached");
    tap_contains(xml.data, "name=\"held\" file=\"c.sql\" line=\"2\" time=\"1.500\"", "a test case");
    text_release(&xml);
}

static void
test_json(Sample *sample)
{
    char *json = print_json(&sample->lab, 5, "lost");
    JsonDoc doc = {0};
    Diag diag = {0};
    const cJSON *claims, *failed;

    tap_u64(json_parse("lab", json, strlen(json), 16, &doc, &diag), STATUS_OK, "JSON can be read");
    claims = cJSON_GetObjectItem(cJSON_GetObjectItem(doc.root, "chapters")->child, "claims");
    failed = cJSON_GetArrayItem(claims, 1);
    tap_text(cJSON_GetObjectItem(doc.root, "error")->valuestring, "lost", "why it ended early");
    tap_u64((uint64_t)cJSON_GetObjectItem(doc.root, "scale")->valueint, 5, "its scale");
    tap_text(cJSON_GetObjectItem(failed, "verdict")->valuestring, "fail", "a verdict");
    tap_text(cJSON_GetObjectItem(cJSON_GetObjectItem(failed, "failure"), "kind")->valuestring,
             "expect", "what kind of failure");
    tap_text(cJSON_GetObjectItem(failed, "sql")->valuestring,
             "--@ claim failed: it #fails\nselect 1;\n--@ expect 2", "the SQL");
    tap_text(cJSON_GetObjectItem(cJSON_GetArrayItem(claims, 3), "verdict")->valuestring,
             "not reached", "a claim that was not reached");
    json_release(&doc);
    free(json);
}

static void
test_lists(Sample *sample)
{
    Capture capture;

    sample->flags[1] = sample->flags[2] = sample->flags[3] = false;
    print_list(&sample->library, capture_begin(&capture));
    fclose(capture.stream);
    tap_text(capture.text, "c: Title\n  held                   one & \"two\" < three\n",
             "a list holds what is chosen");
    free(capture.text);
    print_explained(&sample->library, capture_begin(&capture));
    fclose(capture.stream);
    tap_text(capture.text,
             "held: one & \"two\" < three\n"
             "Why it matters: It matters.\n"
             "Needs: PostgreSQL 15 to 18\n"
             "Shown by c.sql:2:\n\n"
             "--@ claim held: one & \"two\" < three\n"
             "--@ why It matters.\n"
             "--@ needs version 15 to 18\n"
             "select 1;\n--@ expect 1\n",
             "a claim explained");
    free(capture.text);
}

int
main(void)
{
    Sample sample;

    fill(&sample);
    test_text(&sample);
    test_tap(&sample);
    test_junit(&sample);
    test_json(&sample);
    test_lists(&sample);
    chapter_free(sample.chapters[0]);
    return tap_done();
}
