#!/bin/bash
# What somebody types who does not know Mazur yet, and what it answers.
. "$(dirname "$0")/lib.sh"

echo 'int main(void) { return 0; }' >ok.c
"$CC" -pthread ok.c -o prog && "$CC" -c ok.c && ar rc ok.a ok.o || exit 70
printf 'print(1)\n' >script.py
mkdir folder

t "a source for run, a program for check, a program for nothing"
expect 64 "$MAZUR" run ok.c
says err 'ok.c is a source file; did you mean `mazur check ok.c`?'
expect 64 "$MAZUR" run ./ok.c
says err 'did you mean `mazur check ./ok.c`?'
expect 64 "$MAZUR" check ./prog
says err './prog is a program, not a source file; did you mean `mazur run ./prog`?'
expect 64 "$MAZUR" check prog
says err 'did you mean `mazur run ./prog`?'
expect 64 "$MAZUR" ./prog
says err 'did you mean `mazur run ./prog`?'
expect 0 "$MAZUR" run ./prog
expect 0 "$MAZUR" check ok.c

t "what is no source at all"
for input in ok.o ok.a script.py; do
    expect 64 "$MAZUR" check "$input"
    says err "$input is not a C or C++ source"
done
expect 64 "$MAZUR" check folder
says err "folder is a directory"
expect 64 "$MAZUR" run ./folder
says err "./folder is a directory, not a program"

t "link errors are called link errors, compile errors compile errors"
printf 'int elsewhere(void);\nint main(void) { return elsewhere(); }\n' >link.c
expect 64 "$MAZUR" check link.c
says err "undefined reference to" "link.c compiles but does not link"
lacks err "does not compile"
echo 'int f(void) { return 1; }' >nomain.c
expect 64 "$MAZUR" check nomain.c
says err "nomain.c compiles but does not link" "main is missing"
expect 64 "$MAZUR" check ok.c -lnosuchlibrary
says err "ok.c compiles but does not link"
echo 'int main(void) { return 1 }' >syntax.c
expect 64 "$MAZUR" check syntax.c
says err "syntax.c does not compile; nothing was run"
lacks err "link"

t "C++ in a file that is called .c"
printf '// a queue\n#include <thread>\nint main() { std::thread t([] {}); t.join(); }\n' >queue.c
expect 64 "$MAZUR" check queue.c
says err 'queue.c does not compile as C; it looks like C++ (line 2: #include <thread>): call it .cpp, or add -x c++ before it'
expect 0 "$MAZUR" check -x c++ queue.c
expect 0 "$MAZUR" check -xc++ queue.c
says out "complete"
expect 64 "$MAZUR" check syntax.c
lacks err "C++"

t "a daemon"
printf '#include <unistd.h>\nint main(void) { return daemon(1, 1); }\n' >service.c
for _ in 1 2 3; do
    expect 6 "$MAZUR" check -D_DEFAULT_SOURCE service.c
    says out "daemon" "the program would go on in another process, without Mazur: run it in the foreground"
done

end_of_file
