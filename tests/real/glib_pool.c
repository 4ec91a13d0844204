/* GLib's GThreadPool: two exclusive threads work on three tasks. */
#include <glib.h>

static int done;

static void work(gpointer task, gpointer unused)
{
    (void)unused;
    g_atomic_int_add(&done, GPOINTER_TO_INT(task));
}

int main(void)
{
    GThreadPool *pool = g_thread_pool_new(work, NULL, 2, TRUE, NULL);
    for (int i = 1; i <= 3; i++)
        g_thread_pool_push(pool, GINT_TO_POINTER(i), NULL);
    g_thread_pool_free(pool, FALSE, TRUE);
    g_assert_cmpint(g_atomic_int_get(&done), ==, 6);
    return 0;
}
