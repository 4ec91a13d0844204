/* liburcu's wait-free concurrent queue: two threads enqueue, main dequeues everything. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
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

int main(void)
{
    pthread_t thread[2];
    struct item item[2] = {{.value = 1}, {.value = 2}};
    cds_wfcq_init(&head, &tail);
    for (int i = 0; i < 2; i++) {
        cds_wfcq_node_init(&item[i].node);
        pthread_create(&thread[i], NULL, producer, &item[i]);
    }
    int sum = 0, count = 0;
    while (count < 2) {
        struct cds_wfcq_node *node = cds_wfcq_dequeue_blocking(&head, &tail);
        if (node == NULL) {
            sched_yield();
            continue;
        }
        sum += caa_container_of(node, struct item, node)->value;
        count++;
    }
    assert(sum == 3);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
