/* EXPECT verdict=assertion exit=1 -- -DCONVERT=MBTOWC
 * EXPECT verdict=assertion exit=1 -- -DCONVERT=MBRTOWC
 * EXPECT verdict=assertion exit=1 -- -DCONVERT=MBRLEN
 * EXPECT verdict=assertion exit=1 -- -DCONVERT=MBRTOC32
 * EXPECT verdict=assertion exit=1 -- -DCONVERT=MBSNRTOWCS
 * A conversion without a state of the caller goes on where the last call of any thread stopped, here
 * in the middle of a character. */
#include "libc_conversion.h"

static void *first_half(void *unused)
{
    CONVERT("\xc3", NULL);
    return unused;
}

int main(void)
{
    pthread_t thread;
    if (!setlocale(LC_ALL, "C.UTF-8"))
        return 0;
    pthread_create(&thread, NULL, first_half, NULL);
    assert(CONVERT("\xa4", NULL) != 1);
    pthread_join(thread, NULL);
    return 0;
}
