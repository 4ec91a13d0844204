/* EXPECT verdict=data-race exit=7 bound=0 executions=1 distinct=1 -- -O0
 * A function-local static is made once and safely; what is then done to it is not safe. */
#include <atomic>
#include <pthread.h>

struct registry {
    int entries = 0;
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
