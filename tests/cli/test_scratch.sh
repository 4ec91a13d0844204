#!/bin/bash
# Files that the program writes: noted in a result that is never complete, or undone with
# --scratch.
. "$(dirname "$0")/lib.sh"
cp "$root/tests/programs/files/io_scratch_bad.c" "$root/tests/programs/files/io_scratch_good.c" .

t "a file that is written is noted, and the search not called complete"
expect 0 "$MAZUR" check io_scratch_bad.c --bound 2 --json r.json
says out "the program changes files (file)"
says r.json '"complete": false'
[ -e file ] || fault "the program should have left its file here"
rm -f file

t "--scratch undoes what an execution writes, and leaves nothing behind"
mkdir place
expect 1 "$MAZUR" check io_scratch_bad.c --scratch place
says out "the file is new" "1 preemption"
lacks out "changes files"
[ -z "$(ls -A place)" ] || fault "left in the scratch directory: $(ls -AR place)"
[ ! -e file ] || fault "the program wrote outside its scratch directory"
expect 1 "$MAZUR" replay ./*.mzt
expect 0 "$MAZUR" check io_scratch_good.c --scratch place --json r.json
says r.json '"complete": true'
[ -z "$(ls -A place)" ] || fault "left in the scratch directory: $(ls -AR place)"

t "a scratch directory that can't be made"
expect 64 "$MAZUR" check io_scratch_good.c --scratch nowhere
says err "cannot make a scratch directory in nowhere"

end_of_file
