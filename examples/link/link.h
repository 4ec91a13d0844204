/* Stop-and-wait: a message is sent again and again until it is acknowledged. */
#ifndef LINK_H
#define LINK_H

#include <stdbool.h>

struct sender {
    bool busy; /* a message is on its way */
    unsigned char bit, value;
};

struct receiver {
    unsigned char bit; /* of the message that comes next */
};

/* The sender has nothing on its way: this goes next. */
void sender_begin(struct sender *sender, int value);
void sender_acknowledged(struct sender *sender, int bit);
/* Is this a message that was not received before? */
bool receiver_takes(struct receiver *receiver, int bit);

#endif
