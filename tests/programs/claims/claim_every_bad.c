/* EXPECT verdict=data-race exit=7 bound=0 says=data -- -O0
 * One execution passes: main joins the other thread, reads and exits before the writer has run. */
#include <pthread.h>

int data;

static void *nothing(void *unused)
{
    return unused;
}

static void *writer(void *unused)
{
    data = 1;
    return unused;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, writer, NULL);
    pthread_create(&other, NULL, nothing, NULL);
    pthread_join(other, NULL);
    int seen = data;
    (void)seen;
    return 0;
}
