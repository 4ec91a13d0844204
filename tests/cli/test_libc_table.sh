#!/bin/bash
# Compares the rows of src/runtime/hooks/def/hooks.def with the libraries: every function that
# libmazur.so exports has exactly one row, and every row for a hook has a function there; every
# function that libc and libm export has a row, even if a new version adds some; the signatures
# are those of the headers; every function that libstdc++ exports has a row or is known to need
# none (libstdcxx.untouched).
. "$(dirname "$0")/lib.sh"

expand_rows() { # expands the rows with the definitions on standard input
    { cat; echo '#include "runtime/hooks/def/hooks.def"'; } | "$CC" -E -P -x c -I "$root/src" -
}

rows() { # of a class
    expand_rows <<C | grep -o 'ROW [A-Za-z0-9_]*' | cut -d ' ' -f 2 | sort
#define MODELLED(name, ...) $([ "$1" = MODELLED ] && echo ROW name)
#define FORWARDED(name, ...) $([ "$1" = FORWARDED ] && echo ROW name)
#define NEITHER(name) $([ "$1" = NEITHER ] && echo ROW name)
#define INTERNAL(name) $([ "$1" = INTERNAL ] && echo ROW name)
C
}

# Functions of the version with which programs are linked today; libc's private ones have
# another.
exports() {
    nm -D --defined-only --with-symbol-versions "$1" |
        awk '$2 ~ /[TWi]/ && $3 ~ /@@/ && $3 !~ /GLIBC_PRIVATE/ { sub(/@@.*/, "", $3); print $3 }' | sort -u
}

for class in MODELLED FORWARDED NEITHER INTERNAL; do
    rows $class >rows.$class
done
sort rows.* >rows
sort rows.MODELLED rows.FORWARDED >rows.hooked
nm -D --defined-only "$root/lib/libmazur.so" | awk '$2 ~ /[TWi]/ { print $3 }' | sort -u >hooks
c_library=$("$CC" -print-file-name=libc.so.6)
mathematics=$("$CC" -print-file-name=libm.so.6)
{ exports "$c_library"; exports "$mathematics"; } | sort -u >exported

t 'no function has two rows'
twice=$(uniq -d rows | tr '\n' ' ')
[ -z "$twice" ] || fault "two rows for: $twice"

t 'every function that libmazur.so exports has a row, and every such row a function'
[ "$(wc -l <hooks)" -gt 2500 ] || fault "only $(wc -l <hooks) functions were found"
missing=$(comm -23 hooks rows.hooked | tr '\n' ' ')
[ -z "$missing" ] || fault "no row for: $missing"
unhooked=$(comm -13 hooks rows.hooked | tr '\n' ' ')
[ -z "$unhooked" ] || fault "no hook for: $unhooked"

t 'every function of libc and libm has a row'
[ "$(wc -l <exported)" -gt 2500 ] || fault "only $(wc -l <exported) functions were found"
missing=$(comm -23 exported rows | tr '\n' ' ')
[ -z "$missing" ] || fault "no row for: $missing"

t 'the signatures of the rows are those of the headers'
{
    sed -n 's/^#include <[^>]*>/&/p' "$root/src/runtime/hooks/libc/libc_sizes.h"
    for header in aio argp argz arpa/inet arpa/nameser ctype dirent envz err error execinfo fcntl fmtmsg fnmatch \
        fstab fts ftw gshadow iconv ifaddrs inttypes langinfo libintl linux/capability malloc math mcheck monetary mntent net/if netinet/in \
        nl_types poll printf pthread pty pwd rpc/netdb aliases resolv semaphore shadow stdarg stdbool stdint stdio \
        stdio_ext string sys/epoll sys/eventfd sys/file sys/fsuid sys/inotify sys/fanotify sys/mman sys/mount sys/pidfd sys/prctl sys/ptrace \
        sys/quota sys/random sys/reboot sys/select sys/sem sys/sendfile sys/signalfd sys/socket sys/statfs sys/swap \
        sys/sysinfo sys/syslog sys/timerfd sys/times sys/types sys/uio sys/utsname sys/wait sys/xattr threads ttyent uchar \
        unistd utmp utmpx wctype; do
        printf '#if __has_include(<%s.h>)\n#include <%s.h>\n#endif\n' $header $header
    done
    expand_rows <<'C' | grep -v 'CXX'
#define MODELLED(name, type, parameters, ...) extern type (name) parameters;
#define FORWARDED(name, type, parameters, ...) extern type (name) parameters;
C
} >signatures.c
"$CC" -D_GNU_SOURCE -std=gnu11 -fno-builtin -w -fsyntax-only signatures.c 2>errors || fault "$(grep error errors | head -20)"

t 'every function of libstdc++ has a row, or needs none'
library=$("$CC" -print-file-name=libstdc++.so.6)
exports "$library" | comm -23 - rows | c++filt >unrowed
[ "$(wc -l <unrowed)" -gt 2000 ] || fault "only $(wc -l <unrowed) functions were found"
unknown=$(perl -ne '
    BEGIN {
        open(my $in, "<", shift) or die;
        while (<$in>) { chomp; push @pattern, [$_, qr/^(?:$_)$/] unless /^([#=].*)?$/ }
    }
    chomp;
    my $name = $_;
    my ($found) = grep { $name =~ $_->[1] } @pattern;
    $found ? $used{$found->[0]} = 1 : print "no row for: $name\n";
    END { $used{$_->[0]} or print "fits no function: $_->[0]\n" for @pattern }
' "$root/src/runtime/hooks/def/libstdcxx.untouched" unrowed | head -20)
[ -z "$unknown" ] || fault "$unknown"

t 'the tables in the documentation are those of the rows'
CC=$CC "$root/scripts/hooks_table.pl" >tables || fault 'hooks_table.pl'
grep -v '^$' tables >wanted
sed -n '/begin of the tables/,/end of the tables/p' "$root/docs/hooks.md" | grep -v -e '^$' -e '^<!--' >shown
last="docs/hooks.md (scripts/hooks_table.pl docs/hooks.md rewrites it)"
same wanted shown

end_of_file
