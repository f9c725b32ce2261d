#include "report/advise.h"

#include "base/paths.h"
#include "lab/library.h"
#include "results/result_json.h"

#include "support/tap.h"

static Result *reference;

static Advice
advice_of(unsigned facts)
{
    Advice advice = {0};
    Diag diag = {0};

    if (advise(facts, reference, &advice, &diag) != STATUS_OK)
        BUG("%s", diag.message);
    return advice;
}

/* Every row of the table that says what to choose; `rule` is one of those that must apply. */
static void
check_situations(void)
{
    static const struct {
        unsigned facts;
        const char *ddl, *rule, *label;
    } cases[] = {
        {0, "id bigint generated always as identity primary key", "key-bigint",
         "one database, ids never shown"},
        {FACT_OFFLINE_CLIENTS, "id uuid primary key default uuidv7()", "key-elsewhere",
         "clients make ids first"},
        {FACT_OFFLINE_CLIENTS, "uuid_extract_version(id) = 7", "offline-input",
         "an id of a client is checked"},
        {FACT_MANY_WRITERS, "id uuid primary key default uuidv7()", "key-elsewhere",
         "several services make ids"},
        {FACT_MERGE_DATABASES, "id uuid primary key default uuidv7()", "merge",
         "data will be merged"},
        {FACT_CLIENT_RETRIES, "unique (account_id, client_id)", "retries",
         "a client's id only marks retries"},
        {FACT_CLIENT_RETRIES, "id bigint generated", "key-bigint", "references stay inside"},
        {FACT_PUBLIC_URLS, "public_id uuid not null unique default uuidv7()", "public-uuidv7",
         "ids in URLs, creation time not sensitive"},
        {FACT_PUBLIC_URLS, "id bigint generated", "key-bigint", "the key stays inside"},
        {FACT_HIDE_TIME, "public_id uuid not null unique default gen_random_uuid()",
         "public-uuidv4", "creation time must stay hidden"},
        {FACT_HIDE_TIME | FACT_OFFLINE_CLIENTS,
         "public_id uuid not null unique default gen_random_uuid()", "public-uuidv4",
         "also where clients make the key"},
        {FACT_PUBLIC_URLS | FACT_MERGE_DATABASES, "id uuid primary key default uuidv7()",
         "public-key", "a UUIDv7 key is shown itself"},
        {FACT_CAPABILITY_LINKS, "token_sha256 bytea primary key", "links", "capability links"},
        {FACT_CAPABILITY_LINKS, "expires_at timestamptz not null", "links", "with an expiry"},
        {FACT_CAPABILITY_LINKS, "scope text not null", "links", "and a scope"},
        {FACT_EXISTING_UUIDV4, "id uuid primary key default uuidv7()", "existing-uuidv4",
         "already on v4: new tables on v7"},
        {FACT_EXISTING_TEXT, "id uuid primary key default uuidv7()", "existing-text",
         "already UUIDs as text"},
        {FACT_EXISTING_UUIDV7, "id uuid primary key default uuidv7()", "existing-uuidv7",
         "already on v7"},
        {FACT_EXISTING_BIGINT, "id bigint generated", "existing-bigint", "already on bigint"},
        {FACT_EXISTING_BIGINT | FACT_MERGE_DATABASES, "id uuid primary key",
         "existing-bigint-elsewhere", "on bigint, and to be merged"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        Advice advice = advice_of(cases[i].facts);
        bool found = false;
        Text ddl = {0};

        for (size_t rule = 0; rule < advice.rule_count; rule++)
            found |= strcmp(advice.rules[rule]->name, cases[i].rule) == 0;
        advice_ddl(&advice, &ddl);
        tap_contains(ddl.data, cases[i].ddl, cases[i].label);
        tap_ok(found, cases[i].rule);
        text_release(&ddl);
    }
}

/* What never to do, where it applies and where it does not. */
static void
check_never(void)
{
    static const struct {
        unsigned facts;
        const char *rules, *label;
    } cases[] = {
        {0, "never-max ", "MAX(id) + 1 with a counter"},
        {FACT_MERGE_DATABASES, "never-text ", "a uuid as text with a uuid key, no counter"},
        {FACT_PUBLIC_URLS, "never-max never-text never-counter ", "a counter in a URL"},
        {FACT_OFFLINE_CLIENTS, "never-text never-feed ", "a feed by ids of clients"},
        {FACT_CLIENT_RETRIES, "never-max never-text never-feed ", "or by their retry ids"},
        {FACT_EXISTING_TEXT, "never-text ", "a uuid as text where it was done"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        Advice advice = advice_of(cases[i].facts);
        Text names = {0};

        for (size_t rule = 0; rule < advice.rule_count; rule++)
            if (advice.rules[rule]->part == PART_NEVER)
                text_printf(&names, "%s ", advice.rules[rule]->name);
        tap_text(text_data(&names), cases[i].rules, cases[i].label);
        text_release(&names);
    }
}

static size_t
count_parts(const Advice *advice, AdvisePart part)
{
    size_t count = 0;

    for (size_t i = 0; i < advice->rule_count; i++)
        count += advice->rules[i]->part == part;
    return count;
}

/* No facts, however odd together, leave a table without a key or give it two. */
static void
check_all_facts(void)
{
    bool one_key = true, one_public = true, hidden = true, account = true;

    for (unsigned facts = 0; facts < 1u << ADVISE_FACT_COUNT; facts++) {
        Advice advice = advice_of(facts);
        size_t v4 = count_parts(&advice, PART_PUBLIC_UUIDV4);
        size_t public = count_parts(&advice, PART_PUBLIC_UUIDV7) + v4;

        one_key &= count_parts(&advice, PART_KEY_BIGINT) >= 1
                       ? count_parts(&advice, PART_KEY_UUIDV7) == 0
                       : count_parts(&advice, PART_KEY_UUIDV7) == 1;
        one_public &= public <= 1;
        hidden &= (facts & FACT_HIDE_TIME) == 0 || v4 == 1;
        account &= !advice_has(&advice, PART_CLIENT_ID) || advice_has(&advice, PART_ACCOUNT_ID);
    }
    tap_ok(one_key, "one key for any facts");
    tap_ok(one_public, "at most one public id");
    tap_ok(hidden, "a public id of version 4 wherever creation time is hidden");
    tap_ok(account, "an account wherever a client's id is unique within it");
}

static bool
is_claim(const Library *library, const char *id)
{
    for (size_t i = 0; i < library->chapter_count; i++)
        for (size_t claim = 0; claim < library->chapters[i]->claim_count; claim++)
            if (strcmp(library->chapters[i]->claims[claim].id, id) == 0)
                return true;
    return false;
}

static void
check_claims(void)
{
    Library library = {0};
    Diag diag = {0};

    if (library_load(NULL, 0, &library, &diag) != STATUS_OK)
        BUG("%s", diag.message);
    for (size_t i = 0; i < ADVISE_RULE_COUNT; i++) {
        const AdviseRule *rule = &ADVISE_RULES[i];
        bool good = rule->claims[0] != NULL;

        for (size_t claim = 0; claim < ADVISE_CLAIMS_MAX && rule->claims[claim] != NULL; claim++)
            good &= is_claim(&library, rule->claims[claim]);
        tap_ok(good, rule->name);
    }
    library_release(&library);
}

static void
check_price(void)
{
    Advice advice = advice_of(FACT_PUBLIC_URLS), untouched = advice;
    Result *empty = result_new();
    Text text = {0};
    Diag diag = {0};

    advice_print_text(&advice, &text);
    tap_contains(text.data, ADVISE_REFERENCE, "the price names its result");
    tap_contains(text.data, "8 + 22.5           129.8 MB                  129.9 MB",
                 "a bigint: bytes a row, WAL without and with checkpoints");
    tap_contains(text.data, "not id uuid, version 4         16 + 40.0", "the key to compare with");
    tap_u64(advise(0, empty, &untouched, &diag), STATUS_SCENARIO, "a result without the figures");
    tap_contains(diag.message, "\"bigint\"", "is refused by the design's name");
    tap_u64(untouched.facts, FACT_PUBLIC_URLS, "and leaves the advice untouched");
    text_release(&text);
    result_free(empty);
}

int
main(void)
{
    Text path = {0};
    Diag diag = {0};

    setenv("KEYBENCH_DATA", ".", 1); /* tests run at the root of the checkout */
    if (path_data(ADVISE_REFERENCE, &path, &diag) != STATUS_OK ||
        result_load(path.data, &reference, &diag) != STATUS_OK)
        BUG("%s", diag.message);
    check_situations();
    check_never();
    check_all_facts();
    check_claims();
    check_price();
    result_free(reference);
    text_release(&path);
    return tap_done();
}
