#!/bin/bash
# Every function that libc and libm export has a row in src/runtime/hooks/libc/libc.def or libm.def, which says
# what it reads and writes: none is forgotten, also when libc gets new ones. And the rows are true of
# libmazur.so: what is modelled or has effects has a hook, what has none has no hook.
. "$(dirname "$0")/lib.sh"
rows() { # of a class
    "$CC" -E -P -x c -I "$root/src" - <<C | grep -o 'ROW [A-Za-z0-9_]*' | cut -d ' ' -f 2 | sort
#define MODELLED(name) $([ "$1" = MODELLED ] && echo ROW name)
#define NEITHER(name) $([ "$1" = NEITHER ] && echo ROW name)
#define INTERNAL(name) $([ "$1" = INTERNAL ] && echo ROW name)
#define EFFECTS(name, ...) $([ "$1" = EFFECTS ] && echo ROW name)
#include "runtime/hooks/libc/libc.def"
#include "runtime/hooks/libc/libm.def"
C
}

# Functions, of the version that programs are linked with today; libc's private ones have another.
exports() {
    nm -D --defined-only --with-symbol-versions "$1" |
        awk '$2 ~ /[TWi]/ && $3 ~ /@@/ && $3 !~ /GLIBC_PRIVATE/ { sub(/@@.*/, "", $3); print $3 }' | sort -u
}

for class in MODELLED NEITHER INTERNAL EFFECTS; do
    rows $class >rows.$class
done
sort rows.* >rows
nm -D --defined-only "$root/lib/libmazur.so" | awk '{ print $3 }' | sort -u >hooks
c_library=$("$CC" -print-file-name=libc.so.6)
mathematics=$("$CC" -print-file-name=libm.so.6)
{ exports "$c_library"; exports "$mathematics"; } | sort -u >exported

t 'every function of libc and libm has a row'
[ "$(wc -l <exported)" -gt 2500 ] || fault "only $(wc -l <exported) functions were found"
missing=$(comm -23 exported <(sort -u rows) | tr '\n' ' ')
[ -z "$missing" ] || fault "no row for: $missing"

t 'no function has two rows'
twice=$(uniq -d rows | tr '\n' ' ')
[ -z "$twice" ] || fault "two rows for: $twice"

t 'the rows say what libmazur.so has hooks for'
unhooked=$(sort rows.MODELLED rows.EFFECTS | comm -12 - exported | comm -23 - hooks | tr '\n' ' ')
[ -z "$unhooked" ] || fault "no hook for: $unhooked"
hooked=$(sort rows.NEITHER rows.INTERNAL | comm -12 - hooks | tr '\n' ' ')
[ -z "$hooked" ] || fault "a hook, but the row says NEITHER or INTERNAL: $hooked"

end_of_file
