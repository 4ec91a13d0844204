#!/bin/sh
# The trace page as C arrays: assemble.sh OUTPUT.c. Style and script go inline into page.html;
# their hashes go into its content security policy, so that no other script or style can ever
# run in the page, whatever a trace contains. The data's place splits the page in two.
set -eu
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat "$here/style.css" >"$work/style"
{
    echo "'use strict';"
    cat "$here/model.js" "$here/timeline.js" "$here/panes.js" "$here/main.js"
} >"$work/script"

hash_of() { # base64 of the SHA-256 of the element's content
    { echo; cat "$1"; } | sha256sum | cut -c1-64 | sed 's/../0x& /g' |
        awk '{ for (i = 1; i <= NF; i++) {
                   digits = "0123456789abcdef"
                   value = (index(digits, substr($i, 3, 1)) - 1) * 16 + index(digits, substr($i, 4, 1)) - 1
                   printf "\\%03o", value } }' >"$work/octal"
    # shellcheck disable=SC2059
    printf "$(cat "$work/octal")" | base64
}

awk -v style="$work/style" -v script="$work/script" -v head="$work/head" -v tail="$work/tail" \
    -v style_hash="$(hash_of "$work/style")" -v script_hash="$(hash_of "$work/script")" '
    BEGIN { out = head }
    /^@STYLE@$/ { while ((getline line <style) > 0) print line >out; next }
    /^@SCRIPT@$/ { while ((getline line <script) > 0) print line >out; next }
    /@DATA@/ {
        printf "%s", substr($0, 1, index($0, "@DATA@") - 1) >out
        out = tail
        $0 = substr($0, index($0, "@DATA@") + 6)
    }
    { sub(/@STYLE_HASH@/, style_hash); sub(/@SCRIPT_HASH@/, script_hash); print >out }
' "$here/page.html"

array() { # array NAME FILE
    echo "const unsigned char page_$1[] = {"
    od -An -v -tu1 "$2" | sed 's/\([0-9][0-9]*\)/\1,/g'
    echo "};"
    echo "const size_t page_$1_size = sizeof page_$1;"
}
{
    echo "/* Made by src/report/page/assemble.sh. */"
    echo "#include <stddef.h>"
    echo "extern const unsigned char page_head[], page_tail[];"
    echo "extern const size_t page_head_size, page_tail_size;"
    array head "$work/head"
    array tail "$work/tail"
} >"$1.tmp"
mv "$1.tmp" "$1"
