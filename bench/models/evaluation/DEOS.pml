/* A scheduler with time partitions, in the place of DEOS of paper 001's Table 1, which is not public: in every period each
 * thread may run for its budget. A timer interrupts; a thread may end early, and what it leaves over is slack that
 * the next one may use. Nothing is wrong in it. */
#ifndef THREADS
#define THREADS 3
#endif
#ifndef PERIODS
#define PERIODS 3
#endif
#define BUDGET 2
byte left[THREADS];  /* of each thread's budget in this period */
byte used[THREADS];
byte running = THREADS; /* nobody */
byte slack, lent, periods;
bool tick, done;

inline schedule()
{
    d_step {
        running = 0;
        do
        :: running < THREADS && left[running] == 0 -> running++
        :: else -> break
        od;
        lent = 0
    }
}

active proctype kernel()
{
    byte i;
    do
    :: periods < PERIODS && running == THREADS -> /* a new period begins */
        d_step {
            i = 0;
            do
            :: i < THREADS -> left[i] = BUDGET; used[i] = 0; i++
            :: else -> break
            od;
            slack = 0
        }
        schedule();
        periods++
    :: running < THREADS && tick -> /* the timer: the budget is charged */
        if
        :: lent > 0 -> lent--
        :: lent == 0 -> left[running]--;
            if
            :: left[running] == 0 -> lent = slack; slack = 0
            :: else
            fi
        fi;
        if
        :: lent == 0 && left[running] == 0 -> schedule()
        :: else
        fi;
        tick = false
    :: running < THREADS && done && !tick -> /* it has finished early: the rest is slack */
        slack = slack + left[running] + lent;
        left[running] = 0;
        schedule();
        done = false
    :: periods == PERIODS && running == THREADS -> break
    od
}

active [THREADS] proctype thread()
{
    byte me = _pid - 1;
    do
    :: running == me && !tick && !done ->
        used[me]++;
        assert(used[me] <= THREADS * BUDGET); /* its own and all slack */
        tick = true
    :: running == me && !tick && !done -> done = true
    :: periods == PERIODS && running == THREADS -> break
    od
}
