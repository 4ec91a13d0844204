# The examples for CMake and Meson against an installed Mazur. Where cmake, ctest, meson or ninja
# are missing, their part is left out, with a message.

t 'make install'
prefix=$PWD/prefix
bin=$(dirname "$MAZUR")
# -o all: what is being tested is what is there
expect 0 make -C "$root" --no-print-directory -o all install PREFIX="$prefix" BIN="$bin" LIB="$bin/../lib"
for installed in bin/mazur lib/libmazur.so include/mazur.h share/man/man1/mazur.1 lib/pkgconfig/mazur.pc \
    lib/cmake/mazur/mazur-config.cmake share/bash-completion/completions/mazur share/zsh/site-functions/_mazur; do
    [ -s "$prefix/$installed" ] || fault "$installed is not installed"
done

if command -v cmake >/dev/null && command -v ctest >/dev/null; then
    t 'CMake: find_package and mazur_add_test'
    expect 0 cmake -S "$root/examples/cmake" -B c -DCMAKE_PREFIX_PATH="$prefix"
    expect 0 cmake --build c
    expect 0 ctest --test-dir c --verbose
    says out 'tickets_test: 3 threads' 'atomics and plain memory seen' '100% tests passed' 'out of 3'
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
