/* C of a model's own, for scratch_c.pml. */
typedef struct Pair {
    int first, second;
} Pair;
static int steps;
static int advance(int event)
{
    if (event == 2)
        steps++;
    return steps == 2;
}
