byte x;
active [2] proctype P() { x++; (_last != _pid || _nr_pr < 2) -> x = x + 2 }
