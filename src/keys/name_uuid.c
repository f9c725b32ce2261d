#include "keys/name_uuid.h"

#include "keys/encode.h"

#include <string.h>

static const char DEFAULT_NAME[] = "keybench";

const uint8_t NAMESPACE_DNS[NAMESPACE_BYTES] = {0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1,
                                                0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8};

static const char *
name_of(const KeyParams *params)
{
    return params->name != NULL ? params->name : DEFAULT_NAME;
}

Status
name_uuid_check(const KeyParams *params, Diag *diag)
{
    size_t length = strlen(name_of(params));

    if (length <= KEY_NAME_MAX)
        return STATUS_OK;
    diag_set(diag, STATUS_USAGE, "name of %zu bytes is too long", length);
    diag_hint(diag, "A name has at most %d bytes.", KEY_NAME_MAX);
    return diag->status;
}

void
name_uuid_mint(const KeyMinter *minter, const KeyBatch *batch, NameHash *hash, uint8_t *ids)
{
    const char *name = name_of(&minter->params);
    size_t fixed_length = NAMESPACE_BYTES + strlen(name);
    char input[NAME_INPUT_MAX];

    memcpy(input, NAMESPACE_DNS, NAMESPACE_BYTES);
    memcpy(input + NAMESPACE_BYTES, name, fixed_length - NAMESPACE_BYTES);
    for (size_t i = 0; i < batch->count; i++) {
        size_t digits = encode_decimal(key_number(minter, batch, i), input + fixed_length);

        hash(input, fixed_length + digits, ids + i * UUID_BYTES);
    }
}
