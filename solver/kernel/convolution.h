/* The first layer and the convolutions of network.h, in C for vectors and for the processor's product of pairs: two values times two weights,
   added to a sum, for LANES sums at once. Without one of the instruction sets below the same by plain vectors, slower. TOGETHER cells at a time
   share each load of weights. */
#include <string.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#if defined(__AVX512BW__)
#define LANES 16
#define TOGETHER 4
#elif defined(__AVX2__)
#define LANES 8
#define TOGETHER 2
#else
#define LANES 4
#define TOGETHER 1
#endif

_Static_assert(WIDTH % 16 == 0, "rows of whole vectors");

typedef short sixteen __attribute__((vector_size(32)));
typedef int lanes __attribute__((vector_size(4 * LANES)));

static inline lanes add_products(lanes sum, lanes values, lanes weights) {
#if defined(__AVX512BW__) && defined(__AVX512VNNI__)
    return (lanes)_mm512_dpwssd_epi32((__m512i)sum, (__m512i)values, (__m512i)weights);
#elif defined(__AVX512BW__)
    return sum + (lanes)_mm512_madd_epi16((__m512i)values, (__m512i)weights);
#elif defined(__AVX2__)
    return sum + (lanes)_mm256_madd_epi16((__m256i)values, (__m256i)weights);
#elif defined(__SSE2__)
    return sum + (lanes)_mm_madd_epi16((__m128i)values, (__m128i)weights);
#else
    return sum + (values >> 16) * (weights >> 16) + (values << 16 >> 16) * (weights << 16 >> 16);
#endif
}

static inline short between(int value) {
    return value < 0 ? 0 : value > 4095 ? 4095 : value;
}

/* What a cell begins with: the sum of the weights of its inputs, between 0 and 4095. */
static inline void embed(const short *inputs, int count, short *restrict out) {
    sixteen sum[WIDTH / 16] = {{0}}, more;
    for (int i = 0; i < count; i++)
        for (int v = 0; v < WIDTH / 16; v++) {
            memcpy(&more, INPUT[inputs[i]] + 16 * v, sizeof more);
            sum[v] += more;
        }
    memcpy(out, sum, sizeof sum);
    for (int c = 0; c < WIDTH; c++)
        out[c] = between(out[c]);
}

static inline lanes load_lanes(const void *from) {
    lanes values;
    memcpy(&values, from, sizeof values);
    return values;
}

/* For TOGETHER cells `at` of a layout: the sums over a cell and its six neighbours, at the distances `step`, divided by 1024, added to what the
   cell has, between 0 and 4095. Sums stay below 2^31: of the weights of one sum the magnitudes add up to less than 2^19. */
static inline void convolve(const short (*restrict in)[WIDTH], int layer, const int *at, const int *step, short (*restrict out)[WIDTH]) {
    lanes sum[TOGETHER][WIDTH / LANES];
    for (int k = 0; k < TOGETHER; k++)
        for (int v = 0; v < WIDTH / LANES; v++)
            sum[k][v] = load_lanes(BIAS[layer] + v * LANES);
    for (int d = 0; d < 7; d++)
        for (int p = 0; p < WIDTH / 2; p++) {
            lanes weights[WIDTH / LANES];
            for (int v = 0; v < WIDTH / LANES; v++)
                weights[v] = load_lanes(LAYER[layer][d * WIDTH / 2 + p] + 2 * v * LANES);
            for (int k = 0; k < TOGETHER; k++) {
                int pair;
                memcpy(&pair, in[at[k] + step[d]] + 2 * p, sizeof pair);
                for (int v = 0; v < WIDTH / LANES; v++)
                    sum[k][v] = add_products(sum[k][v], pair - (lanes){0}, weights[v]);
            }
        }
    for (int k = 0; k < TOGETHER; k++) {
        int total[WIDTH];
        memcpy(total, sum[k], sizeof total);
        for (int c = 0; c < WIDTH; c++)
            out[at[k]][c] = between((total[c] >> 10) + in[at[k]][c]);
    }
}
