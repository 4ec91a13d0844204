/* Reduction lets a process go at once, and starts one at once, where nobody looks at numbers. B
 * does: it is process 2 if it is started before A is gone, else process 1. With -D UNSEEN it is
 * only printed. */
proctype A() { skip }

proctype B()
{
#ifdef UNSEEN
    printf("%d\n", _pid)
#else
    assert(_pid == 1)
#endif
}

init
{
    run A();
    run B()
}
