/* EXPECT verdict=assertion exit=1 bound=0 location=HERE executions=6 distinct=6
 * One of the six combinations of two choices is wrong; each is tried. */
#include <assert.h>
#include <mazur.h>
#include <pthread.h>

static void *worker(void *unused)
{
    int size = mazur_choose(3), error = mazur_choose(2);
    assert(size >= 0 && size < 3 && error >= 0 && error < 2);
    assert(!(size == 2 && error == 1)); /* HERE */
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    pthread_join(a, NULL);
    return 0;
}
