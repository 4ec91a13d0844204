/* EXPECT verdict=passed exit=0 complete=true executions=1010 distinct=4
 * Double-checked initialisation with release and acquire. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define LOAD  memory_order_acquire
#define STORE memory_order_release

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
