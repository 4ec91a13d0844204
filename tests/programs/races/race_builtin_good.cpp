/* EXPECT verdict=passed exit=0 complete=true executions=151 distinct=2
 * The same under a mutex. */
#include <algorithm>
#include <pthread.h>

static char words[16], text[16] = "some long words";
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused)
{
    pthread_mutex_lock(&mutex);
    std::copy(text, text + 11, words);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *reader(void *unused)
{
    pthread_mutex_lock(&mutex);
    char seen = words[9];
    pthread_mutex_unlock(&mutex);
    return seen == '?' ? words : unused;
}

int main()
{
    pthread_t a, b;
    pthread_create(&a, nullptr, writer, nullptr);
    pthread_create(&b, nullptr, reader, nullptr);
    pthread_join(a, nullptr);
    pthread_join(b, nullptr);
    return 0;
}
