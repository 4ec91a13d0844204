/* libcurl's share interface: two threads add cookies to one jar under lock callbacks.
 * SEED: the callbacks do not lock. */
#include <assert.h>
#include <curl/curl.h>
#include <pthread.h>

static CURLSH *share;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int held, most;

static void take(CURL *handle, curl_lock_data data, curl_lock_access access, void *user)
{
    (void)handle, (void)data, (void)access, (void)user;
#ifndef SEED
    pthread_mutex_lock(&lock);
#endif
    if (++held > most)
        most = held;
}

static void give(CURL *handle, curl_lock_data data, void *user)
{
    (void)handle, (void)data, (void)user;
    held--;
#ifndef SEED
    pthread_mutex_unlock(&lock);
#endif
}

static void *add_cookie(void *text)
{
    CURL *handle = curl_easy_init();
    curl_easy_setopt(handle, CURLOPT_SHARE, share);
    curl_easy_setopt(handle, CURLOPT_COOKIEFILE, "");
    curl_easy_setopt(handle, CURLOPT_COOKIELIST, text);
    curl_easy_cleanup(handle);
    return NULL;
}

int main(void)
{
    curl_global_init(CURL_GLOBAL_NOTHING);
    share = curl_share_init();
    curl_share_setopt(share, CURLSHOPT_LOCKFUNC, take);
    curl_share_setopt(share, CURLSHOPT_UNLOCKFUNC, give);
    curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
    pthread_t a, b;
    pthread_create(&a, NULL, add_cookie, "Set-Cookie: a=1; domain=x.org");
    pthread_create(&b, NULL, add_cookie, "Set-Cookie: b=2; domain=x.org");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(most == 1);
    curl_share_cleanup(share);
    curl_global_cleanup();
    return 0;
}
