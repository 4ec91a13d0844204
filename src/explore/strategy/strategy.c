/* What strategies share (strategy.h). */
#include "explore/strategy/strategy.h"

void strategy_copy(char *to, unsigned long size, const char *text)
{
    if (size == 0)
        return;
    while (*text && size-- > 1)
        *to++ = *text++;
    *to = '\0';
}
