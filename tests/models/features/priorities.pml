byte x;
active proctype Low() priority 1 { x++; x++; x++ }
active proctype High() priority 5 { x == 2; x = 10; set_priority(_pid, 1); x++; assert(x < 20) }
