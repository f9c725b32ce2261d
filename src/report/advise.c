#include "report/advise.h"

#include "report/advise_price.h"

enum {
    ELSEWHERE = FACT_OFFLINE_CLIENTS | FACT_MANY_WRITERS | FACT_MERGE_DATABASES,
    EXISTING_UUID = FACT_EXISTING_UUIDV4 | FACT_EXISTING_UUIDV7 | FACT_EXISTING_TEXT,
    UUID_KEY = ELSEWHERE | EXISTING_UUID,
};

/* One rule of the key and at most one of public_id apply to any facts. */
const AdviseRule ADVISE_RULES[] = {
    {"key-bigint",
     PART_KEY_BIGINT,
     0,
     0,
     UUID_KEY,
     "A bigint identity key: all rows are made in this one database, so one counter is enough. It "
     "is the smallest key, and new rows go to the end of its index. Identity alone does not make "
     "it unique; the primary key does.",
     {"dense-append", "ratio-wal-v7", "seq-always", "identity-no-unique"}},
    {"bigint-gaps",
     PART_NONE,
     0,
     0,
     UUID_KEY,
     "Expect gaps, and rows that commit in another order: the largest id is no count of rows, and "
     "whoever polls for ids above the last one seen loses some.",
     {"seq-rollback", "seq-conflict", "seq-commit-order"}},
    {"key-elsewhere",
     PART_KEY_UUIDV7,
     0,
     ELSEWHERE,
     0,
     "A UUIDv7 key: ids are made before the row is here, or meet ids of another database, and no "
     "counter does for two places. In time order they keep the index dense and the WAL close to "
     "that of a bigint, where random ones scatter.",
     {"ratio-wal-v7", "ratio-wal-v4", "ratio-dirty", "dense-append", "newest"}},
    {"key-existing",
     PART_KEY_UUIDV7,
     0,
     EXISTING_UUID,
     ELSEWHERE,
     "A UUIDv7 key for new tables: it has the type of the UUIDs that are there, and appends to its "
     "index where a random one scatters.",
     {"uuid-variants", "ratio-wal-v4", "ratio-dirty", "leaf-pages", "newest"}},
    {"merge",
     PART_NONE,
     FACT_MERGE_DATABASES,
     0,
     0,
     "Rows keep their ids and references when databases are merged; counters would collide.",
     {"counters-collide"}},
    {"offline-graph",
     PART_NONE,
     FACT_OFFLINE_CLIENTS,
     0,
     0,
     "A client makes parents and children at once and sends them in one round trip. Ids that "
     "arrive late leave the index less full.",
     {"graph", "late-density"}},
    {"offline-input",
     PART_HONEST_ID,
     FACT_OFFLINE_CLIENTS,
     0,
     0,
     "An id of a client is input: the check refuses other versions and clocks that are more than "
     "a minute fast.",
     {"clock-input", "v7-shift"}},
    {"offline-insert",
     PART_NONE,
     FACT_OFFLINE_CLIENTS,
     0,
     0,
     "Insert with \"on conflict (id) do nothing returning id\". When no row comes back, look the "
     "id up with the caller's account: a retry finds its row, an id of somebody else finds none. "
     "\"do update\" would overwrite the other one's row.",
     {"upsert-safe", "upsert-leak"}},
    {"order",
     PART_CREATED_AT,
     0,
     FACT_OFFLINE_CLIENTS | FACT_MANY_WRITERS,
     0,
     "Ids are in order within one generator only; created_at, which the server sets, is there to "
     "sort by.",
     {"v7-across"}},
    {"public-uuidv7",
     PART_PUBLIC_UUIDV7,
     FACT_PUBLIC_URLS,
     0,
     UUID_KEY | FACT_HIDE_TIME,
     "Only public_id is shown; the counter stays inside. Store the uuid and print it with a type "
     "prefix, as prj_01h455vb4pex5vsknk084sn02q. It tells when the row was made.",
     {"typeid-prefix", "public-size", "lookup-plan", "v7-time"}},
    {"public-key",
     PART_NONE,
     FACT_PUBLIC_URLS,
     UUID_KEY,
     FACT_HIDE_TIME,
     "The key itself may be shown. Store the uuid and print it with a type prefix, as "
     "prj_01h455vb4pex5vsknk084sn02q. It tells when the row was made.",
     {"typeid-prefix", "public-size", "lookup-plan", "v7-time"}},
    {"public-uuidv4",
     PART_PUBLIC_UUIDV4,
     FACT_PUBLIC_URLS | FACT_HIDE_TIME,
     0,
     0,
     "Only public_id is shown, a UUIDv4, because a UUIDv7 tells when the row was made. A separate "
     "random token would do as well. Its index costs what that of a v4 key does.",
     {"v7-time", "v4-alias", "typeid-prefix", "fk"}},
    {"account",
     PART_ACCOUNT_ID,
     0,
     FACT_PUBLIC_URLS | FACT_OFFLINE_CLIENTS | FACT_CLIENT_RETRIES,
     0,
     "Every query has the account in it: to know an id is no right to the row.",
     {"idor", "tenant-fk"}},
    {"retries",
     PART_CLIENT_ID,
     FACT_CLIENT_RETRIES,
     0,
     FACT_OFFLINE_CLIENTS,
     "client_id marks a request that is sent again, once for each account; references use the key. "
     "Insert with \"on conflict (account_id, client_id) do nothing\".",
     {"client-retry", "upsert-leak"}},
    {"links",
     PART_LINKS,
     FACT_CAPABILITY_LINKS,
     0,
     0,
     "A link that lets its holder in carries a random token of its own, with scope and expiry, "
     "never the id. The table keeps the SHA-256 of 32 random bytes, so that who reads it cannot "
     "use them; its reference has an index, which PostgreSQL does not make.",
     {"idor", "nanoid-budget", "fk-not-indexed"}},
    {"existing-bigint",
     PART_NONE,
     FACT_EXISTING_BIGINT,
     0,
     ELSEWHERE,
     "The bigint keys that are there stay.",
     {"ratio-wal-v7", "dense-append"}},
    {"existing-bigint-public",
     PART_NONE,
     FACT_EXISTING_BIGINT | FACT_PUBLIC_URLS,
     0,
     ELSEWHERE,
     "Old tables get public_id in steps: the column without a default, then the default, then old "
     "rows in batches, then the unique index, concurrently.",
     {"volatile-default", "backfill"}},
    {"existing-bigint-elsewhere",
     PART_NONE,
     FACT_EXISTING_BIGINT,
     ELSEWHERE,
     0,
     "Old tables get a uuid beside the counter in steps: a nullable column, its default, old rows "
     "in batches, a unique index built concurrently, references, and reads last.",
     {"counters-collide", "volatile-default", "backfill", "migrate-surrogate"}},
    {"existing-uuidv4",
     PART_NONE,
     FACT_EXISTING_UUIDV4,
     0,
     0,
     "Old tables stay on v4: changing their keys means changing every reference. New tables can "
     "reference them as they are, at the price of v4 for each index on such a column.",
     {"natural-change", "uuid-variants", "fk"}},
    {"existing-uuidv4-public",
     PART_NONE,
     FACT_EXISTING_UUIDV4 | FACT_HIDE_TIME,
     0,
     0,
     "The old v4 keys can be shown as they are: they tell no time.",
     {"v7-time"}},
    {"existing-uuidv7",
     PART_NONE,
     FACT_EXISTING_UUIDV7,
     0,
     0,
     "The UUIDv7 keys that are there stay.",
     {"ratio-wal-v7", "v7-monotonic"}},
    {"existing-text",
     PART_NONE,
     FACT_EXISTING_TEXT,
     0,
     0,
     "New tables store the id as uuid. Changing the old ones means changing every reference with "
     "them, since a uuid column cannot reference a text key.",
     {"fk-type", "natural-change", "migrate-surrogate"}},
    {"never-max",
     PART_NEVER,
     0,
     0,
     UUID_KEY,
     "MAX(id) + 1 as the next id: two sessions see the same largest id, and the second one fails.",
     {"concurrent-register", "seq-rollback"}},
    {"never-text",
     PART_NEVER,
     0,
     UUID_KEY | FACT_PUBLIC_URLS | FACT_CLIENT_RETRIES,
     0,
     "A uuid stored as text: it is larger in table and index, and one id can be there twice.",
     {"text-size", "text-case"}},
    {"never-counter",
     PART_NEVER,
     FACT_PUBLIC_URLS,
     0,
     0,
     "A counter in a URL, also in disguise: a few ids tell how many rows there are and how fast "
     "they grow, and id + 1 is the neighbour's.",
     {"tank-5", "growth", "idor", "sqids-decode"}},
    {"never-feed",
     PART_NEVER,
     0,
     FACT_OFFLINE_CLIENTS | FACT_MANY_WRITERS | FACT_CLIENT_RETRIES,
     0,
     "Ordering a feed by an id that a client made: its clock decides where the row stands.",
     {"v7-across", "v7-shift"}},
};
const size_t ADVISE_RULE_COUNT = ARRAY_LEN(ADVISE_RULES);

_Static_assert(ARRAY_LEN(ADVISE_RULES) <= ADVISE_RULES_MAX, "ADVISE_RULES_MAX is too small");

static bool
rule_applies(const AdviseRule *rule, unsigned facts)
{
    return (facts & rule->all) == rule->all && (rule->any == 0 || (facts & rule->any) != 0) &&
           (facts & rule->none) == 0;
}

Status
advise(unsigned facts, const Result *reference, Advice *advice, Diag *diag)
{
    Advice made = {.facts = facts, .reference = reference};

    Status status = price_require(reference, diag);

    if (status != STATUS_OK)
        return status;
    if ((made.facts & FACT_HIDE_TIME) != 0)
        made.facts |= FACT_PUBLIC_URLS;
    for (size_t i = 0; i < ADVISE_RULE_COUNT; i++)
        if (rule_applies(&ADVISE_RULES[i], made.facts))
            made.rules[made.rule_count++] = &ADVISE_RULES[i];
    *advice = made;
    return STATUS_OK;
}

bool
advice_has(const Advice *advice, AdvisePart part)
{
    for (size_t i = 0; i < advice->rule_count; i++)
        if (advice->rules[i]->part == part)
            return true;
    return false;
}

/* ---- The design ---- */

/* Lines of "create table", in their order. */
static const struct {
    AdvisePart part; /* PART_NONE: always */
    const char *line;
    const char *after_type; /* not NULL: the key's type stands between */
} TABLE_LINES[] = {
    {PART_KEY_BIGINT, "    id bigint generated always as identity primary key", NULL},
    {PART_KEY_UUIDV7, "    id uuid primary key default uuidv7()", NULL},
    {PART_ACCOUNT_ID, "    account_id ", " not null"},
    {PART_PUBLIC_UUIDV7, "    public_id uuid not null unique default uuidv7()", NULL},
    {PART_PUBLIC_UUIDV4, "    public_id uuid not null unique default gen_random_uuid()", NULL},
    {PART_CLIENT_ID, "    client_id uuid not null", NULL},
    {PART_CREATED_AT, "    created_at timestamptz not null default now()", NULL},
    {PART_NONE, "    name text not null", NULL},
    {PART_CLIENT_ID, "    unique (account_id, client_id)", NULL},
    {PART_HONEST_ID,
     "    constraint honest_id check (uuid_extract_version(id) = 7\n"
     "        and uuid_extract_timestamp(id) <= now() + interval '1 minute')",
     NULL},
};

static const char LINK_TABLE[] =
    "\ncreate table project_link (\n"
    "    token_sha256 bytea primary key check (octet_length(token_sha256) = 32),\n"
    "    project_id %s not null references project on delete cascade,\n"
    "    scope text not null,\n"
    "    expires_at timestamptz not null\n"
    ");\n"
    "create index on project_link (project_id);\n";

void
advice_ddl(const Advice *advice, Text *sql)
{
    const char *key_type = advice_has(advice, PART_KEY_BIGINT) ? "bigint" : "uuid";
    const char *separator = "";

    text_add(sql, "create table project (\n");
    for (size_t i = 0; i < ARRAY_LEN(TABLE_LINES); i++) {
        if (TABLE_LINES[i].part != PART_NONE && !advice_has(advice, TABLE_LINES[i].part))
            continue;
        text_printf(sql, "%s%s", separator, TABLE_LINES[i].line);
        if (TABLE_LINES[i].after_type != NULL)
            text_printf(sql, "%s%s", key_type, TABLE_LINES[i].after_type);
        separator = ",\n";
    }
    text_add(sql, "\n);\n");
    if (advice_has(advice, PART_LINKS))
        text_printf(sql, LINK_TABLE, key_type);
}
