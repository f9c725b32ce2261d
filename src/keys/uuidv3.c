#include "keys/facts.h"
#include "keys/name_uuid.h"
#include "keys/uuid.h"

#include <md5.h>

void
uuidv3_hash(const void *input, size_t length, uint8_t *id)
{
    uint8_t digest[MD5_DIGEST_LENGTH];
    MD5_CTX context;

    MD5Init(&context);
    MD5Update(&context, input, length);
    MD5Final(digest, &context);
    uuid_store(id, 3, load_u64(digest), load_u64(digest + 8));
}

static void
mint(KeyMinter *minter, KeyNode *node, const KeyBatch *batch, uint8_t *ids)
{
    (void)node;
    name_uuid_mint(minter, batch, uuidv3_hash, ids);
}

static void
tell(const uint8_t *id, KeyFacts *facts)
{
    (void)id;
    facts_say(facts, "which name it stands for, to whoever guesses it: the MD5 hash of one");
}

static KeyFit
explain(const char *text, KeyFacts *facts)
{
    return uuid_explain_version(text, 3, facts);
}

static const KeyMaker MAKER = {
    .check = name_uuid_check,
    .mint = mint,
    .text = uuid_text,
    .tell = tell,
    .explain = explain,
};

const KeyFormat KEY_UUIDV3 = {
    .name = "uuidv3",
    .title = "UUIDv3",
    .bits = 128,
    .order = KEY_ORDER_NONE,
    .text_order = KEY_ORDER_NONE,
    .native = KEY_NATIVE_UUID,
    .width_bytes = UUID_BYTES,
    .takes = KEY_TAKES_NAME | KEY_TAKES_NUMBER,
    .leaks = "its name, to whoever guesses it",
    .text_form = "36 hexadecimal",
    .source = "RFC 9562, section 5.3",
    .forms = UUID_FORMS,
    .form_count = UUID_FORM_COUNT,
    .maker = &MAKER,
};
