/* A rendezvous channel holds no message: asking for one is a mistake, not false. */
chan c = [0] of { byte };
active proctype P() { do :: c?[1] -> skip :: else -> break od }
