/* Random games of five-row circle Nim on one core, the same as the kernel's: what C makes of it.

   peer GAMES RUNKEY prints one line: games seconds seat0_wins draws seat1_wins plies

   All 63 lines are bits of one word: 15 of one circle, 30 of two, 18 of three. Taking a line keeps those that
   share no circle with it. Once no two circles are neighbours, the rest go one by one, whichever is drawn. */

#define _POSIX_C_SOURCE 199309L
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROWS = 5, LINES = 63, LONGEST = 3 };

static const uint64_t GAMMA = 0x9E3779B97F4A7C15u;
static uint64_t kinds[LONGEST], untouched[LINES];

static inline uint64_t mix(uint64_t z)
{
    z += GAMMA;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline uint64_t below(uint64_t *state, uint64_t bound)
{
    uint64_t product = (mix(*state) >> 32) * bound;
    *state += GAMMA;
    if (__builtin_expect((uint32_t)product < bound, 0)) {
        uint64_t unfair = (UINT64_C(1) << 32) % bound;
        while ((uint32_t)product < unfair) {
            product = (mix(*state) >> 32) * bound;
            *state += GAMMA;
        }
    }
    return product >> 32;
}

/* Lines in the order of their numbers: by length, then by the circles from the first to the last. */
static int compare(const void *one, const void *other)
{
    for (int i = 0; i <= LONGEST; i++) {
        int difference = ((const int *)one)[i] - ((const int *)other)[i];
        if (difference)
            return difference;
    }
    return 0;
}

static void prepare(void)
{
    int lines[LINES][LONGEST + 1] = {{0}}, count = 0;
    for (int length = 1; length <= LONGEST; length++)
        for (int row = 0; row < ROWS; row++)
            for (int place = 0; place <= row; place++)
                for (int way = 0; way < (length == 1 ? 1 : 3); way++) {
                    int down = way != 0, right = way != 1; /* along the row, down left, down right */
                    if (row + (length - 1) * down >= ROWS || (!down && place + length - 1 > row))
                        continue;
                    lines[count][0] = length;
                    for (int i = 0; i < length; i++) {
                        int at = row + i * down;
                        lines[count][i + 1] = at * (at + 1) / 2 + place + i * right;
                    }
                    count++;
                }
    qsort(lines, LINES, sizeof lines[0], compare);
    uint64_t masks[LINES] = {0};
    for (int at = 0; at < LINES; at++) {
        kinds[lines[at][0] - 1] |= UINT64_C(1) << at;
        for (int i = 1; i <= lines[at][0]; i++)
            masks[at] |= UINT64_C(1) << lines[at][i];
    }
    for (int at = 0; at < LINES; at++)
        for (int other = 0; other < LINES; other++)
            if (!(masks[at] & masks[other]))
                untouched[at] |= UINT64_C(1) << other;
}

static inline int play(uint64_t run, uint64_t game)
{
    uint64_t state = mix(run ^ game), left = kinds[0] | kinds[1] | kinds[2];
    int plies = 0;
    for (; left & kinds[1]; plies++) {
        uint64_t chosen = left & kinds[below(&state, left & kinds[2] ? 3 : 2)]; /* without a branch on chance */
        uint64_t number = below(&state, (uint64_t)__builtin_popcountll(chosen));
        left &= untouched[__builtin_ctzll(_pdep_u64(UINT64_C(1) << number, chosen))];
    }
    return plies + __builtin_popcountll(left);
}

int main(int count, char **words)
{
    if (count != 3) {
        fprintf(stderr, "peer GAMES RUNKEY\n");
        return 2;
    }
    uint64_t games = strtoull(words[1], NULL, 10), run = strtoull(words[2], NULL, 10), first = 0, plies = 0;
    struct timespec start, stop;
    prepare();
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (uint64_t game = 0; game < games; game++) {
        int made = play(run, game);
        plies += (uint64_t)made;
        first += made % 2 == 0; /* whoever takes the last loses */
    }
    clock_gettime(CLOCK_MONOTONIC, &stop);
    double seconds = (double)(stop.tv_sec - start.tv_sec) + 1e-9 * (double)(stop.tv_nsec - start.tv_nsec);
    printf("%llu %.6f %llu 0 %llu %llu\n", (unsigned long long)games, seconds, (unsigned long long)first,
           (unsigned long long)(games - first), (unsigned long long)plies);
    return 0;
}
