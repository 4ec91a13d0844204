/* The jump at the end of an atomic sequence is a step of its own, and is not escaped from. */
byte g0, g1;
active proctype P0()
{
  byte x;
L2: { g0 = 1; atomic { { g0 = 2; g1 = 0 } unless { x != 1 -> g1 = 1; g1 = 2 } }; x = 1 } unless { g1 == 2 -> x = 2 };
}
active proctype P1() { g1 = 1; g1 = 2 }
