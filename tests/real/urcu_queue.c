/* liburcu's wait-free concurrent queue: two threads enqueue, main dequeues once
 * while they do and the rest after them. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <urcu/wfcqueue.h>

struct item {
    struct cds_wfcq_node node;
    int value;
};

static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;

static void *producer(void *argument)
{
    struct item *item = argument;
    cds_wfcq_enqueue(&head, &tail, &item->node);
    return NULL;
}

static int take(void)
{
    struct cds_wfcq_node *node = cds_wfcq_dequeue_blocking(&head, &tail);
    return node ? caa_container_of(node, struct item, node)->value : 0;
}

int main(void)
{
    pthread_t thread[2];
    struct item item[2] = {{.value = 1}, {.value = 2}};
    cds_wfcq_init(&head, &tail);
    for (int i = 0; i < 2; i++) {
        cds_wfcq_node_init(&item[i].node);
        pthread_create(&thread[i], NULL, producer, &item[i]);
    }
    int sum = take();
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    sum += take() + take();
    assert(sum == 3);
    return 0;
}
