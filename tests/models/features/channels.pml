mtype = { one, two, three };
chan q = [3] of { mtype, byte, short };
chan p = [2] of { chan };
proctype In(chan o) { byte i; do :: i < 3 -> o!!two(3 - i, -5); i++ :: i > 1 -> o!!one,i,7; break od }
proctype Out() { chan x; byte b; short s; p?x; x??two,b,s; x?<one,b,_>; x?eval(one),b,s; if :: x?[two,_,_] -> skip :: x??[two,1,_] -> b = 9 :: empty(x) fi; assert(s >= -5) }
init { atomic { run In(q); run Out() } p!q; len(q) >= 0; nfull(q) }
