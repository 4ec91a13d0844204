/* EXPECT verdict=passed exit=0 complete=true -- -DVALUE
 * EXPECT verdict=passed exit=0 complete=true -- -DLIST
 * EXPECT verdict=passed exit=0 complete=true -- -DENTRY
 * EXPECT verdict=passed exit=0 complete=true -- -DNAME
 * EXPECT verdict=passed exit=0 complete=true -- -DZONE
 * EXPECT verdict=passed exit=0 complete=true -- -DOUTPUT
 * EXPECT verdict=passed exit=0 complete=true -- -DFORMATTED
 * EXPECT verdict=passed exit=0 complete=true -- -DERRORS
 * EXPECT verdict=passed exit=0 complete=true -- -DCOUNT
 * EXPECT verdict=passed exit=0 complete=true -- -DPROGRAM
 * The program of libc_variables_bad with a lock; nobody reads values while looking for a name. */
#include "libc_variables.h"

static void *assign(void *unused)
{
#ifndef VALUE
    pthread_mutex_lock(&lock);
#endif
    ASSIGN();
#ifndef VALUE
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}

static void call(void)
{
    pthread_mutex_lock(&lock);
    CALL();
    pthread_mutex_unlock(&lock);
}
