/* Reversi searched to its end: the table of what is known, the board's symmetries, and the search's memory.

   Every board of 2 to 8 rows and columns lies in the top left of 8 by 8 squares, bit 8 * row + column; squares
   outside it are not empty and nobody's, so that no line crosses them. A value is the mover's discs less the
   other side's at the end, negated where fewer discs win; squares that stay empty count for nobody. No error
   can come of two positions that look alike: the table has whole boards. `reversi_descent.h` is the search. */
#ifndef ENGINES_REVERSI_SEARCH_H
#define ENGINES_REVERSI_SEARCH_H
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

enum {
    WIDTH = 8,
    SQUARES = WIDTH * WIDTH,
    PASS = SQUARES,
    NO_MOVE = SQUARES + 1,
    MOST_CANDIDATES = SQUARES,
    SLOTS = 3,           /* positions in a line of the processor's cache */
    EDGES = 6561,        /* what eight squares of an edge can have on them: 3 to the power of 8 */
    PATIENCE = 16,       /* newcomers that a costly entry sees off before it counts for one step less */
    INFINITE = 127,
    FEW = 5,             /* with at most so many empty squares they are tried as they come, */
    ENHANCED = 8,        /* with so many what is known of each move's position may save the search, */
    DEEP = 10,           /* with so many moves are ordered by a short search, a ply deeper for each DEEPER more */
    DEEPER = 2,
    DEEPEST = 6,         /* and to no more plies than these */
};

/* Bounds, best move and cost (4 times the binary logarithm of the positions that it took) of three positions.
   An entry of no disc at all is empty. The last is replaced by whatever comes, the others by what cost more. */
typedef struct {
    uint64_t own[SLOTS], opp[SLOTS];
    struct {
        int8_t low, high;
        uint8_t move, cost;
    } known[SLOTS];
    uint32_t waited;
} Bucket;

_Static_assert(sizeof(Bucket) == 64, "a bucket fills one line of the cache");

typedef struct {
    int low, high, move;
} Known;

typedef struct {
    uint64_t own, opp;
    int order, square;
} Candidate;

/* What a position is judged by, in hundredths of a disc for each one more than the other side has: squares to place
   on, discs, corners, corners to place on, and squares next to corners, straight and aslant. The last three order
   moves: an answer of the other side, an answer in a corner (in other answers), and a disc turned (in answers). */
typedef struct {
    int moves, discs, corners, reach, next_to[2], answers, corner_answers, turned;
} Taste;

/* Where most discs win, and where fewest do. The first six come, rounded, from least squares over 3,000 endings of
   random games with 10 and with 13 empty squares and their exact values, for either rule; the last three are those
   of several that were tried that searched the fewest positions. */
static const Taste tastes[2] = {
    {250, -10, 800, 430, {40, 0}, 200, 1, 0},
    {125, -40, -430, -120, {-60, -85}, 100, -1, 1},
};

typedef struct Search {
    const Taste *taste;
    uint64_t board, corners, next_to[2], quarters[4], odd[16], walls[4];
    int rows, columns, squares, sign;
    int mirrored;                     /* more empty squares than this: one of all symmetric positions is searched */
    Bucket *table;
    uint64_t mask;
    void *block;                      /* what is to be freed */
    uint8_t quarter[SQUARES];         /* a bit of four */
    uint8_t edge[2][EDGES];           /* an own disc's bit where no filling of the edge turns it: rows, columns */
    uint64_t nodes, most;
    const volatile unsigned char *stop;
    int (*more)(struct Search *);     /* asked once `most` are searched: 1 where it has raised that; NULL: go no further */
    void *asker;                      /* who set `more` */
    int halted;
} Search;

static uint64_t rays[SQUARES][2][4];   /* the squares beyond each square: up and down the bits, in `ways`' order */
static uint64_t near[SQUARES];         /* the squares around each square */
static uint16_t ternary[256];          /* eight bits read as digits to base 3 */
static uint64_t upright[256];          /* eight bits as the first column of a board */
static uint8_t between[WIDTH][256];    /* on a line of eight whose other squares are full: by the square that a disc comes
                                          to and where its side has discs, how many others it turns */

static const int ways[4] = {1, 8, 7, 9};
static const uint64_t INNER = 0x7E7E7E7E7E7E7E7EULL;
static const uint64_t FIRST_COLUMN = 0x0101010101010101ULL;

/* What a disc on square `at` of an edge turns over along it. */
static int along_edge(int own, int opp, int at, int length) {
    int turned = 0;
    for (int step = -1; step <= 1; step += 2) {
        int line = 0, to = at + step;
        for (; to >= 0 && to < length && opp >> to & 1; to += step) line |= 1 << to;
        if (to >= 0 && to < length && own >> to & 1) turned |= line;
    }
    return turned;
}

/* The part of the tables that all boards share; once, before any search. */
static void prepare_lines(void) {
    static const int down[4] = {0, 1, 1, 1}, right[4] = {1, 0, -1, 1};
    for (int square = 0; square < SQUARES; square++) {
        near[square] = 0;
        for (int way = 0; way < 8; way++) {
            int side = way / 4, turn = side ? -1 : 1;
            uint64_t ray = 0;
            int row = square / WIDTH + turn * down[way % 4], column = square % WIDTH + turn * right[way % 4];
            for (int first = 1; row >= 0 && row < WIDTH && column >= 0 && column < WIDTH; first = 0) {
                ray |= 1ULL << (WIDTH * row + column);
                if (first) near[square] |= ray;
                row += turn * down[way % 4], column += turn * right[way % 4];
            }
            rays[square][side][way % 4] = ray;
        }
    }
    for (int bits = 0; bits < 256; bits++) {
        ternary[bits] = 0, upright[bits] = 0;
        for (int at = 7; at >= 0; at--) {
            ternary[bits] = (uint16_t)(3 * ternary[bits] + (bits >> at & 1));
            if (bits >> at & 1) upright[bits] |= 1ULL << WIDTH * at;
            between[at][bits] = (uint8_t)__builtin_popcount((unsigned)along_edge(bits, ~bits & 255 & ~(1 << at), at, WIDTH));
        }
    }
}

/* The discs of `own` on an edge that stay whatever is placed on it, by whomever and in whatever order. Other
   lines through a square of an edge end there, and turn nothing on it. */
static int edge_stable(int own, int opp, int length, uint8_t *edge, uint8_t *done) {
    int at = ternary[own] + 2 * ternary[opp], stable = own;
    if (done[at]) return edge[at];
    for (int square = 0; square < length; square++) {
        if ((own | opp) >> square & 1) continue;
        int mine = along_edge(own, opp, square, length), theirs = along_edge(opp, own, square, length);
        stable &= edge_stable(own | mine | 1 << square, opp & ~mine, length, edge, done);
        stable &= edge_stable(own & ~theirs, opp | theirs | 1 << square, length, edge, done);
    }
    done[at] = 1;
    return edge[at] = (uint8_t)stable;
}

static uint64_t rectangle(int rows, int columns) {
    uint64_t row = (1ULL << columns) - 1, board = 0;
    for (int at = 0; at < rows; at++) board |= row << WIDTH * at;
    return board;
}

/* The squares next to those of `of` along a line of `shift`, both ways; what wraps around an edge comes out at
   the opposite one, where whoever asks has no use for it. */
static inline uint64_t both_ways(uint64_t of, int shift) { return of << shift | of >> shift; }

/* How many discs a disc of `own` on `square` turns over where all other squares of the board have one: on each line those up
   to the next of its own, if there is one. Squares outside the board have none of either side, so that none is beyond. */
static inline int last_turned(uint64_t own, int square) {
    int row = square / WIDTH, column = square % WIDTH;
    uint64_t falling = rays[square][0][3] | rays[square][1][3], rising = rays[square][0][2] | rays[square][1][2];
    return between[column][own >> WIDTH * row & 255] +
           between[row][(own >> column & FIRST_COLUMN) * 0x0102040810204080ULL >> 56] +
           between[column][(own & falling) * FIRST_COLUMN >> 56] + between[column][(own & rising) * FIRST_COLUMN >> 56];
}

/* The squares of the board where each kind of line ends. */
static void find_walls(Search *search) {
    for (int square = 0; square < SQUARES; square++) {
        uint64_t disc = 1ULL << square;
        if (!(search->board & disc)) continue;
        for (int way = 0; way < 4; way++) {
            for (int side = 0; side < 2; side++) {
                uint64_t next = rays[square][side][way] & near[square];
                if (!(next & search->board)) search->walls[way] |= disc;
            }
        }
    }
}

/* The bytes of the table that fit `memory`, a power of two; 0 where none do. */
static uint64_t table_bytes(uint64_t memory) {
    uint64_t bytes = sizeof(Bucket);
    if (memory < bytes) return 0;
    while (bytes <= memory / 2) bytes *= 2;
    return bytes;
}

/* Ask the system for large pages, so that few looks at a table have to find out where its page is. */
static inline void in_huge_pages(void *table, uint64_t bytes) {
#ifdef MADV_HUGEPAGE
    uintptr_t page = 1 << 21, first = ((uintptr_t)table + page - 1) / page * page;
    if (bytes >= 2 * page) madvise((void *)first, bytes - page, MADV_HUGEPAGE);
#endif
}

/* Room for a search of boards of that size; NULL where there is too little memory. */
static Search *new_search(int rows, int columns, int reversed, uint64_t memory) {
    Search *search = calloc(1, sizeof *search);
    uint8_t *done = calloc(1, EDGES);
    uint64_t bytes = table_bytes(memory);
    void *block = search && done && bytes <= SIZE_MAX - sizeof(Bucket) ? calloc(1, bytes + sizeof(Bucket)) : NULL;
    if (!block) {
        free(search), free(done);
        return NULL;
    }
    search->block = block;
    search->table = (Bucket *)(((uintptr_t)block + sizeof(Bucket) - 1) / sizeof(Bucket) * sizeof(Bucket));
    search->mask = bytes / sizeof(Bucket) - 1;
    in_huge_pages(search->table, bytes);
    search->rows = rows, search->columns = columns, search->squares = rows * columns;
    search->sign = reversed ? -1 : 1, search->taste = &tastes[reversed];
    search->mirrored = search->squares - 14;
    search->board = rectangle(rows, columns);
    int down = rows - 1, right = columns - 1;
    search->corners = 1ULL | 1ULL << right | 1ULL << WIDTH * down | 1ULL << (WIDTH * down + right);
    uint64_t high = rectangle(rows / 2, columns), left = rectangle(rows, columns / 2), board = search->board;
    search->quarters[0] = high & left, search->quarters[1] = high & ~left;
    search->quarters[2] = board & left & ~high, search->quarters[3] = board & ~high & ~left;
    for (int parity = 0; parity < 16; parity++)
        for (int at = 0; at < 4; at++)
            if (parity >> at & 1) search->odd[parity] |= search->quarters[at];
    for (int square = 0; square < SQUARES; square++)
        for (int at = 0; at < 4; at++)
            if (search->quarters[at] >> square & 1) search->quarter[square] = (uint8_t)(1 << at);
    find_walls(search);
    for (int square = 0; square < SQUARES; square++) {
        if (!(search->corners >> square & 1)) continue;
        search->next_to[0] |= near[square] & (rays[square][0][0] | rays[square][1][0] | rays[square][0][1] | rays[square][1][1]);
        search->next_to[1] |= near[square];
    }
    search->next_to[0] &= board & ~search->corners;
    search->next_to[1] &= board & ~search->corners & ~search->next_to[0];
    for (int line = 0; line < 2; line++) {
        int length = line ? rows : columns;
        memset(done, 0, EDGES);
        for (int own = 0; own < 1 << length; own++)
            for (int opp = 0; opp < 1 << length; opp++)
                if (!(own & opp)) edge_stable(own, opp, length, search->edge[line], done);
    }
    free(done);
    return search;
}

/* The four discs that a game begins with: those of the first player, who is to move, and of the second. */
static inline void first_discs(const Search *search, uint64_t *first, uint64_t *second) {
    int row = search->rows / 2 - 1, column = search->columns / 2 - 1, at = WIDTH * row + column;
    *first = 1ULL << (at + 1) | 1ULL << (at + WIDTH);
    *second = 1ULL << at | 1ULL << (at + WIDTH + 1);
}

static void free_search(Search *search) {
    if (search) free(search->block);
    free(search);
}

/* Symmetries: bit 0 exchanges rows and columns, then bit 1 turns over the rows' order, and bit 2 the columns'. */

static uint64_t transposed(uint64_t x) {
    uint64_t t = (x ^ x >> 7) & 0x00AA00AA00AA00AAULL;
    x ^= t ^ t << 7;
    t = (x ^ x >> 14) & 0x0000CCCC0000CCCCULL;
    x ^= t ^ t << 14;
    t = (x ^ x >> 28) & 0x00000000F0F0F0F0ULL;
    return x ^ t ^ t << 28;
}

static uint64_t flipped(const Search *search, uint64_t x) {
    x = (x >> 8 & 0x00FF00FF00FF00FFULL) | (x & 0x00FF00FF00FF00FFULL) << 8;
    x = (x >> 16 & 0x0000FFFF0000FFFFULL) | (x & 0x0000FFFF0000FFFFULL) << 16;
    return (x >> 32 | x << 32) >> WIDTH * (WIDTH - search->rows);
}

static uint64_t mirrored(const Search *search, uint64_t x) {
    x = (x >> 1 & 0x5555555555555555ULL) | (x & 0x5555555555555555ULL) << 1;
    x = (x >> 2 & 0x3333333333333333ULL) | (x & 0x3333333333333333ULL) << 2;
    x = (x >> 4 & 0x0F0F0F0F0F0F0F0FULL) | (x & 0x0F0F0F0F0F0F0F0FULL) << 4;
    return x >> (WIDTH - search->columns);
}

static uint64_t turned_by(const Search *search, uint64_t x, int symmetry) {
    if (symmetry & 1) x = transposed(x);
    if (symmetry & 2) x = flipped(search, x);
    if (symmetry & 4) x = mirrored(search, x);
    return x;
}

static uint64_t turned_back(const Search *search, uint64_t x, int symmetry) {
    if (symmetry & 4) x = mirrored(search, x);
    if (symmetry & 2) x = flipped(search, x);
    if (symmetry & 1) x = transposed(x);
    return x;
}

/* Put the least of all symmetric positions in the place of this one; the symmetry that makes it. */
static int canonical(const Search *search, uint64_t *own, uint64_t *opp) {
    uint64_t first = *own, second = *opp;
    int best = 0, square = search->rows == search->columns;
    for (int symmetry = 1; symmetry < 8; symmetry++) {
        if (symmetry & 1 && !square) continue;
        uint64_t mine = turned_by(search, first, symmetry), theirs = turned_by(search, second, symmetry);
        if (mine < *own || (mine == *own && theirs < *opp)) *own = mine, *opp = theirs, best = symmetry;
    }
    return best;
}

/* The table of what is known. */

static inline Bucket *bucket_of(const Search *search, uint64_t own, uint64_t opp) {
    uint64_t mixed = own * 0x9E3779B97F4A7C15ULL;
    mixed = (mixed ^ mixed >> 32 ^ opp) * 0xD6E8FEB86659FD93ULL;
    mixed = (mixed ^ mixed >> 32) * 0xD6E8FEB86659FD93ULL;
    return &search->table[mixed >> 24 & search->mask];
}

static inline int recall(const Bucket *bucket, uint64_t own, uint64_t opp, Known *known) {
    for (int slot = 0; slot < SLOTS; slot++) {
        if (bucket->own[slot] == own && bucket->opp[slot] == opp) {
            *known = (Known){bucket->known[slot].low, bucket->known[slot].high, bucket->known[slot].move};
            return 1;
        }
    }
    return 0;
}

static inline void put(Bucket *bucket, int slot, uint64_t own, uint64_t opp, const Known *known, int cost) {
    bucket->own[slot] = own, bucket->opp[slot] = opp;
    bucket->known[slot].low = (int8_t)known->low, bucket->known[slot].high = (int8_t)known->high;
    bucket->known[slot].move = (uint8_t)known->move, bucket->known[slot].cost = (uint8_t)cost;
}

/* Keep what is known of a position that took so many others to search. */
static void remember(Bucket *bucket, uint64_t own, uint64_t opp, const Known *known, uint64_t nodes) {
    int cost = 0;
    if (nodes) {
        int power = 63 - __builtin_clzll(nodes);
        cost = 4 * power + (int)(power >= 2 ? nodes >> (power - 2) & 3 : 0);
    }
    for (int slot = 0; slot < SLOTS; slot++) {
        if (bucket->own[slot] == own && bucket->opp[slot] == opp) {
            int before = bucket->known[slot].cost;
            put(bucket, slot, own, opp, known, cost > before ? cost : before);
            return;
        }
    }
    int least = bucket->known[1].cost < bucket->known[0].cost;
    if (cost >= bucket->known[least].cost) {
        int last = SLOTS - 1;
        bucket->own[last] = bucket->own[least], bucket->opp[last] = bucket->opp[least];
        bucket->known[last] = bucket->known[least];
        put(bucket, least, own, opp, known, cost);
        return;
    }
    put(bucket, SLOTS - 1, own, opp, known, cost);
    if (++bucket->waited % PATIENCE == 0) bucket->known[least].cost--;
}

#endif
