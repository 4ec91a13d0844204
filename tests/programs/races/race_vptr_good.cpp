/* EXPECT verdict=passed exit=0 complete=true executions=52 distinct=1
 * Call, then tell the owner by a semaphore; only then is the object destroyed: one trace. */
#include <new>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct base {
    virtual ~base();
    virtual int value() const;
};

struct derived : base {
    int member = 2;
    ~derived() override;
    int value() const override;
};

__attribute__((noinline)) static int observe(const base *seen)
{
    return seen->value();
}

/* A virtual call inside, so that the destructor must store the vptr of its own class. */
base::~base()
{
    if (observe(this) != 1)
        abort();
}

derived::~derived() {}

int base::value() const
{
    return 1;
}

int derived::value() const
{
    return member;
}

alignas(derived) static unsigned char storage[sizeof(derived)];
static base *volatile object;
static sem_t used;

static void *user(void *unused)
{
    int value = object->value();
    sem_post(&used);
    return value == 3 ? &used : unused;
}

static void *owner(void *unused)
{
    sem_wait(&used);
    object->~base();
    return unused;
}

int main()
{
    pthread_t a, b;
    sem_init(&used, 0, 0);
    object = new (storage) derived;
    pthread_create(&a, nullptr, user, nullptr);
    pthread_create(&b, nullptr, owner, nullptr);
    pthread_join(a, nullptr);
    pthread_join(b, nullptr);
    return 0;
}
