#!/bin/bash
# mazur run: existing programs, and programs that Mazur can't run.
. "$(dirname "$0")/lib.sh"
cat >lock.c <<'C'
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}
static void *two(void *unused)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}
int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, one, 0);
    pthread_create(&t[1], 0, two, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
C
$CC -g -pthread lock.c -o lock

t "an unmodified program: a deadlock with its cycle"
expect 2 "$MAZUR" run ./lock
says out "deadlock" "Who waits for what" "lock b" "lock a" "cycle: T1 → T2 → T1" "not instrumented" \
    "holds a, taken at lock.c:5 one"

t "without debug information names degrade"
$CC -pthread lock.c -o plain
expect 2 "$MAZUR" run ./plain
says out "lock a" "one+0x"
$CC -s -pthread lock.c -o stripped
expect 2 "$MAZUR" run ./stripped
says out "stripped+0x" "cycle: T1 → T2 → T1"

t "what read and write do with memory is no race where the program's atomics are not seen"
cat >handover.c <<'C'
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
static char buffer[64];
static atomic_int filled;
static void *fill(void *unused)
{
    int fd = open("/proc/self/exe", O_RDONLY);
    atomic_store(&filled, read(fd, buffer, sizeof buffer) > 0);
    return unused;
}
static void *use(void *unused)
{
    int fd = open("/dev/null", O_WRONLY);
    if (atomic_load(&filled))
        filled = write(fd, buffer, sizeof buffer) > 0;
    return unused;
}
int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, fill, 0);
    pthread_create(&t[1], 0, use, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
C
$CC -pthread handover.c -o handover
expect 0 "$MAZUR" run ./handover
lacks out "data race"

t "a program that starts no thread is left alone"
printf '#include <stdio.h>\nint main(int c, char **v) { int ch; puts(v[c - 1]); fputs("error\\n", stderr); while ((ch = getchar()) >= 0) putchar(ch); return 42; }\n' >alone.c
$CC alone.c -o alone
echo input | "$MAZUR" run ./alone --bound >out 2>err
[ $? = 42 ] || fault "exit status"
last="run ./alone"
printf -- '--bound\ninput\n' >expected
same out expected
echo error >expected
same err expected
for words in "echo hello" "true" "false" "sh -c 'exit 7'"; do
    eval "$words" >expected 2>&1
    wanted=$?
    eval "expect $wanted \"\$MAZUR\" run $words"
    same out expected
done

t "large output of a program without threads passes through"
printf '#include <stdio.h>\nint main(void) { for (int i = 0; i < 3000000; i++) printf("%%d\\n", i); }\n' >large.c
$CC large.c -o large
"$MAZUR" run ./large | cksum >got
./large | cksum >wanted
last="run ./large"
same got wanted

t "programs that can't be run: exit 6 and the reason"
if $CC -static -pthread lock.c -o static 2>/dev/null; then
    expect 6 "$MAZUR" run --json r.json ./static
    says err "statically linked"
    says r.json '"verdict": "invalid-test"'
fi
if $CC -static-pie -pthread lock.c -o staticpie 2>/dev/null; then
    expect 6 "$MAZUR" run ./staticpie
    says err "static-pie"
fi
printf '#!/bin/sh\nexit 0\n' >script
chmod +x script
expect 6 "$MAZUR" run ./script
says err "is a script"
echo garbage >garbage
chmod +x garbage
expect 6 "$MAZUR" run ./garbage
says err "not an ELF program"
head -c 100 lock >torn
chmod +x torn
expect 6 "$MAZUR" run ./torn
cp lock setuid
chmod u+s setuid
expect 6 "$MAZUR" run ./setuid
says err "setuid"
# another processor: the machine field of the header
cp lock foreign
printf '\x08' | dd of=foreign bs=1 seek=18 conv=notrunc 2>/dev/null
expect 6 "$MAZUR" run ./foreign
says err "another processor"
expect 64 "$MAZUR" run ./lock.c
says err 'did you mean `mazur check ./lock.c`?'
expect 64 "$MAZUR" run ./
says err "is a directory"
if $CC -fsanitize=thread -pthread lock.c -o tsan 2>/dev/null; then
    expect 6 "$MAZUR" run ./tsan
    says err "libtsan"
fi

t "a C++ program without optimisation: places are the user's, not the library's headers"
cat >orders.cpp <<'C'
#include <mutex>
#include <thread>
std::mutex m, n;
void first()
{
    std::lock_guard<std::mutex> a(m);
    std::lock_guard<std::mutex> b(n);
}
void second()
{
    std::lock_guard<std::mutex> a(n);
    std::lock_guard<std::mutex> b(m);
}
int main()
{
    std::thread a(first), b(second);
    a.join();
    b.join();
}
C
g++ -g -O0 -pthread -o orders orders.cpp || fault "g++"
expect 2 "$MAZUR" run --no-trace ./orders
says out "T1 first" "T2 second" "main waits for: join T1, at orders.cpp:17 main" \
    "T1 waits for: lock n, held by T2, at orders.cpp:7 first" "holds m, taken at orders.cpp:6 first" \
    "T2 waits for: lock m, held by T1, at orders.cpp:12 second" "holds n, taken at orders.cpp:11 second"
lacks out "gthr-default.h"

end_of_file
