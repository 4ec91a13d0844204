/* EXPECT verdict=assertion exit=1 bound=1 location=HERE executions=6 distinct=3
 * The push stores the new top: preempted after it has read the old one, it throws away what the
 * other thread pushed meanwhile. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *_Atomic top;

static void push(int value)
{
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = atomic_load_explicit(&top, memory_order_relaxed);
    atomic_store_explicit(&top, node, memory_order_release);
}

static int pop(void)
{
    struct node *node = atomic_load_explicit(&top, memory_order_acquire);
    while (node && !atomic_compare_exchange_weak_explicit(
                       &top, &node, node->next, memory_order_acquire, memory_order_acquire)) {
    }
    if (!node)
        return 0;
    int value = node->value;
    free(node);
    return value;
}

static void *pusher(void *value)
{
    push(*(int *)value);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int one = 1, two = 2;
    pthread_create(&a, NULL, pusher, &one);
    pthread_create(&b, NULL, pusher, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int first = pop(), second = pop();
    assert(first + second == 3 && pop() == 0); /* HERE */
    return 0;
}
