#include "report/wal_group.h"

#include "base/diag.h"

#include <string.h>

const char *const WAL_GROUP_TITLES[WAL_GROUP_COUNT] = {
    [WAL_GROUP_HEAP] = "heap inserts", [WAL_GROUP_LEAF] = "leaf inserts",
    [WAL_GROUP_SPLIT] = "page splits", [WAL_GROUP_IMAGE] = "images alone",
    [WAL_GROUP_OTHER] = "other",
};

/* Names as pg_walinspect prints them; a type may go on ("INSERT+INIT", "SPLIT_R"). */
static const struct {
    const char *resource_manager, *type_start;
    WalGroup group;
} KINDS[] = {
    {"Heap", "INSERT", WAL_GROUP_HEAP},         {"Heap2", "MULTI_INSERT", WAL_GROUP_HEAP},
    {"Btree", "INSERT_UPPER", WAL_GROUP_SPLIT}, {"Btree", "INSERT_META", WAL_GROUP_SPLIT},
    {"Btree", "INSERT", WAL_GROUP_LEAF},        {"Btree", "SPLIT", WAL_GROUP_SPLIT},
    {"Btree", "NEWROOT", WAL_GROUP_SPLIT},      {"XLOG", "FPI", WAL_GROUP_IMAGE},
};

WalGroup
wal_group_of(const WalKind *kind)
{
    for (size_t i = 0; i < ARRAY_LEN(KINDS); i++)
        if (strcmp(kind->resource_manager, KINDS[i].resource_manager) == 0 &&
            strncmp(kind->record_type, KINDS[i].type_start, strlen(KINDS[i].type_start)) == 0)
            return KINDS[i].group;
    return WAL_GROUP_OTHER;
}

WalGroupBytes
wal_groups_sum(const PhaseResult *phase)
{
    WalGroupBytes sum = {.record_total_bytes = 0};

    for (size_t i = 0; i < phase->wal_kind_count; i++) {
        const WalKind *kind = &phase->wal_kinds[i];
        WalGroup group = wal_group_of(kind);

        sum.record_bytes[group] += kind->record_bytes;
        sum.fpi_bytes[group] += kind->fpi_bytes;
        sum.record_total_bytes += kind->record_bytes;
        sum.fpi_total_bytes += kind->fpi_bytes;
    }
    return sum;
}

const PhaseResult *
wal_find_phase(const Result *result, const char *design, const char *phase)
{
    for (size_t i = 0; i < result->design_count; i++) {
        const PhaseResult *found = NULL;

        if (result->designs[i].error == NULL && strcmp(result->designs[i].name, design) == 0)
            found = design_find_phase(&result->designs[i], phase);
        if (found != NULL && found->complete && found->wal_kind_count > 0)
            return found;
    }
    return NULL;
}
