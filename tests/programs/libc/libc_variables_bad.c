/* EXPECT verdict=data-race exit=7 bound=0 -- -DLIST
 * EXPECT verdict=data-race exit=7 bound=0 -- -DENTRY
 * EXPECT verdict=data-race exit=7 bound=0 -- -DNAME
 * EXPECT verdict=data-race exit=7 bound=0 -- -DZONE
 * EXPECT verdict=data-race exit=7 bound=0 -- -DOUTPUT
 * EXPECT verdict=data-race exit=7 bound=0 -- -DFORMATTED
 * EXPECT verdict=data-race exit=7 bound=0 -- -DERRORS
 * EXPECT verdict=data-race exit=7 bound=0 -- -DINPUT
 * EXPECT verdict=data-race exit=7 bound=0 -- -DCOUNT
 * EXPECT verdict=data-race exit=7 bound=0 -- -DPROGRAM
 * environ, stdout, … are variables of libc and of the program: libc's lock does not order what the
 * program does with them. */
#include "libc_variables.h"

static void *assign(void *unused)
{
    ASSIGN();
    return unused;
}

static void call(void)
{
    CALL();
}
