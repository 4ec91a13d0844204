#!/bin/bash
# mazur view, --html: the page as a file. tests/browser tests it in a browser.
. "$(dirname "$0")/lib.sh"

cat >race.c <<'END'
#include <pthread.h>
static int counter; /* </script><script>alert("source")</script> <!-- & */
static void *add(void *unused) { counter++; return unused; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
END

t 'view writes a page beside the trace'
expect 7 "$MAZUR" check race.c --trace-dir traces
trace=$(ls traces/*.mzt)
expect 0 env -u DISPLAY -u WAYLAND_DISPLAY -u BROWSER "$MAZUR" view "$trace"
says out "${trace%.mzt}.html"
page=${trace%.mzt}.html
says "$page" '<!DOCTYPE html>' 'Content-Security-Policy' 'data race on counter' 'pthread_create(\u0026a'
t 'nothing of the program leaves the data block'
last='grep script'
[ "$(grep -c '</script>' "$page")" = 2 ] || fault "$(grep -n '</script>' "$page" | cut -c1-200)"
lacks "$page" 'alert("source")' '<!--'
t 'the policy has the hash of the script that is there'
script=$(awk '/^<script>$/ { on = 1; next } /^<\/script>$/ { on = 0 } on' "$page")
wanted=$(printf '\n%s\n' "$script" | openssl dgst -sha256 -binary 2>/dev/null | base64)
if command -v openssl >/dev/null; then says "$page" "script-src 'sha256-$wanted'"; fi
t 'view --output and stdout'
expect 0 "$MAZUR" view --no-open --output here.html "$trace"
same here.html "$page"
expect 0 "$MAZUR" view --output - "$trace"
says out '<!DOCTYPE html>'
t 'view opens the page with BROWSER'
printf '#!/bin/sh\necho "$1" >opened\n' >browser && chmod +x browser
expect 0 env BROWSER="$PWD/browser" "$MAZUR" view --output here.html "$trace"
for _ in $(seq 3000); do [ -s opened ] && break || sleep 0.2; done
says opened here.html
t 'view of what is no trace'
expect 64 "$MAZUR" view race.c
expect 64 "$MAZUR" view
expect 70 "$MAZUR" view --no-open --output /nonexistent/x.html "$trace"
t 'check --html'
expect 7 "$MAZUR" check race.c --no-trace --html page.html
says page.html 'data race on counter'
t 'check --html without a failure has the coverage'
sed 's/counter++;//' race.c >good.c
expect 0 "$MAZUR" check good.c --html good.html
says good.html 'complete: every interleaving'
t 'sources that are not named like sources stay out'
echo secret >key.pem
sed 's/"file": "race.c"/"file": "key.pem"/' "$trace" >hostile.mzt
says hostile.mzt key.pem
expect 0 "$MAZUR" view --no-open hostile.mzt
lacks hostile.html secret

end_of_file
