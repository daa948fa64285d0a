/* Circle Nim solved: every set of circles of a triangle with up to eight rows, by either convention.

   usage: circle_nim_solve ROWS loses|wins < positions      what happens to whoever takes the last circle

   A line of input is a set of circles, as a number whose bit `row * (row + 1) / 2 + place` is a circle. The first line
   of output is the seconds of processor time and how many of all sets are lost for the side to move; then comes a
   line for each one of input, 1 where it is won and 0 where it is lost.

   A set is a pattern of the last row and a number that says which circles of the rows above are there: for a pattern
   there is a table of bits, 64 sets in a word. A move takes the same from all sets of a word at once, moved by as many
   places as it takes of the word's own circles. Patterns come in the order of their number of circles, of two mirrored
   ones only the lesser, and a table is given back where nothing after it needs it: 3.7 GB for eight rows. */

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_ROWS = 8, MOST_PATTERNS = 1 << MOST_ROWS, MOST_LINES = 256, MOST_ASKED = 1 << 16, LONGEST = 3, LOW = 6 };

typedef uint64_t word;
typedef struct {
    int pattern, first; /* circles of the last row, and of a word's own */
    uint64_t high;      /* the others */
} line;
typedef struct {
    int pattern;
    uint64_t upper;
    int won;
} query;

static int rows, upper, pairs, line_count, asked;
static int place_of[MOST_ROWS * MOST_ROWS]; /* a circle's bit in the number of its set */
static line lines[MOST_LINES];
static word *tables[MOST_PATTERNS], *scratch, full, above[1 << LOW], inside[1 << LOW];
static uint64_t words;
static query queries[MOST_ASKED];

static int circle(int row, int place) { return row * (row + 1) / 2 + place; }

/* Number the circles above the last row so that mirrored ones are neighbours, and those in the middle come last. */
static void number(void) {
    int made = 0;
    for (int row = 0; row < rows - 1; row++)
        for (int place = 0; 2 * place < row; place++) {
            place_of[circle(row, place)] = made++;
            place_of[circle(row, row - place)] = made++;
        }
    pairs = made;
    for (int row = 0; row < rows - 1; row += 2) place_of[circle(row, row / 2)] = made++;
    upper = made;
    words = upper > LOW ? UINT64_C(1) << (upper - LOW) : 1;
    full = upper < LOW ? (UINT64_C(1) << (1 << upper)) - 1 : ~UINT64_C(0);
}

static void split(uint64_t circles, int *pattern, uint64_t *rest) {
    int last = circle(rows - 1, 0);
    *pattern = (int)(circles >> last), *rest = 0;
    for (int at = 0; at < last; at++) *rest |= (circles >> at & 1) << place_of[at];
}

static void find_lines(void) {
    for (int length = 1; length <= LONGEST; length++)
        for (int row = 0; row < rows; row++)
            for (int place = 0; place <= row; place++)
                for (int way = 0; way < (length == 1 ? 1 : 3); way++) {
                    int down = way != 0, right = way != 1; /* along the row, down left, down right */
                    uint64_t taken = 0, rest;
                    if (row + (length - 1) * down >= rows || (!down && place + length - 1 > row)) continue;
                    for (int at = 0; at < length; at++)
                        taken |= UINT64_C(1) << circle(row + at * down, place + at * right);
                    line *made = &lines[line_count++];
                    split(taken, &made->pattern, &rest);
                    made->first = (int)(rest & ((1 << LOW) - 1)), made->high = rest >> LOW;
                }
    /* Of a word's own sets: those that have certain circles, and those that become won where one is lost. */
    for (int taken = 0; taken < 1 << LOW; taken++)
        for (int set = 0; set < 1 << LOW; set++)
            if ((set & taken) == taken) above[taken] |= UINT64_C(1) << set;
    for (int set = 0; set < 1 << LOW; set++)
        for (int at = 0; at < line_count; at++)
            if (!lines[at].pattern && !lines[at].high && !(set & lines[at].first))
                inside[set] |= UINT64_C(1) << (set | lines[at].first);
}

static int mirrored_pattern(int pattern) {
    int turned = 0;
    for (int at = 0; at < rows; at++) turned |= (pattern >> at & 1) << (rows - 1 - at);
    return turned;
}

/* Exchange the bits of each pair in a set's number. */
static uint64_t mirrored_set(uint64_t set) {
    uint64_t of_pairs = (UINT64_C(1) << pairs) - 1, even = of_pairs & UINT64_C(0x5555555555555555);
    return (set & ~of_pairs) | (set & even) << 1 | (set >> 1 & even);
}

/* The same for the sets of a word. */
static word mirrored_word(word sets) {
    static const word first[LOW / 2] = {
        UINT64_C(0x2222222222222222), UINT64_C(0x00F000F000F000F0), UINT64_C(0x00000000FFFF0000)};
    static const int apart[LOW / 2] = {1, 4, 16};
    for (int at = 0; at < LOW / 2 && 2 * at < pairs; at++) {
        word changed = (sets ^ sets >> apart[at]) & first[at];
        sets ^= changed ^ changed << apart[at];
    }
    return sets;
}

/* The sets that are lost with a pattern of the last row. */
static const word *lost_with(int pattern) {
    int turned = mirrored_pattern(pattern);
    if (pattern <= turned) return tables[pattern];
    for (uint64_t at = 0; at < words; at++)
        scratch[at] = mirrored_word(tables[turned][mirrored_set(at << LOW) >> LOW]);
    return scratch;
}

static void take_from_last_row(int pattern, word *won) {
    for (int taken = 1; taken <= pattern; taken++) {
        const word *lost = NULL;
        if ((taken & pattern) != taken) continue;
        for (int each = 0; each < line_count; each++) {
            uint64_t high = lines[each].high;
            int first = lines[each].first;
            if (lines[each].pattern != taken) continue;
            if (!lost) lost = lost_with(pattern ^ taken);
            for (uint64_t at = high; at < words; at = (at + 1) | high)
                won[at] |= lost[at ^ high] << first & above[first];
        }
    }
}

/* Turn the sets that are won by a move in the last row into those that are lost; how many. */
static uint64_t settle(word *table) {
    const line *outside[MOST_LINES];
    uint64_t count = 0;
    int found = 0;
    for (int at = 0; at < line_count; at++)
        if (!lines[at].pattern && lines[at].high) outside[found++] = &lines[at];
    for (uint64_t at = 0; at < words; at++) {
        word won = table[at], lost = 0;
        for (int each = 0; each < found; each++) {
            uint64_t high = outside[each]->high;
            int first = outside[each]->first;
            if (!(high & ~at)) won |= table[at ^ high] << first & above[first];
        }
        for (word open = full & ~won; open; open &= open - 1) {
            int set = __builtin_ctzll(open);
            lost |= UINT64_C(1) << set;
            open &= ~(inside[set] & ~(UINT64_C(1) << set));
        }
        table[at] = lost;
        count += (uint64_t)__builtin_popcountll(lost);
    }
    return count;
}

static int solve(int last_wins, uint64_t *lost) {
    scratch = malloc(words * sizeof *scratch);
    for (int circles = 0; circles <= rows; circles++)
        for (int pattern = 0; pattern < 1 << rows; pattern++) {
            int turned = mirrored_pattern(pattern), there = __builtin_popcount((unsigned)pattern);
            if (there == circles - LONGEST - 1) free(tables[pattern]), tables[pattern] = NULL;
            if (there != circles || pattern > turned) continue;
            word *table = tables[pattern] = calloc(words, sizeof *table);
            if (!table || !scratch) return 0;
            if (!pattern && !last_wins) table[0] = 1; /* nothing is left: the other side has taken the last one */
            take_from_last_row(pattern, table);
            *lost += settle(table) * (pattern < turned ? 2 : 1);
            for (int at = 0; at < asked; at++) {
                query *each = &queries[at];
                if (each->pattern == pattern) each->won = !(table[each->upper >> LOW] >> (each->upper % (1 << LOW)) & 1);
            }
        }
    return 1;
}

int main(int given, char **words_given) {
    if (given < 3 || (rows = atoi(words_given[1])) < 2 || rows > MOST_ROWS) return 2;
    number();
    find_lines();
    uint64_t circles, lost = 0;
    for (; asked < MOST_ASKED && scanf("%" SCNu64, &circles) == 1; asked++) {
        query *each = &queries[asked];
        split(circles, &each->pattern, &each->upper);
        int turned = mirrored_pattern(each->pattern);
        if (each->pattern > turned) each->pattern = turned, each->upper = mirrored_set(each->upper);
    }
    clock_t started = clock();
    if (!solve(!strcmp(words_given[2], "wins"), &lost)) return 1;
    printf("%.6f %" PRIu64 "\n", (double)(clock() - started) / CLOCKS_PER_SEC, lost);
    for (int at = 0; at < asked; at++) printf("%d\n", queries[at].won);
    return 0;
}
