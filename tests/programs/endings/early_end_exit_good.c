/* EXPECT exit=0 complete=false -- --races ignore --strategy optimal --bound none
 * EXPECT exit=0 complete=false -- --races ignore
 * Each thread assumes that it came first, by plain memory that is not seen. Nothing fails, but the race was
 * ignored, so that nothing is proven. */
#include <mazur.h>
#include <pthread.h>
#include <stdlib.h>

static int first_was_here, second_was_here;

static void *first(void *unused)
{
    first_was_here = 1;
    mazur_assume(!second_was_here);
    return unused;
}

static void *second(void *unused)
{
    second_was_here = 1;
    mazur_assume(!first_was_here);
    exit(0);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(b, NULL);
    pthread_join(a, NULL);
    return 0;
}
