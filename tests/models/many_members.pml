/* Channels that are members count, too: reduction lets each process go at once, but the six need 300 if
 * none goes. */
#define TEN(x) \
    chan x##0 = [1] of { byte }; chan x##1 = [1] of { byte }; chan x##2 = [1] of { byte }; \
    chan x##3 = [1] of { byte }; chan x##4 = [1] of { byte }; chan x##5 = [1] of { byte }; \
    chan x##6 = [1] of { byte }; chan x##7 = [1] of { byte }; chan x##8 = [1] of { byte }; \
    chan x##9 = [1] of { byte }
#ifdef FEW
typedef T { TEN(a) };
#else
typedef T { TEN(a); TEN(b); TEN(c); TEN(d); TEN(e) };
#endif
chan met = [0] of { bit };

proctype D() { T t; t.a0!1; t.a0?_; met!1 }

init
{
    run D(); met?_; run D(); met?_; run D(); met?_;
    run D(); met?_; run D(); met?_; run D(); met?_
}
