/* EXPECT verdict=passed exit=0 complete=true executions=1 distinct=1 -- -DCONVERT=MBRTOWC
 * EXPECT verdict=passed exit=0 complete=true executions=1 distinct=1 -- -DCONVERT=MBRLEN
 * EXPECT verdict=passed exit=0 complete=true executions=1 distinct=1 -- -DCONVERT=MBRTOC32
 * EXPECT verdict=passed exit=0 complete=true executions=1 distinct=1 -- -DCONVERT=MBSNRTOWCS
 * The program of libc_conversion_bad with a state for each thread. */
#include "libc_conversion.h"

static void *first_half(void *unused)
{
    mbstate_t state = {0};
    CONVERT("\xc3", &state);
    return unused;
}

int main(void)
{
    pthread_t thread;
    mbstate_t state = {0};
    if (!setlocale(LC_ALL, "C.UTF-8"))
        return 0;
    pthread_create(&thread, NULL, first_half, NULL);
    assert(CONVERT("\xa4", &state) != 1);
    pthread_join(thread, NULL);
    return 0;
}
