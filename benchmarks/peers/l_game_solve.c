/* The L-Game solved: every position, its moves, and what it is worth, by retrograde analysis on bitboards.

   `l_game_solve TIMES [may|must|never [loses|wins]]` solves it so often, from nothing each time, and prints a line each:
   CPU seconds, how many positions a side are won, lost and drawn, the greatest distance to an end in plies, and the
   first position's code. A disc may, must or can never be moved (may), and whoever cannot move loses (that) or wins. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SQUARES = 16, LS = 48, PAIRS = 656, FREE = 8, DISCS = 28, POSITIONS = PAIRS * DISCS, MOST = POSITIONS * 221 };

static uint32_t ls[LS];
static int32_t pairs[LS][LS]; /* the number of the first position with these two Ls, -1 if they overlap */
static int32_t number_of[FREE][FREE];
static int32_t starts[POSITIONS + 1], places[POSITIONS + 2], unknown[POSITIONS], queue[POSITIONS];
static int32_t *successors, *sources;
static int must, never, wins;
static uint8_t codes[POSITIONS]; /* 0 drawn, 2 d + 1 won and 2 d + 2 lost in d plies */

/* The L with its foot at (column, row) and its bar of three up, down, left or right of it; 0 if it is off. */
static uint32_t placement(int column, int row, int direction)
{
    static const int RIGHT[] = {0, 0, -1, 1}, DOWN[] = {-1, 1, 0, 0};
    int x = column + RIGHT[direction], y = row + DOWN[direction];
    if (x < 0 || x > 3 || y < 0 || y > 3)
        return 0;
    if (RIGHT[direction])
        return 1u << (4 * row + column) | 0x111u << (4 * (row < 2 ? row : row - 2) + x);
    return 1u << (4 * row + column) | 7u << (4 * y + (column < 2 ? column : column - 2));
}

static void number(void)
{
    int count = 0;
    for (int at = 0; at < 4 * SQUARES && count < LS; at++)
        if ((ls[count] = placement(at / 4 % 4, at / SQUARES, at % 4)) != 0)
            count++;
    count = 0;
    for (int own = 0; own < LS; own++)
        for (int other = 0; other < LS; other++)
            pairs[own][other] = ls[own] & ls[other] ? -1 : DISCS * count++;
    count = 0;
    for (int one = 0; one < FREE; one++)
        for (int other = one + 1; other < FREE; other++)
            number_of[one][other] = number_of[other][one] = count++;
}

static inline int32_t *moves_of(int own, int other, uint32_t discs, int32_t *made)
{
    uint32_t low = discs & -discs, high = discs ^ low;
    for (int placed = 0; placed < LS; placed++) {
        if (placed == own || ls[placed] & (ls[other] | discs))
            continue;
        uint32_t free = ~(ls[other] | ls[placed]);
        int one = __builtin_popcount(free & (low - 1)), two = __builtin_popcount(free & (high - 1));
        int32_t first = pairs[other][placed];
        if (!must)
            *made++ = first + number_of[one][two];
        for (int square = 0; square < FREE && !never; square++)
            if (square != one && square != two) {
                *made++ = first + number_of[square][two];
                *made++ = first + number_of[one][square];
            }
    }
    return made;
}

static void generate(void)
{
    int32_t *made = successors;
    for (int own = 0; own < LS; own++)
        for (int other = 0; other < LS; other++) {
            if (pairs[own][other] < 0)
                continue;
            uint32_t free = 0xFFFFu & ~(ls[own] | ls[other]);
            int32_t position = pairs[own][other];
            for (uint32_t one = free; one; one &= one - 1)
                for (uint32_t two = one & (one - 1); two; two &= two - 1) {
                    made = moves_of(own, other, (one & -one) | (two & -two), made);
                    starts[++position] = (int32_t)(made - successors);
                }
        }
}

static void turn_round(void)
{
    memset(places, 0, sizeof places);
    for (int32_t move = 0; move < starts[POSITIONS]; move++)
        places[successors[move] + 2]++;
    for (int at = 0; at < POSITIONS; at++)
        places[at + 2] += places[at + 1];
    for (int32_t at = 0; at < POSITIONS; at++)
        for (int32_t move = starts[at]; move < starts[at + 1]; move++)
            sources[places[successors[move] + 1]++] = at;
}

static void solve(void)
{
    int known = 0;
    memset(codes, 0, sizeof codes);
    for (int at = 0; at < POSITIONS; at++)
        if ((unknown[at] = starts[at + 1] - starts[at]) == 0) {
            codes[at] = wins ? 1 : 2;
            queue[known++] = at;
        }
    for (int taken = 0; taken < known; taken++) {
        int code = codes[queue[taken]], lost = code % 2 == 0;
        for (int32_t at = places[queue[taken]]; at < places[queue[taken] + 1]; at++) {
            int32_t before = sources[at];
            unknown[before]--;
            if (!codes[before] && (lost || !unknown[before])) {
                codes[before] = (uint8_t)(code + (lost ? 1 : 3));
                queue[known++] = before;
            }
        }
    }
}

/* The code of the position with Ls on b1r and c4l, discs on a1 and d4. */
static int first_code(void)
{
    int own = 0, other = 0;
    while (ls[own] != placement(1, 0, 3))
        own++;
    while (ls[other] != placement(2, 3, 2))
        other++;
    return codes[pairs[own][other] + number_of[0][FREE - 1]];
}

int main(int count, char **words)
{
    int times = count > 1 ? atoi(words[1]) : 1;
    must = count > 2 && !strcmp(words[2], "must"), never = count > 2 && !strcmp(words[2], "never");
    wins = count > 3 && !strcmp(words[3], "wins");
    successors = malloc(MOST * sizeof *successors);
    sources = malloc(MOST * sizeof *sources);
    if (!successors || !sources)
        return 1;
    for (int time = 0; time < times; time++) {
        struct timespec from, to;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
        number();
        generate();
        turn_round();
        solve();
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
        int won = 0, lost = 0, longest = 0;
        for (int at = 0; at < POSITIONS; at++) {
            won += codes[at] % 2;
            lost += codes[at] && codes[at] % 2 == 0;
            longest = codes[at] && (codes[at] - 1) / 2 > longest ? (codes[at] - 1) / 2 : longest;
        }
        double seconds = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
        printf("%.6f %d %d %d %d %d\n", seconds, won, lost, POSITIONS - won - lost, longest, first_code());
    }
    return 0;
}
