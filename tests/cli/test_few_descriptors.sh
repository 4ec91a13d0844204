#!/bin/bash
# Mazur keeps copies of the descriptors that are open before main. They fit in whatever `ulimit -n`
# leaves, and every execution begins with 0, 1 and 2 open.
. "$(dirname "$0")/lib.sh"
cat >few.c <<'C'
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static void *reader(void *unused)
{
    int fd = open("/dev/null", O_RDONLY);
    assert(fd >= 3);
    close(fd);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, reader, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
C

for limit in 256 64 32; do
    t "at most $limit descriptors"
    expect 0 bash -c "ulimit -n $limit && exec '$MAZUR' check --json result.json few.c"
    [ "$(field result.json complete)" = true ] || fault "complete is not true"
done

end_of_file
