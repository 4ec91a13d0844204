/* EXPECT verdict=data-race exit=7 bound=0 executions=1 distinct=1
 * std::copy() of a known number of bytes is a few moves, which gcc makes after it has
 * instrumented the code. */
#include <algorithm>
#include <pthread.h>

static char words[16], text[16] = "some long words";

static void *writer(void *unused)
{
    std::copy(text, text + 11, words);
    return unused;
}

static void *reader(void *unused)
{
    return words[9] == '?' ? words : unused;
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
