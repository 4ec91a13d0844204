/* EXPECT verdict=data-race exit=7 bound=0 location=HERE executions=1 distinct=1
 * Double-checked initialisation with relaxed order: the fast path takes no lock, and nothing
 * orders its reading of the object after the construction. One thread after the other. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define LOAD  memory_order_relaxed
#define STORE memory_order_relaxed

struct object {
    int value;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct object *_Atomic instance;

static struct object *get(void)
{
    struct object *object = atomic_load_explicit(&instance, LOAD);
    if (!object) {
        pthread_mutex_lock(&mutex);
        object = atomic_load_explicit(&instance, memory_order_relaxed);
        if (!object) {
            object = malloc(sizeof *object);
            object->value = 42;
            atomic_store_explicit(&instance, object, STORE);
        }
        pthread_mutex_unlock(&mutex);
    }
    return object;
}

static void *worker(void *unused)
{
    return get()->value == 42 ? unused : &instance; /* HERE */
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(atomic_load(&instance));
    return 0;
}
