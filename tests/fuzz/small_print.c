/* Prints a small program (small.h) as a separate C file, to read and to compile (small.sh). It
 * does what the driver does, without the driver's tables. */
#include <stdio.h>

#include "small_generate.h"

static FILE *out;

static const char head[] =
    "#define _GNU_SOURCE\n#include <assert.h>\n#include <pthread.h>\n#include <sched.h>\n"
    "#include <semaphore.h>\n#include <stdatomic.h>\n#include <stdint.h>\n#include <stdlib.h>\n"
    "atomic_int a[2], marks;\nint p[2];\n"
    "pthread_mutex_t m[3] = {PTHREAD_MUTEX_INITIALIZER, "
    "PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, "
    "PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP};\n"
    "pthread_cond_t c[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};\n"
    "sem_t *s[2];\npthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;\npthread_barrier_t b;\n"
    "pthread_once_t once = PTHREAD_ONCE_INIT;\npthread_key_t key[2];\n"
    "void init(void) { atomic_fetch_add(&a[1], 1); }\n"
    "void drop(void *v) { (void)v; atomic_fetch_add(&a[0], 2); }\n";

static void print_memory(const struct instruction *one)
{
    switch (one->kind) {
    case LOAD:
        fprintf(out, "TELL(a[%d]);", one->a);
        break;
    case STORE:
        fprintf(out, "a[%d] = %d;", one->a, one->b);
        break;
    case ADD:
        fprintf(out, "TELL(atomic_fetch_add(&a[%d], %d));", one->a, one->b);
        break;
    case EXCHANGE:
        fprintf(out, "TELL(atomic_exchange(&a[%d], %d));", one->a, one->b);
        break;
    case CAS:
        fprintf(out, "{ int e = %d; TELL(atomic_compare_exchange_strong(&a[%d], &e, %d)); }",
                one->b, one->a, one->b + 1);
        break;
    case READ:
        fprintf(out, "TELL(p[%d]);", one->a);
        break;
    default:
        fprintf(out, "p[%d] = %d;", one->a, one->b);
    }
}

static void print_lock(const struct instruction *one)
{
    static const char *const text[] = {
        [LOCK] = "{ int e = pthread_mutex_lock(&m[%d]); held[%d] += !e; TELL(e != 0); }",
        [TRYLOCK] = "{ int e = pthread_mutex_trylock(&m[%d]); held[%d] += !e; TELL(!e); }",
        [UNLOCK] = "if (held[%d]) { held[%d]--; pthread_mutex_unlock(&m[%d]); }",
        [RAW_UNLOCK] =
            "{ int e = pthread_mutex_unlock(&m[%d]); held[%d] -= !e; TELL(e != 0); }",
        [WAIT] = "if (held[0]) pthread_cond_wait(&c[%d], &m[0]);",
        [SIGNAL] = "pthread_cond_signal(&c[%d]);",
        [BROADCAST] = "pthread_cond_broadcast(&c[%d]);",
        [DOWN] = "sem_wait(s[%d]);",
        [TRYDOWN] = "TELL(sem_trywait(s[%d]) == 0);",
        [UP] = "sem_post(s[%d]);",
        [VALUE] = "{ int v; sem_getvalue(s[%d], &v); TELL(v); }",
        [READLOCK] = "if (!rw) { pthread_rwlock_rdlock(&w); rw = 1; }",
        [WRITELOCK] = "if (!rw) { pthread_rwlock_wrlock(&w); rw = 1; }",
        [TRYREAD] = "if (!rw) { rw = pthread_rwlock_tryrdlock(&w) == 0; TELL(rw); }",
        [TRYWRITE] = "if (!rw) { rw = pthread_rwlock_trywrlock(&w) == 0; TELL(rw); }",
        [RELEASE] = "if (rw) { rw = 0; pthread_rwlock_unlock(&w); }",
    };
    fprintf(out, text[one->kind], one->a, one->a, one->a);
}

static void print_other(const struct instruction *one)
{
    switch (one->kind) {
    case MEET:
        fprintf(out, "TELL(pthread_barrier_wait(&b) != 0);");
        break;
    case ONCE:
        fprintf(out, "pthread_once(&once, init);");
        break;
    case SET:
        fprintf(out, "pthread_setspecific(key[%d], (void *)%dL);", one->a, one->b);
        break;
    case GET:
        fprintf(out, "TELL((int)(intptr_t)pthread_getspecific(key[%d]));", one->a);
        break;
    case EXIT:
        fprintf(out, "{ KEEP; marks++; exit(%d); }", one->b);
        break;
    case CHECK:
        fprintf(out, "assert(r != %d);", one->b);
        break;
    case CREATE:
        fprintf(out, "{ pthread_create(&id[%d], NULL, thread_%d, NULL); made |= %d; }", one->a,
                one->a, 1 << one->a);
        break;
    case JOIN:
        fprintf(out,
                "if (made & %d) { void *v; made -= %d; pthread_join(id[%d], &v); "
                "TELL((int)(intptr_t)v & 1); }",
                1 << one->a, 1 << one->a, one->a);
        break;
    case DETACH:
        fprintf(out, "if (made & %d) { made -= %d; pthread_detach(id[%d]); }", 1 << one->a,
                1 << one->a, one->a);
        break;
    case DESTROY:
        fprintf(out, "pthread_mutex_destroy(&m[%d]);", one->a);
        break;
    case FREE:
        fprintf(out, "free(s[%d]);", one->a);
        break;
    default:
        fprintf(out, "sched_yield();");
    }
}

static void print_thread(const struct program *program, int thread)
{
    fprintf(out,
            thread ? "void *thread_%d(void *unused)\n{\n    (void)unused;\n"
                   : "int main(void)\n{\n",
            thread);
    fprintf(out, "    int r = 0, held[3] = {0}, rw = 0, made = 0;\n    uint32_t told = 0;\n"
                 "    pthread_t id[4];\n    (void)id; (void)made;\n");
    if (thread == 0)
        fprintf(
            out,
            "    for (int i = 0; i < 2; i++) sem_init(s[i] = malloc(sizeof(sem_t)), 0, i);\n"
            "    pthread_barrier_init(&b, NULL, 2);\n"
            "    for (int i = 0; i < 2; i++) pthread_key_create(&key[i], i ? drop : NULL);\n");
    for (int i = 0; i < program->count[thread]; i++) {
        const struct instruction *one = &program->code[thread][i];
        fprintf(out, "    %s",
                one->when == '.'   ? ""
                : one->when == '0' ? "if (r == 0) "
                                   : "if (r) ");
        if (one->kind <= WRITE)
            print_memory(one);
        else if (one->kind <= RELEASE)
            print_lock(one);
        else
            print_other(one);
        fprintf(out, "\n");
    }
    fprintf(out,
            "    for (int i = 0; i < 3; i++) while (held[i]) { held[i]--; "
            "pthread_mutex_unlock(&m[i]); }\n    if (rw) pthread_rwlock_unlock(&w);\n    "
            "KEEP;\n    marks++;\n"
            "    return %s;\n}\n",
            thread ? "(void *)(intptr_t)told" : "0");
}

void print_as_c(const struct program *program, FILE *file)
{
    out = file;
    fputs(head, out);
    fprintf(
        out,
        "#define TELL(value) (r = (value), told = (told ^ ((uint32_t)r + 1)) * 0x9e3779b1u, "
        "told ^= told >> 15)\n#define KEEP __asm__ volatile(\"\" : : \"r\"(told))\n");
    for (int thread = program->threads - 1; thread >= 0; thread--)
        print_thread(program, thread);
}
