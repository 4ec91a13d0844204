/* The code of a product, as it is: it knows nothing of models. */
#include "link.h"

void sender_begin(struct sender *sender, int value)
{
    sender->busy = true;
    sender->value = (unsigned char)value;
}

void sender_acknowledged(struct sender *sender, int bit)
{
#ifdef LINK_FIXED
    if (bit != sender->bit)
        return; /* of an earlier message, which was sent twice */
#else
    (void)bit;
#endif
    sender->busy = false;
    sender->bit ^= 1;
}

bool receiver_takes(struct receiver *receiver, int bit)
{
    if (bit != receiver->bit)
        return false;
    receiver->bit ^= 1;
    return true;
}
