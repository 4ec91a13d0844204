/* EXPECT verdict=data-race exit=7 bound=0 executions=1 distinct=1
 * A virtual call reads the vptr while the destructor of the derived class, in another thread,
 * writes it back to that of the base class. */
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
