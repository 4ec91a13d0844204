/* libzstd's multi-threaded compression of 1.1 MB in two jobs by two workers, and back. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

int main(void)
{
    size_t size = 1100000, bound = ZSTD_compressBound(size);
    char *input = malloc(size), *packed = malloc(bound), *output = malloc(size);
    memset(input, 'z', size);
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 1);
    ZSTD_CCtx_setParameter(context, ZSTD_c_nbWorkers, 2);
    ZSTD_CCtx_setParameter(context, ZSTD_c_jobSize, 600000);
    size_t got = ZSTD_compress2(context, packed, bound, input, size);
    assert(!ZSTD_isError(got));
    assert(ZSTD_decompress(output, size, packed, got) == size);
    assert(memcmp(input, output, size) == 0);
    ZSTD_freeCCtx(context);
    free(input);
    free(packed);
    free(output);
    return 0;
}
