/* EXPECT verdict=passed exit=0 complete=true executions=251 distinct=6 -- -O0
 * A function-local static used by two threads, each calling its accessor twice. */
#include <atomic>
#include <pthread.h>

struct registry {
    std::atomic<int> entries{0};
};

static registry &get()
{
    static registry instance;
    return instance;
}

static void *worker(void *unused)
{
    get().entries++;
    get().entries++;
    return unused;
}

int main()
{
    pthread_t a, b;
    pthread_create(&a, nullptr, worker, nullptr);
    pthread_create(&b, nullptr, worker, nullptr);
    pthread_join(a, nullptr);
    pthread_join(b, nullptr);
    return get().entries != 4;
}
