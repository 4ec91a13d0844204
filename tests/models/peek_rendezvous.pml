/* A message of a rendezvous channel can't be looked at: an error, and no step. */
chan c = [0] of { byte };
active proctype Sender() { do :: c!1 :: c!2 od }
active proctype Receiver() { byte x; do :: c?<x> :: c?x od }
