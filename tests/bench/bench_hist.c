/*
 * What it costs a writer to time one transaction: two looks at the clock and one value into the
 * histogram, in nanoseconds; the fastest of several rounds, and values as spread as latencies are.
 */
#include "base/clock.h"
#include "base/hist.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 15, RECORDS = 1000000 };

int
main(void)
{
    Hist *hist = mem_new(1, sizeof(*hist));
    double best_ns = 0;

    for (int round = 0; round < ROUNDS; round++) {
        Instant start = instant_now();
        double each_ns;

        for (uint64_t i = 0; i < RECORDS; i++) {
            Instant begun = instant_now();

            hist_record(hist, instant_elapsed_ns(begun) + (i * UINT64_C(2654435761)) % 500000);
        }
        each_ns = (double)instant_elapsed_ns(start) / RECORDS;
        if (round == 0 || each_ns < best_ns)
            best_ns = each_ns;
    }
    if (hist->count != (uint64_t)ROUNDS * RECORDS)
        return 1;
    printf("%.1f\n", best_ns);
    free(hist);
    return 0;
}
