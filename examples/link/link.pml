/* The world around link.c: a line that loses messages, and a clock that is sometimes early.
 *
 * link.c is compiled with the model and called from it. What it keeps between two calls is
 * tracked, so it is part of every state, and the search sets it back with the rest. A c_expr only looks;
 * what changes something is called in a c_code. */
c_decl {
\#include "link.h"
    extern struct sender sender;
    extern struct receiver receiver;
}
c_code {
#ifdef FIXED
\#define LINK_FIXED
#endif
\#include "link.c"
    struct sender sender;
    struct receiver receiver;
}
c_track "&sender" "sizeof(struct sender)"
c_track "&receiver" "sizeof(struct receiver)"

chan line = [1] of { byte, bit }; /* value, bit */
chan back = [2] of { bit };

active proctype Sender()
{
    byte next, value;
    bit b;
    do
    :: c_expr { !sender.busy } ->
        c_code { sender_begin(&sender, PSender->next); };
        next = (next + 1) % 4
    :: c_expr { sender.busy } -> /* at first, or again: the clock */
        c_code { PSender->value = sender.value; PSender->b = sender.bit; };
        if
        :: line!value, b
        :: skip /* lost */
        fi
    :: back?b ->
        c_code { sender_acknowledged(&sender, PSender->b); }
    od
}

active proctype Receiver()
{
    byte value, wanted;
    bit b;
    bool new;
    do
    :: line?value, b ->
        c_code { PReceiver->new = receiver_takes(&receiver, PReceiver->b); };
        if
        :: new ->
            assert(value == wanted);
            wanted = (wanted + 1) % 4
        :: else
        fi;
        if
        :: back!b
        :: skip /* lost */
        fi
    od
}
