/* The number of random programs that a unit test tries. With sanitizers it is a tenth: they are
 * there for errors in memory, which a few hundred programs show as well as thousands, and they
 * make each several times slower. */
#ifndef UNIT_SIZE_H
#define UNIT_SIZE_H

#ifndef UNIT_SHARE
#ifdef __SANITIZE_ADDRESS__
#define UNIT_SHARE 10
#else
#define UNIT_SHARE 1
#endif
#endif
#define UNIT_SIZE(number) ((number) / UNIT_SHARE)

#endif
