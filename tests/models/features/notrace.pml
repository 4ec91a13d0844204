/* A notrace assertion that one order of sends completes. */
chan q = [2] of {byte};
notrace { q!1; q!2 }
active proctype A() { if :: q!1 :: q!3 fi; q!2 }
