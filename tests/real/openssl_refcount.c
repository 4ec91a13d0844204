/* OpenSSL: a context shared by two threads, each dropping its reference; the last one frees.
 * SEED: one reference too few was taken. */
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <pthread.h>
#include <stddef.h>

static void *drop(void *bio)
{
    BIO_free(bio);
    return NULL;
}

int main(void)
{
    pthread_t thread[2];
    BIO *bio = BIO_new(BIO_s_mem());
#ifndef SEED
    BIO_up_ref(bio);
#endif
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, drop, bio);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
