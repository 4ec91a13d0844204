/* EXPECT verdict=passed exit=0 complete=true executions=19 distinct=1
 * A struct is copied while another thread writes the one next to it in the array. */
#include <pthread.h>

struct big {
    long member[20];
};

static struct big source[2], copy;

static void *copier(void *unused)
{
    copy = source[0];
    return unused;
}

static void *writer(void *unused)
{
    source[1].member[0] = 1;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, copier, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return copy.member[3] == 99 || source[1].member[0] == 99;
}
