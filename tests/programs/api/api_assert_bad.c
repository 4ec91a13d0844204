/* EXPECT verdict=assertion exit=1 bound=0 location=HERE says=flag executions=3 -- -DNDEBUG
 * mazur_assert is there with NDEBUG too. */
#include <mazur.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *setter(void *unused)
{
    atomic_fetch_add(&flag, 1);
    return unused;
}

static void *checker(void *unused)
{
    mazur_assert(atomic_load(&flag) == 1); /* HERE */
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, setter, NULL);
    pthread_create(&b, NULL, checker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    mazur_assert(atomic_fetch_add(&flag, 1) == 1);
    return 0;
}
