/* A trace assertion is over with the last process, wherever it is. */
chan c = [1] of { byte };
trace { do :: c!_; c?_ od }
init { c!1; c?1; if :: c!2 :: skip fi }
