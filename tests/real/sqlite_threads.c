/* SQLite in serialised mode: two threads insert through one connection to a database in
 * memory. SEED: the connection is opened without its mutex (NOMUTEX), which its manual
 * forbids to share. */
#include <assert.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stddef.h>

static sqlite3 *database;

static void *insert(void *unused)
{
    int result = sqlite3_exec(database, "insert into t values (1)", NULL, NULL, NULL);
    assert(result == SQLITE_OK);
    return unused;
}

static int count(void *out, int columns, char **value, char **name)
{
    (void)columns;
    (void)name;
    *(int *)out = value[0][0] - '0';
    return 0;
}

int main(void)
{
#ifdef SEED
    int mode = SQLITE_OPEN_NOMUTEX;
#else
    int mode = SQLITE_OPEN_FULLMUTEX;
#endif
    int opened = sqlite3_open_v2(":memory:", &database,
                                 SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | mode, NULL);
    assert(opened == SQLITE_OK);
    sqlite3_exec(database, "create table t (x)", NULL, NULL, NULL);
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, insert, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    int rows = 0;
    sqlite3_exec(database, "select count(*) from t", count, &rows, NULL);
    assert(rows == 2);
    sqlite3_close(database);
    return 0;
}
