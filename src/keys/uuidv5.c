#include "keys/facts.h"
#include "keys/name_uuid.h"
#include "keys/uuid.h"

#include <sha1.h>

void
uuidv5_hash(const void *input, size_t length, uint8_t *id)
{
    uint8_t digest[SHA1_DIGEST_LENGTH];
    SHA1_CTX context;

    SHA1Init(&context);
    SHA1Update(&context, input, length);
    SHA1Final(digest, &context);
    uuid_store(id, 5, load_u64(digest), load_u64(digest + 8));
}

static void
mint(KeyMinter *minter, KeyNode *node, const KeyBatch *batch, uint8_t *ids)
{
    (void)node;
    name_uuid_mint(minter, batch, uuidv5_hash, ids);
}

static void
tell(const uint8_t *id, KeyFacts *facts)
{
    (void)id;
    facts_say(facts, "which name it stands for, to whoever guesses it: the SHA-1 hash of one");
}

static KeyFit
explain(const char *text, KeyFacts *facts)
{
    return uuid_explain_version(text, 5, facts);
}

static const KeyMaker MAKER = {
    .check = name_uuid_check,
    .mint = mint,
    .text = uuid_text,
    .tell = tell,
    .explain = explain,
};

const KeyFormat KEY_UUIDV5 = {
    .name = "uuidv5",
    .title = "UUIDv5",
    .bits = 128,
    .order = KEY_ORDER_NONE,
    .text_order = KEY_ORDER_NONE,
    .native = KEY_NATIVE_UUID,
    .width_bytes = UUID_BYTES,
    .takes = KEY_TAKES_NAME | KEY_TAKES_NUMBER,
    .leaks = "its name, to whoever guesses it",
    .text_form = "36 hexadecimal",
    .source = "RFC 9562, section 5.5",
    .forms = UUID_FORMS,
    .form_count = UUID_FORM_COUNT,
    .maker = &MAKER,
};
