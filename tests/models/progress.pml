/* Two processes that may pass the token round for ever without progress. */
byte token;
active proctype A() { do :: token == 0 -> token = 1 :: token == 0 -> progress: token = 1 od }
active proctype B() { do :: token == 1 -> token = 0 od }
