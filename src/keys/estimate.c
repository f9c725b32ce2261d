#include "keys/estimate.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static const double TAIL = 0.025; /* on each side of a 95% interval */

static int
compare_ids(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

    return (left > right) - (left < right);
}

/* Keep one of each in front of the sorted list; returns how many. */
static size_t
drop_doubles(uint64_t *ids, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (kept == 0 || ids[i] != ids[kept - 1])
            ids[kept++] = ids[i];
    return kept;
}

/* log of C(m, k) / C(total, k): the chance that all k ids are at most m. */
static double
log_chance(uint64_t m, uint64_t total, uint64_t k)
{
    double gap = (double)(total - m);
    double sum = 0;

    if (m < k)
        return -INFINITY;
    for (uint64_t i = 0; i < k && gap > 0; i++)
        sum += log1p(-gap / (double)(total - i));
    return sum;
}

/* A total that is surely over the upper limit; from (m/N)^k, which is never below the chance. */
static uint64_t
over_any_limit(uint64_t m, uint64_t k)
{
    double limit = (double)m * pow(TAIL, -1.0 / (double)k) * 1.001 + 2;

    return limit < (double)INT64_MAX ? (uint64_t)limit : (uint64_t)INT64_MAX;
}

/* The largest total whose ids stay at or below `m` with a chance over TAIL. */
static uint64_t
find_high(uint64_t m, uint64_t k)
{
    uint64_t low = m, high = over_any_limit(m, k);

    if (log_chance(m, high, k) > log(TAIL)) /* there is no larger bigint */
        return high;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;

        if (log_chance(m, middle, k) > log(TAIL))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The smallest total whose ids reach `m` with a chance over TAIL: 1 - P(largest <= m-1). */
static uint64_t
find_low(uint64_t m, uint64_t k)
{
    uint64_t low = m, high = over_any_limit(m, k);

    if (log_chance(m - 1, m, k) < log1p(-TAIL))
        return m;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;

        if (log_chance(m - 1, middle, k) < log1p(-TAIL))
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* m + m/k - 1, in whole numbers: a double has not enough digits. */
static uint64_t
find_total(uint64_t m, uint64_t k)
{
    uint64_t total = m - 1 + (m + k / 2) / k;

    return total < INT64_MAX ? total : INT64_MAX;
}

Status
estimate_total(uint64_t *ids, size_t count, TotalEstimate *estimate, Diag *diag)
{
    uint64_t m, k;

    if (count == 0)
        return diag_set(diag, STATUS_USAGE, "no ids to estimate from");
    qsort(ids, count, sizeof(*ids), compare_ids);
    if (ids[0] == 0 || ids[count - 1] > INT64_MAX) {
        diag_set(diag, STATUS_USAGE, "id %llu is not one that a counter gives",
                 (unsigned long long)(ids[0] == 0 ? 0 : ids[count - 1]));
        diag_hint(diag, "A counter gives 1 to 9223372036854775807.");
        return diag->status;
    }
    k = drop_doubles(ids, count);
    m = ids[k - 1];
    estimate->seen_count = k;
    estimate->largest = m;
    estimate->total = find_total(m, k);
    estimate->low = find_low(m, k);
    estimate->high = find_high(m, k);
    return STATUS_OK;
}

Status
estimate_rate(SeenId first, SeenId second, double *ids_per_s, Diag *diag)
{
    double elapsed_s = ((double)second.time_ns - (double)first.time_ns) / 1e9;
    double rate = ((double)second.id - (double)first.id) / elapsed_s;

    if (first.time_ns == second.time_ns)
        return diag_set(diag, STATUS_USAGE, "two ids of the same time give no rate");
    if (rate < 0) {
        diag_set(diag, STATUS_USAGE, "id %" PRIu64 " came before the smaller id %" PRIu64,
                 first.id > second.id ? first.id : second.id,
                 first.id > second.id ? second.id : first.id);
        diag_hint(diag, "A counter only goes up. Are both of one table, and is each time its own?");
        return diag->status;
    }
    *ids_per_s = rate;
    return STATUS_OK;
}

Status
estimate_budget(uint64_t alphabet, uint64_t length, double probability, IdBudget *budget,
                Diag *diag)
{
    double log10_pairs;

    if (alphabet < 2 || length < 1)
        return diag_set(diag, STATUS_USAGE,
                        "an alphabet of %llu and a length of %llu make no random ids",
                        (unsigned long long)alphabet, (unsigned long long)length);
    if (!(probability > 0 && probability < 1))
        return diag_set(diag, STATUS_USAGE, "probability %g is not between 0 and 1", probability);
    log10_pairs = (double)length * log10((double)alphabet) + log10(-log1p(-probability));
    budget->bits = (double)length * log2((double)alphabet);
    if (log10_pairs < 15) /* few enough that the 1 of n-1 counts */
        budget->log10_ids = log10((1 + sqrt(1 + 8 * pow(10, log10_pairs))) / 2);
    else
        budget->log10_ids = (log10_pairs + log10(2)) / 2;
    budget->ids = pow(10, budget->log10_ids);
    return STATUS_OK;
}
