/* The sum nothing reads, but the index goes out of the array: i stays in the state. DIVISOR: it becomes 0. ONE: it does not. */
int a[2], sum;
byte i;
active proctype P()
{
#ifdef DIVISOR
    i = 1; sum = sum / i; i = 0; sum = sum + 3 / i
#elif defined(ONE)
    i = 1; sum = sum / i
#else
    i = 1; sum = a[i]; i = 2; sum = a[i]
#endif
}
