/* Endings of Reversi on 8 by 8 squares: the algorithm of the arena's search, written apart from it in plain C.

   usage: endings SIGN MEMORY < positions      SIGN is 1 where most discs win, -1 where fewest do

   A line of input is the mover's discs and the other side's, as numbers whose bit 8 * row + column is a square.
   A line of output is the mover's final advantage in discs times SIGN, the positions searched, and the seconds of
   processor time. MEMORY is that of the table of positions in bytes, kept from one line to the next.

   The algorithm: principal variation search, fail-soft, with a table of bounds that cuts by the successors too,
   with discs that can never be turned as a bound, and with moves ordered by a short search of a guess, or near the
   end by the answers that they leave. Numbers that decide on the order are those of `engines/reversi_search.h`. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef uint64_t board;

enum { NO_MOVE = 64, MOST_MOVES = 34, INFINITE = 100, CENTS = 100, GROUP = 2 };
enum { FEW = 5, ENHANCED = 8, DEEP = 10, DEEPER = 2, DEEPEST = 6 };

typedef struct {
    board own, opp;
    int8_t low, high;
    uint8_t move, cost;
} entry;

typedef struct {
    board own, opp;
    int key, square;
} candidate;

#define FIRST 0x0101010101010101ULL
#define LAST 0x8080808080808080ULL

static const board INNER = 0x7E7E7E7E7E7E7E7EULL, CORNERS = 0x8100000000000081ULL;
static const board BESIDE = 0x4281000000008142ULL, ASLANT = 0x0042000000004200ULL;
static const board QUARTERS[4] = {
    0x000000000F0F0F0FULL, 0x00000000F0F0F0F0ULL, 0x0F0F0F0F00000000ULL, 0xF0F0F0F000000000ULL,
};
static const board ENDS[4] = {
    0x8181818181818181ULL, 0xFF000000000000FFULL, 0xFF818181818181FFULL, 0xFF818181818181FFULL,
};
static const int SHIFTS[4] = {1, 8, 7, 9};
/* The column in which a shift up and one down arrive that have wrapped around. */
static const board WRAPPED[4][2] = {{FIRST, LAST}, {0, 0}, {LAST, FIRST}, {FIRST, LAST}};

static int sign, for_moves, for_discs, for_corners, for_reach, for_beside, for_aslant, for_answers;
static uint64_t nodes, groups;
static entry *table;

static int count(board b) { return __builtin_popcountll(b); }

/* What a line along `SHIFTS[way]` may run through: not the columns at whose side it would wrap around. */
static board through(board b, int way) { return way == 1 ? b : b & INNER; }

static board placements(board own, board opp) {
    board found = 0;
    for (int way = 0; way < 4; way++) {
        int shift = SHIFTS[way];
        board inside = through(opp, way), up = inside & own << shift, down = inside & own >> shift;
        for (int n = 0; n < 5; n++) up |= inside & up << shift, down |= inside & down >> shift;
        found |= up << shift | down >> shift;
    }
    return found & ~(own | opp);
}

static board turned(board own, board opp, int square) {
    board found = 0;
    for (int way = 0; way < 4; way++) {
        int shift = SHIFTS[way];
        board inside = through(opp, way), run = 0, at = 1ULL << square << shift;
        for (; at & inside; at <<= shift) run |= at;
        if (at & own) found |= run;
        run = 0, at = 1ULL << square >> shift;
        for (; at & inside; at >>= shift) run |= at;
        if (at & own) found |= run;
    }
    return found;
}

/* Discs of `own` that can never be turned: each line through one is full, ends there, or has such a disc next to it. */
static board stable(board own, board opp) {
    board held[4], safe = 0, before;
    for (int way = 0; way < 4; way++) {
        int shift = SHIFTS[way];
        board open = ~(own | opp), up = ~WRAPPED[way][0], down = ~WRAPPED[way][1];
        for (int n = 0; n < 7; n++) open |= (open << shift & up) | (open >> shift & down);
        held[way] = ENDS[way] | ~open;
    }
    do {
        board more = own;
        before = safe;
        for (int way = 0; way < 4; way++) more &= held[way] | safe << SHIFTS[way] | safe >> SHIFTS[way];
        safe |= more;
    } while (safe != before);
    return safe;
}

static int final(board own, board opp) { return sign * (count(own) - count(opp)); }

static entry *group_of(board own, board opp) {
    uint64_t mixed = (own ^ opp * 0x9E3779B97F4A7C15ULL) * 0xBF58476D1CE4E5B9ULL;
    mixed = (mixed ^ mixed >> 29) * 0x94D049BB133111EBULL;
    return &table[GROUP * (mixed >> 20 & (groups - 1))];
}

static const entry *recall(board own, board opp) {
    const entry *group = group_of(own, opp);
    for (int at = 0; at < GROUP; at++)
        if (group[at].own == own && group[at].opp == opp) return &group[at];
    return NULL;
}

/* Keep it in the place of the same position, else of the cheaper one of its group. */
static void remember(entry fresh, uint64_t searched) {
    entry *group = group_of(fresh.own, fresh.opp), *place = &group[group[1].cost <= group[0].cost];
    for (int at = 0; at < GROUP; at++)
        if (group[at].own == fresh.own && group[at].opp == fresh.opp) place = &group[at];
    while (searched >>= 1) fresh.cost++;
    *place = fresh;
}

static int odd_quarters(board empty) {
    int found = 0;
    for (int at = 0; at < 4; at++) found |= (count(empty & QUARTERS[at]) & 1) << at;
    return found;
}

static board squares_of(int quarters) {
    board found = 0;
    for (int at = 0; at < 4; at++)
        if (quarters >> at & 1) found |= QUARTERS[at];
    return found;
}

/* The value with one empty square: whoever can takes it. */
static int last(board own, board opp, int square) {
    int mine = count(own), lines = count(turned(own, opp, square));
    nodes++;
    if (lines) return sign * (2 * (mine + lines + 1) - 64);
    lines = count(turned(opp, own, square));
    return sign * (lines ? 2 * (mine - lines) - 64 : 2 * mine - 63);
}

/* The value with so few empty squares that looking for an order costs more than it saves. */
static int few(board own, board opp, board empty, int alpha, int beta, int passed) {
    if (!(empty & (empty - 1))) return last(own, opp, __builtin_ctzll(empty));
    int best = -INFINITE;
    board odd = empty & squares_of(odd_quarters(empty));
    nodes++;
    for (int even = 0; even < 2; even++)
        for (board rest = even ? empty ^ odd : odd; rest; rest &= rest - 1) {
            int square = __builtin_ctzll(rest);
            board disc = 1ULL << square, lines = turned(own, opp, square);
            if (!lines) continue;
            int floor = best > alpha ? best : alpha;
            int value = -few(opp ^ lines, own | lines | disc, empty ^ disc, -beta, -floor, 0);
            if (value > best && (best = value) >= beta) return best;
        }
    if (best > -INFINITE) return best;
    return passed ? final(own, opp) : -few(opp, own, empty, -beta, -alpha, 1);
}

static int judged(board own, board opp, board moves) {
    board answers = placements(opp, own);
    return for_moves * (count(moves) - count(answers)) + for_discs * (count(own) - count(opp)) +
           for_corners * (count(own & CORNERS) - count(opp & CORNERS)) +
           for_reach * (count(moves & CORNERS) - count(answers & CORNERS)) +
           for_beside * (count(own & BESIDE) - count(opp & BESIDE)) +
           for_aslant * (count(own & ASLANT) - count(opp & ASLANT));
}

static int guess(board own, board opp, int depth, int alpha, int beta);

/* List the moves, the best first by what is thought of them, `first` before all. */
static int sorted(board own, board opp, board places, int first, int left, candidate *moves) {
    int found = 0, depth = (left - DEEP) / DEEPER < DEEPEST ? (left - DEEP) / DEEPER : DEEPEST;
    board odd = squares_of(odd_quarters(~(own | opp)));
    for (; places; places &= places - 1) {
        int square = __builtin_ctzll(places), at = found++;
        board disc = 1ULL << square, lines = turned(own, opp, square);
        candidate made = {opp ^ lines, own | lines | disc, -CENTS * CENTS * INFINITE, square};
        board answers = placements(made.own, made.opp);
        int even = !(odd & disc);
        if (square != first && left < DEEP)
            made.key = 4 * (count(answers) + (sign > 0 ? 1 : -1) * count(answers & CORNERS)) + even +
                       (sign > 0 ? 0 : count(lines));
        else if (square != first)
            made.key = guess(made.own, made.opp, depth, -CENTS * INFINITE, CENTS * INFINITE) +
                       for_answers * count(answers) + CENTS * even;
        for (; at > 0 && moves[at - 1].key > made.key; at--) moves[at] = moves[at - 1];
        moves[at] = made;
    }
    return found;
}

static int guess(board own, board opp, int depth, int alpha, int beta) {
    board places = placements(own, opp);
    nodes++;
    if (!places) {
        if (!placements(opp, own)) return CENTS * final(own, opp);
        return -guess(opp, own, depth, -beta, -alpha);
    }
    if (!depth) return judged(own, opp, places);
    candidate moves[MOST_MOVES];
    int found = sorted(own, opp, places, NO_MOVE, 0, moves), best = -CENTS * INFINITE;
    for (int at = 0; at < found && best < beta; at++) {
        int value = -guess(moves[at].own, moves[at].opp, depth - 1, -beta, -(best > alpha ? best : alpha));
        if (value > best) best = value;
    }
    return best;
}

static int search(board own, board opp, int alpha, int beta) {
    board empty = ~(own | opp), places = placements(own, opp);
    int left = count(empty), best = -INFINITE;
    if (left <= FEW) return left ? few(own, opp, empty, alpha, beta, 0) : final(own, opp);
    uint64_t started = nodes++;
    if (!places) return placements(opp, own) ? -search(opp, own, -beta, -alpha) : final(own, opp);
    board theirs = sign > 0 ? opp : own;
    if (64 - 2 * count(theirs) <= alpha) {
        int most = 64 - 2 * count(stable(theirs, sign > 0 ? own : opp));
        if (most <= alpha) return most;
    }
    entry known = {own, opp, -64, 64, NO_MOVE, 0};
    const entry *kept = recall(own, opp);
    if (kept) {
        known = *kept, known.cost = 0;
        if (known.low >= beta || known.low == known.high) return known.low;
        if (known.high <= alpha) return known.high;
        if (known.low > alpha) alpha = known.low;
        if (known.high < beta) beta = known.high;
    }
    candidate moves[MOST_MOVES];
    int found = sorted(own, opp, places, known.move, left, moves);
    for (int at = 0; left >= ENHANCED && at < found; at++) {
        const entry *after = recall(moves[at].own, moves[at].opp);
        if (!after || -after->high < beta) continue;
        known.low = (int8_t)-after->high, known.move = (uint8_t)moves[at].square;
        remember(known, nodes - started);
        return known.low;
    }
    for (int at = 0; at < found && best < beta; at++) {
        int floor = best > alpha ? best : alpha, scouting = at > 0 && beta - floor > 1;
        int value = -search(moves[at].own, moves[at].opp, scouting ? -floor - 1 : -beta, -floor);
        if (scouting && floor < value && value < beta)
            value = -search(moves[at].own, moves[at].opp, -beta, -value);
        if (value <= best) continue;
        best = value;
        if (best > alpha || known.low == -64) known.move = (uint8_t)moves[at].square;
    }
    if (best > alpha && best > known.low) known.low = (int8_t)best;
    if (best < beta && best < known.high) known.high = (int8_t)best;
    remember(known, nodes - started);
    return best;
}

int main(int given, char **words) {
    unsigned long long own, opp;
    if (given < 3) return 2;
    sign = atoi(words[1]);
    for_moves = sign > 0 ? 250 : 125, for_discs = sign > 0 ? -10 : -40, for_corners = sign > 0 ? 800 : -430;
    for_reach = sign > 0 ? 430 : -120, for_beside = sign > 0 ? 40 : -60, for_aslant = sign > 0 ? 0 : -85;
    for_answers = sign > 0 ? 200 : 100;
    for (groups = 1; 2 * groups * GROUP * sizeof *table <= strtoull(words[2], NULL, 10);) groups *= 2;
    table = calloc(groups * GROUP, sizeof *table);
    if (!table) return 1;
    while (scanf("%llu %llu", &own, &opp) == 2) {
        nodes = 0;
        clock_t started = clock();
        int score = search(own, opp, -64, 64);
        double seconds = (double)(clock() - started) / CLOCKS_PER_SEC;
        printf("%d %llu %.6f\n", score, (unsigned long long)nodes, seconds);
        fflush(stdout);
    }
    return 0;
}
