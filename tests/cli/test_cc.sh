#!/bin/bash
# mazur cc and mazur c++ as drop-in compilers.
. "$(dirname "$0")/lib.sh"
cat >one.c <<'C'
#include <stdio.h>
#include <mazur.h>
int two(void);
int main(void)
{
#ifndef __SANITIZE_THREAD__
#if !defined(__has_feature) || !__has_feature(thread_sanitizer)
#error "not instrumented"
#endif
#endif
    printf("%d %d\n", two(), mazur_running());
    return 0;
}
C
echo 'int two(void) { return VALUE; }' >two.c
cat >plus.cpp <<'C'
#include <iostream>
#include <thread>
int main()
{
    int x = 0;
    std::thread([&] { x = 7; }).join();
    std::cout << x << "\n";
}
C

for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    t "$compiler: compile and link in one command"
    expect 0 "$MAZUR" cc --compiler $compiler -DVALUE=2 one.c two.c -o both
    expect 0 ./both
    says out "2 0"

    t "$compiler: compile, then link"
    expect 0 "$MAZUR" cc --compiler=$compiler -O2 -c one.c -o one.o
    expect 0 "$MAZUR" cc --compiler=$compiler -D VALUE=3 -c two.c
    expect 0 "$MAZUR" cc --compiler=$compiler one.o two.o -o apart
    expect 0 ./apart
    says out "3 0"
    ! ldd apart | grep -q libtsan || fault "linked with libtsan"
    ldd apart | grep -q libmazur || fault "not linked with libmazur"

    t "$compiler: C++"
    expect 0 "$MAZUR" c++ --compiler $compiler -std=c++17 plus.cpp -o plus
    expect 0 ./plus
    says out 7
    expect 0 "$MAZUR" run ./plus
    says out "complete: every interleaving"
done

t "a shared library and its program"
expect 0 "$MAZUR" cc -DVALUE=4 -fPIC -shared two.c -o libtwo.so
expect 0 "$MAZUR" cc one.c -L. -ltwo -Wl,-rpath,"$PWD" -o shared
expect 0 ./shared
says out "4 0"

t "-x, stdin and -fsanitize=thread"
echo 'int main(void) { return 5; }' >source.txt
expect 0 "$MAZUR" cc -x c source.txt -o typed
expect 5 ./typed
expect 0 "$MAZUR" cc -fsanitize=thread -DVALUE=6 one.c two.c -o same_flag
expect 0 ./same_flag
says out "6 0"

t "errors are the compiler's own"
echo 'int main(void) { return x; }' >wrong.c
expect 1 "$MAZUR" cc wrong.c -o wrong
says err "wrong.c:1"
[ ! -e wrong ] || fault "a program was left"
expect 0 "$MAZUR" cc --version
expect 64 "$MAZUR" cc --compiler no-such-compiler one.c
says err "not installed"

t "-static is refused"
expect 64 "$MAZUR" cc -static one.c two.c -DVALUE=1
says err "-static"

t "CC set to mazur cc does not loop"
CC="$MAZUR cc" expect 0 "$MAZUR" cc -DVALUE=2 one.c two.c -o loop
expect 0 ./loop

t "no temporary objects are left"
mkdir tmp
TMPDIR=$PWD/tmp expect 0 "$MAZUR" cc -DVALUE=2 one.c two.c -o both
[ -z "$(ls tmp)" ] || fault "left in TMPDIR: $(ls tmp)"

t "a fence is no warning: -Werror builds go on building"
cat >fence.c <<'END'
#include <stdatomic.h>
int main(void)
{
    atomic_thread_fence(memory_order_seq_cst);
    return 0;
}
END
expect 0 "$MAZUR" cc -O2 -Wall -Wextra -Werror fence.c -o fence

t "optimisation at link time does not lose the instrumentation"
cp "$root/examples/bank_fixed.c" .
expect 0 "$MAZUR" check -O2 -flto bank_fixed.c
says out "plain memory seen" "complete: every interleaving"
expect 0 "$MAZUR" cc -O2 -flto=auto -fwhole-program -c bank_fixed.c
expect 0 "$MAZUR" cc -flto=auto bank_fixed.o -o bank
expect 0 "$MAZUR" run ./bank
says out "plain memory seen"

t "strict warnings: none is about what Mazur adds"
cat >strict.c <<'C'
#include <string.h>
int main(void)
{
    char text[8];
    memcpy(text, "abc", 4);
    return strlen(text) != 3;
}
C
cat >strict.cpp <<'C'
#include <algorithm>
#include <string>
#include <vector>
int main()
{
    std::vector<int> from(10), to(10);
    std::copy(from.begin(), from.end(), to.begin());
    std::sort(to.begin(), to.end());
    return std::string("abc") + "d" == "abcd" ? 0 : 1;
}
C
expect 0 "$MAZUR" cc -std=c89 -pedantic-errors -Wall -Wextra -Werror -o strict strict.c
expect 0 "$MAZUR" cc -std=c11 -O2 -D_FORTIFY_SOURCE=2 -Wall -Wextra -Wshadow -Wconversion -Wundef -Werror -o strict strict.c
for standard in c++11 c++17 c++20; do
    expect 0 "$MAZUR" c++ -std=$standard -O2 -Wall -Wextra -Wshadow -Wconversion -pedantic-errors -Werror -o strict strict.cpp
done
expect 0 ./strict

t "debug information is added, unless the user decides"
echo 'int f(int x) { return x; }' >debug.c
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    has_debug() { readelf -S "$1" | grep -q debug_info; }
    expect 0 "$MAZUR" cc --compiler $compiler -c debug.c -o debug.o
    has_debug debug.o || fault "$compiler: no debug information"
    expect 0 "$MAZUR" cc --compiler $compiler -g0 -c debug.c -o debug.o
    ! has_debug debug.o || fault "$compiler: debug information in spite of -g0"
    expect 0 "$MAZUR" cc --compiler $compiler -DVALUE=2 one.c two.c -o both
    has_debug both || fault "$compiler: no debug information when compiling and linking"
    expect 0 "$MAZUR" cc --compiler $compiler -g0 -DVALUE=2 one.c two.c -o both
    ! has_debug both || fault "$compiler: debug information in spite of -g0 (linked)"
done
expect 0 "$MAZUR" c++ -c plus.cpp
has_debug plus.o || fault "c++: no debug information"

end_of_file
