/* GLib's GAsyncQueue: two producers, main consumes.
 * SEED: the producers also count their items without a lock. */
#include <glib.h>

static GAsyncQueue *queue;
static int produced;
static GMutex lock;

static gpointer producer(gpointer item)
{
#ifndef SEED
    g_mutex_lock(&lock);
#endif
    produced++;
#ifndef SEED
    g_mutex_unlock(&lock);
#endif
    g_async_queue_push(queue, item);
    return NULL;
}

int main(void)
{
    queue = g_async_queue_new();
    GThread *a = g_thread_new("a", producer, GINT_TO_POINTER(1));
    GThread *b = g_thread_new("b", producer, GINT_TO_POINTER(2));
    int sum = GPOINTER_TO_INT(g_async_queue_pop(queue));
    sum += GPOINTER_TO_INT(g_async_queue_pop(queue));
    g_assert_cmpint(sum, ==, 3);
    g_thread_join(a);
    g_thread_join(b);
    g_assert_cmpint(produced, ==, 2);
    g_async_queue_unref(queue);
    return 0;
}
