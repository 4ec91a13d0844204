#!/bin/bash
# The configuration file .mazur of a directory that may belong to another user.
. "$(dirname "$0")/lib.sh"
echo 'int main(void) { return 0; }' >ok.c
cat >wrapper <<'X'
#!/bin/sh
echo "$@" >>ran
exec gcc "$@"
X
chmod +x wrapper

# refused KIND: a .mazur that is not a regular file ends every command, at once
refused() {
    expect 64 timeout "$PATIENCE" "$MAZUR" check ok.c
    says err ".mazur is not a regular file; Mazur did not read it"
    expect 64 timeout "$PATIENCE" "$MAZUR" cc -c ok.c
    says err "not a regular file"
    rm -rf .mazur
}

t ".mazur that is a pipe"
mkfifo .mazur
refused
t ".mazur that is a directory"
mkdir .mazur
refused
t ".mazur that is a link to a device"
ln -s /dev/zero .mazur
refused
t ".mazur that is a link to a pipe"
mkfifo pipe
ln -s pipe .mazur
refused
t ".mazur that is a link to a terminal or to stdin"
ln -s /dev/stdin .mazur
expect 64 "$MAZUR" check ok.c
says err "not a regular file"
rm .mazur
t ".mazur that is a socket"
if command -v python3 >/dev/null; then
    python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(".mazur")'
    refused
fi
t ".mazur that is a link to itself, or to nothing"
ln -s .mazur .mazur
expect 64 "$MAZUR" check ok.c
says err "cannot read .mazur"
rm .mazur
ln -s nothing .mazur
expect 64 "$MAZUR" check ok.c
says err "cannot read .mazur"
rm .mazur
t ".mazur without end"
truncate -s 4G .mazur
expect 64 "$MAZUR" check ok.c
says err ".mazur is larger than a megabyte"
rm .mazur
t ".mazur that is a link to a regular file"
echo 'quiet = maybe' >other
ln -s other .mazur
expect 64 "$MAZUR" check ok.c
says err ".mazur:1: quiet: 'maybe' is not yes or no"
rm .mazur

t "a compiler in a file of one's own is used, and said in one line"
echo "compiler = $PWD/wrapper" >.mazur
chmod 644 .mazur
rm -f ran
expect 0 "$MAZUR" check ok.c
says err "mazur: using compiler = $PWD/wrapper from the file .mazur"
[ "$(wc -l <err)" = 1 ] || fault "more than one line: $(cat err)"
[ -s ran ] || fault "the compiler was not used"
expect 0 "$MAZUR" cc -c ok.c
says err "from the file .mazur"
t "… and not where something else decides"
expect 0 "$MAZUR" check --compiler gcc ok.c
lacks err "from the file"
expect 0 env MAZUR_COMPILER=gcc "$MAZUR" check ok.c
lacks err "from the file"
expect 0 "$MAZUR" help
lacks err "from the file"
$CC ok.c -o ok
expect 0 "$MAZUR" run ./ok
lacks err "from the file"

for mode in 666 664 646 622; do
    t "a compiler in a file that others can write ($mode)"
    chmod $mode .mazur
    rm -f ran
    for command in "check ok.c" "cc -c ok.c" "run ./ok"; do
        # shellcheck disable=SC2086
        expect 64 "$MAZUR" $command
        says err ".mazur:1: compiler runs another program: Mazur accepts it only from a file that belongs to you and that nobody else can write"
    done
    [ ! -e ran ] || fault "it was run"
done
t "a debugger in a file that others can write"
echo "gdb = ./evil" >.mazur
chmod 666 .mazur
expect 64 "$MAZUR" check ok.c
says err "gdb runs another program"
t "other options in a file that others can write"
echo "bound = 1" >.mazur
chmod 666 .mazur
expect 0 "$MAZUR" check ok.c
if [ "$(id -u)" = 0 ]; then
    t "a compiler in somebody else's file"
    echo "compiler = $PWD/wrapper" >.mazur
    chmod 644 .mazur
    chown 12345 .mazur
    rm -f ran
    expect 64 "$MAZUR" check ok.c
    says err "only from a file that belongs to you"
    [ ! -e ran ] || fault "it was run"
    t "a compiler behind somebody else's link"
    chown 0 .mazur
    mv .mazur mine
    ln -s mine .mazur
    chown -h 12345 .mazur
    expect 64 "$MAZUR" check ok.c
    says err "only from a file that belongs to you"
else
    echo "files of other users are not tested: only root can make them"
fi
rm -f .mazur

end_of_file
