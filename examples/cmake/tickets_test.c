/* An ordinary test: it runs with and without Mazur. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#include "tickets.h"

static void *customer(void *unused)
{
    (void)unused;
    return (void *)(intptr_t)take_ticket();
}

int main(void)
{
    pthread_t a, b;
    void *first, *second;
    pthread_create(&a, NULL, customer, NULL);
    pthread_create(&b, NULL, customer, NULL);
    pthread_join(a, &first);
    pthread_join(b, &second);
    assert(first != second);
    return 0;
}
