/* A trace assertion: events, alternatives, jumps, a channel with two fields. */
chan q = [2] of {byte}; chan r = [1] of {byte,bit}; byte x;
trace { L: if :: q!1 -> r!1,_ :: q!2 -> r!_,1; goto L fi; q?_; q?1; do :: r?_,_; q?2 -> break :: q!5 -> q?5 od; q!3 }
active proctype A() { do :: q!1 :: r!1,0 :: q!2 :: r!2,1 :: q!3 -> break  :: q?x :: r?x,_ od }
active proctype B() { byte z; end: do :: q?z :: r?x,1 od }
