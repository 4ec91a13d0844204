/* liblzma's multi-threaded encoder: 40 kB in blocks of 20 kB by two threads, and back. */
#include <assert.h>
#include <lzma.h>
#include <string.h>

#define SIZE 40000

static unsigned char input[SIZE], packed[SIZE], output[SIZE];

int main(void)
{
    memset(input, 'x', SIZE);
    lzma_stream stream = LZMA_STREAM_INIT;
    lzma_mt options = {
        .threads = 2, .block_size = SIZE / 2, .preset = 0, .check = LZMA_CHECK_CRC32};
    assert(lzma_stream_encoder_mt(&stream, &options) == LZMA_OK);
    stream.next_in = input;
    stream.avail_in = SIZE;
    stream.next_out = packed;
    stream.avail_out = SIZE;
    assert(lzma_code(&stream, LZMA_FINISH) == LZMA_STREAM_END);
    size_t got = SIZE - stream.avail_out;
    lzma_end(&stream);
    uint64_t memory = UINT64_MAX;
    size_t in = 0, out = 0;
    assert(lzma_stream_buffer_decode(&memory, 0, NULL, packed, &in, got, output, &out, SIZE) ==
           LZMA_OK);
    assert(out == SIZE && memcmp(input, output, SIZE) == 0);
    return 0;
}
