/* The number of random programs that a unit test tries. With sanitizers it is a tenth: they are
 * there for errors in memory, which a few hundred programs show as well as thousands, and they
 * make each several times slower. */
#ifndef UNIT_SIZE_H
#define UNIT_SIZE_H

#include <stdbool.h>
#include <stdlib.h>

#ifndef UNIT_SHARE
#ifdef __SANITIZE_ADDRESS__
#define UNIT_SHARE 10
#else
#define UNIT_SHARE 1
#endif
#endif
#define UNIT_SIZE(number) ((number) / UNIT_SHARE)

/* `make test` takes one third of the random programs and models, another one for each commit
 * (TEST_SAMPLE); otherwise all are taken. */
#define UNIT_SAMPLES 3

static inline unsigned unit_sample(void)
{
    const char *sample = getenv("TEST_SAMPLE");
    return sample ? (unsigned)(strtoull(sample, NULL, 10) % UNIT_SAMPLES) : UNIT_SAMPLES;
}

/* Is number `number` in the sample? */
static inline bool unit_samples(unsigned number)
{
    unsigned sample = unit_sample();
    return sample == UNIT_SAMPLES || number % UNIT_SAMPLES == sample;
}

#endif
