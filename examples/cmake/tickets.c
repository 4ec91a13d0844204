/* With BROKEN defined, another thread can come between reading and writing. */
#include "tickets.h"

#include <stdatomic.h>

static atomic_int next_ticket;

int take_ticket(void)
{
#ifdef BROKEN
    int ticket = atomic_load(&next_ticket);
    atomic_store(&next_ticket, ticket + 1);
    return ticket;
#else
    return atomic_fetch_add(&next_ticket, 1);
#endif
}
