#include "lab/print.h"

#include "base/xml.h"

static void
add_seconds(Text *xml, uint64_t elapsed_ns)
{
    text_printf(xml, " time=\"%.3f\"", (double)elapsed_ns / 1e9);
}

static void
add_verdict(Text *xml, const Chapter *chapter, const Outcome *outcome)
{
    if (outcome->verdict == VERDICT_OK)
        return;
    text_add(xml, outcome->verdict == VERDICT_FAIL ? "      <failure" : "      <skipped");
    xml_add_attribute(xml, "message",
                      outcome->verdict == VERDICT_NONE ? "not reached" : outcome->reason);
    if (outcome->verdict == VERDICT_FAIL) {
        Text place = {0};

        text_printf(&place, "%s:%zu: %s", chapter->file, outcome->line, outcome->reason);
        text_add(xml, ">");
        xml_add_text(xml, place.data);
        text_add(xml, "</failure>\n");
        text_release(&place);
    } else {
        text_add(xml, "/>\n");
    }
}

static void
add_output(Text *xml, const Claim *claim, const Outcome *outcome)
{
    Text output = {0};

    text_printf(&output, "%s\n", claim->sentence);
    outcome_values(outcome, &output);
    for (size_t i = 0; i < outcome->remark_count; i++)
        text_printf(&output, "\nnote: %s", outcome->remarks[i]);
    text_add(xml, "      <system-out>");
    xml_add_text(xml, output.data);
    text_add(xml, "</system-out>\n");
    text_release(&output);
}

static void
add_case(Text *xml, const Chapter *chapter, const Claim *claim, const Outcome *outcome)
{
    text_add(xml, "    <testcase");
    xml_add_attribute(xml, "classname", chapter->name);
    xml_add_attribute(xml, "name", claim->id);
    xml_add_attribute(xml, "file", chapter->file);
    text_printf(xml, " line=\"%zu\"", claim->line);
    add_seconds(xml, outcome->elapsed_ns);
    text_add(xml, ">\n");
    add_verdict(xml, chapter, outcome);
    add_output(xml, claim, outcome);
    text_add(xml, "    </testcase>\n");
}

/* What a suite's or the whole file's head says. */
typedef struct Counts {
    size_t tests, failures, skipped;
    uint64_t elapsed_ns;
} Counts;

static void
add_counts(Text *xml, const Counts *counts)
{
    text_printf(xml, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\"", counts->tests,
                counts->failures, counts->skipped);
    add_seconds(xml, counts->elapsed_ns);
    text_add(xml, ">\n");
}

static Counts
count_chapter(const Lab *lab, size_t chapter)
{
    Counts counts = {0};

    for (size_t claim = 0; claim < lab->library->chapters[chapter]->claim_count; claim++) {
        const Outcome *outcome = &lab->outcomes[chapter][claim];

        if (!lab->library->chosen[chapter][claim])
            continue;
        counts.tests++;
        counts.failures += outcome->verdict == VERDICT_FAIL;
        counts.skipped += outcome->verdict == VERDICT_SKIP || outcome->verdict == VERDICT_NONE;
        counts.elapsed_ns += outcome->elapsed_ns;
    }
    return counts;
}

static void
add_suite(Text *xml, const Lab *lab, size_t number)
{
    const Chapter *chapter = lab->library->chapters[number];
    Counts counts = count_chapter(lab, number);

    text_add(xml, "  <testsuite");
    xml_add_attribute(xml, "name", chapter->name);
    add_counts(xml, &counts);
    text_add(xml, "    <properties>\n      <property name=\"server_version\"");
    xml_add_attribute(xml, "value", lab->server_version);
    text_add(xml, "/>\n    </properties>\n");
    for (size_t claim = 0; claim < chapter->claim_count; claim++)
        if (lab->library->chosen[number][claim])
            add_case(xml, chapter, &chapter->claims[claim], &lab->outcomes[number][claim]);
    text_add(xml, "  </testsuite>\n");
}

void
print_junit(const Lab *lab, Text *xml)
{
    Counts counts = {.tests = library_chosen_count(lab->library),
                     .failures = lab->fail_count,
                     .skipped = lab->skip_count + lab->missing_count,
                     .elapsed_ns = lab->elapsed_ns};

    text_add(xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"keybench lab\"");
    add_counts(xml, &counts);
    for (size_t i = 0; i < lab->library->chapter_count; i++)
        if (library_chapter_chosen(lab->library, i))
            add_suite(xml, lab, i);
    text_add(xml, "</testsuites>\n");
}
