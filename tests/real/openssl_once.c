/* OpenSSL: two threads hash and draw random bytes; the library initialises itself on first use
 * from both. */
#include <assert.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <pthread.h>
#include <string.h>

static void *digest(void *out)
{
    unsigned length = 0;
    assert(EVP_Digest("mazur", 5, out, &length, EVP_sha256(), NULL) == 1);
    assert(length == 32);
    return NULL;
}

int main(void)
{
    pthread_t thread[2];
    unsigned char out[2][64];
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, digest, out[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    assert(memcmp(out[0], out[1], 32) == 0);
    return 0;
}
