#!/bin/bash
# The examples for CMake and Meson against an installed Mazur. If cmake, ctest, meson or ninja
# are missing, their part is skipped with a message.
. "$(dirname "$0")/lib.sh"

t 'make install'
prefix=$PWD/prefix
bin=$(dirname "$MAZUR")
# -o all: test the files that are there
expect 0 make -C "$root" --no-print-directory -o all install PREFIX="$prefix" BIN="$bin" LIB="$bin/../lib"
for installed in bin/mazur lib/libmazur.so include/mazur.h include/mazur/calls.h include/mazur/cxx/bits/c++config.h share/man/man1/mazur.1 share/man/man3/mazur.h.3 lib/pkgconfig/mazur.pc \
    lib/cmake/mazur/mazur-config.cmake share/bash-completion/completions/mazur share/zsh/site-functions/_mazur share/fish/vendor_completions.d/mazur.fish; do
    [ -s "$prefix/$installed" ] || fault "$installed is not installed"
done

t 'DESTDIR: a package that will lie elsewhere, usable where it is, and uninstall'
for what in install uninstall; do
    expect 0 make -C "$root" --no-print-directory -o all $what DESTDIR="$PWD/stage" PREFIX=/opt/mazur BIN="$bin" LIB="$bin/../lib"
    [ $what = install ] || break
    says stage/opt/mazur/lib/pkgconfig/mazur.pc '/opt/mazur'
    ! grep -rl "$PWD/stage" stage >/dev/null || fault "the stage is named in $(grep -rl "$PWD/stage" stage)"
    expect 0 stage/opt/mazur/bin/mazur check "$root/examples/bank_fixed.c"
    says out 'complete: every interleaving'
done
[ -z "$(find stage -type f)" ] || fault "uninstall leaves $(find stage -type f)"

if command -v cmake >/dev/null && command -v ctest >/dev/null; then
    t 'CMake: find_package and mazur_add_test'
    expect 0 cmake -S "$root/examples/cmake" -B c -DCMAKE_PREFIX_PATH="$prefix"
    expect 0 cmake --build c
    expect 0 ctest --test-dir c --verbose
    says out 'tickets_test: 3 threads' 'atomics and plain memory seen' '100% tests passed' 'out of 3' 'tickets_test.c:'
    t 'CMake: the version'
    sed 's/find_package(mazur REQUIRED)/find_package(mazur 99 REQUIRED)/' "$root/examples/cmake/CMakeLists.txt" >CMakeLists.txt
    expect 1 cmake -S . -B newer -DCMAKE_PREFIX_PATH="$prefix"
    says err 'requested version "99"'
    t 'CMake: a test launcher'
    if printf '3.29\n%s\n' "$(cmake --version | sed -n '1s/[^0-9.]//gp')" | sort -VC; then
        launcher=CMAKE_TEST_LAUNCHER
    else
        launcher=CMAKE_CROSSCOMPILING_EMULATOR
    fi
    expect 0 cmake -S "$root/examples/cmake" -B c -D$launcher="$prefix/bin/mazur;run;--bound;1"
    expect 0 cmake --build c
    expect 0 ctest --test-dir c --verbose -R plain
    says out 'tickets_plain: 3 threads' '100% tests passed'
else
    echo '# no cmake: its example is not tested'
fi

if command -v meson >/dev/null && command -v ninja >/dev/null; then
    t 'Meson: native file and test setup'
    expect 0 env PATH="$prefix/bin:$PATH" meson setup m "$root/examples/meson" --native-file "$root/examples/meson/mazur.ini"
    expect 0 env PATH="$prefix/bin:$PATH" meson test -C m --setup mazur
    says m/meson-logs/testlog-mazur.txt 'tickets_test: 3 threads' "assertion \`first != second' failed"
    expect 0 env PATH="$prefix/bin:$PATH" meson test -C m
else
    echo '# no meson: its example is not tested'
fi

if command -v pkg-config >/dev/null; then
    t 'make and pkg-config'
    mkdir -p p/cmake && cp -r "$root/examples/make" p/ && cp "$root"/examples/cmake/*.[ch] p/cmake/
    expect 0 env PKG_CONFIG_PATH="$prefix/lib/pkgconfig" make -C p/make check
    says out 'tickets_test: 3 threads' 'plain memory seen' "assertion \`first != second' failed"
    expect 0 env PKG_CONFIG_PATH="$prefix/lib/pkgconfig" pkg-config --exists mazur
else
    echo '# no pkg-config: its example is not tested'
fi

t 'the manual pages are well formed and say everything that the header has'
for page in mazur.1 mazur.h.3; do
    if command -v man >/dev/null && command -v groff >/dev/null; then
        expect 0 man --warnings=w --local-file -Tutf8 "$root/man/$page"
        [ ! -s err ] || fault "$page: $(cat err)"
    fi
done
for word in $(grep -oE '\bmazur_(running|choose|assume|assert|yield|atomic_begin|atomic_end|no_preempt_begin|no_preempt_end|label|invariant|name|history_begin|history_end)\b' \
    "$root/include/mazur.h" | sort -u) $(grep -oE '^static inline (int|void) mazur_[a-z_]+' "$root/include/mazur.h" | sed 's/.* //' |
    grep -vE '_value$|_at$|assert_failed'); do
    grep -q "$word" "$root/man/mazur.h.3" || fault "$word is not in mazur.h(3)"
done

end_of_file
