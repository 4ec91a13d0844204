/* EXPECT verdict=data-race exit=7 bound=0 executions=1 distinct=1
 * A struct is copied while another thread writes its last member. */
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
    source[0].member[19] = 1;
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
