/* Reversi positions judged by patterns: for each stage of the game a table says what each filling of some lines and
   corners of the board is worth (Buro, *Improving heuristic mini-max search by supervised learning*, Artificial
   Intelligence 2002). Boards of 4, 6 and 8 squares a side lie as in `reversi_search.h`, by either rule.

   A filling is a number to base 3, a digit a square: 0 empty, 1 the first colour's disc, 2 the second's. The fillings
   of all instances are kept together as `Lines`, and change with the squares that a move changes. A value is the
   mover's, in `POINT`s a disc; it foretells the mover's discs less the other side's at the end, negated where fewer
   discs win. The first colour is to move in the positions that weights are fitted to; what they say where the second
   colour is to move is read from tables with the two digits exchanged.

   A file of weights: `BAWGHTS1`, the size, 1 where fewest discs win, the number of stages and 0 (a byte each), then
   numbers of 7 bits a byte, the lowest first, whose top bit says that more follow: what is constant for each number
   of empty squares, then stage by stage the weights of fillings that no symmetry makes equal to an earlier one. Weights
   are in 1/32 disc; n >= 0 is 2n and n < 0 is -2n - 1; a zero is followed by how many more zeros there are. Last come
   four bytes, the lowest first: FNV-1a of all before. */
#ifndef ENGINES_REVERSI_PATTERNS_H
#define ENGINES_REVERSI_PATTERNS_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    POINT = 128,
    KEPT_POINT = 32,          /* a disc in the units of a file */
    MOST_FAMILIES = 11,
    MOST_IN_PATTERN = 10,
    LANES_16 = 48,            /* instances of patterns: 46 on 8 by 8 squares */
    SQUARES_A_STAGE = 4,
    MOST_STAGES = 15,
    BOARD = 64,
};

typedef uint16_t Sixteen __attribute__((vector_size(32)));

/* The fillings of all instances. */
typedef union {
    uint16_t at[LANES_16];
    Sixteen vector[LANES_16 / 16];
} Lines;

/* A pattern and its images under the board's symmetries. */
typedef struct {
    int length, fillings, first;                 /* `first` is where its weights begin in a stage's */
    int squares[MOST_IN_PATTERN];
} Family;

typedef struct {
    Lines digit[BOARD];                          /* by square, its power of 3 in each instance, or 0 */
    int size, families, instances, stages, fillings, distinct;
    Family family[MOST_FAMILIES];
    uint32_t begin[LANES_16];                    /* where an instance's weights begin in a stage's */
    uint32_t *same, *swapped;                    /* by filling: its number among the distinct; with colours exchanged */
} Patterns;

typedef struct {
    int16_t *table[2][MOST_STAGES];              /* by colour to move, then stage: `fillings` weights */
    int16_t constant[BOARD + 1];                 /* by the number of empty squares */
} Weights;

static const char MAGIC[9] = "BAWGHTS1";

static inline int at_square(int row, int column) { return 8 * row + column; }

/* The square's image: bit 0 exchanges rows and columns, then bit 1 turns over the rows and bit 2 the columns. */
static int image(int size, int square, int symmetry) {
    int row = square / 8, column = square % 8;
    if (symmetry & 1) {
        int before = row;
        row = column, column = before;
    }
    if (symmetry & 2) row = size - 1 - row;
    if (symmetry & 4) column = size - 1 - column;
    return at_square(row, column);
}

static void add_family(Patterns *patterns, int length, const int *squares) {
    Family *family = &patterns->family[patterns->families++];
    family->length = length, family->first = patterns->fillings, family->fillings = 1;
    for (int at = 0; at < length; at++) family->squares[at] = squares[at], family->fillings *= 3;
    patterns->fillings += family->fillings;
    uint64_t seen[8];
    for (int symmetry = 0, known = 0; symmetry < 8; symmetry++) {
        uint64_t covered = 0;
        int old = 0;
        for (int at = 0; at < length; at++) covered |= 1ULL << image(patterns->size, squares[at], symmetry);
        for (int before = 0; before < known; before++) old |= seen[before] == covered;
        if (old) continue;
        seen[known++] = covered;
        int instance = patterns->instances++, power = 1;
        patterns->begin[instance] = (uint32_t)family->first;
        for (int at = 0; at < length; at++, power *= 3)
            patterns->digit[image(patterns->size, squares[at], symmetry)].at[instance] = (uint16_t)power;
    }
}

/* The patterns: corners of 3 by 3 and of 2 by 5, edges with the squares aslant of their corners, rows from the second
   to the middle, and diagonals of at least four squares. */
static void add_families(Patterns *patterns) {
    int size = patterns->size, squares[MOST_IN_PATTERN], wide = size < 5 ? size : 5;
    for (int at = 0; at < 9; at++) squares[at] = at_square(at / 3, at % 3);
    add_family(patterns, 9, squares);
    if (size > 4) {
        for (int at = 0; at < 2 * wide; at++) squares[at] = at_square(at / wide, at % wide);
        add_family(patterns, 2 * wide, squares);
    }
    for (int at = 0; at < size; at++) squares[at] = at_square(0, at);
    squares[size] = at_square(1, 1), squares[size + 1] = at_square(1, size - 2);
    add_family(patterns, size + 2, squares);
    for (int row = 1; row < size / 2; row++) {
        for (int at = 0; at < size; at++) squares[at] = at_square(row, at);
        add_family(patterns, size, squares);
    }
    for (int length = size; length >= 4; length--) {
        for (int at = 0; at < length; at++) squares[at] = at_square(at, size - length + at);
        add_family(patterns, length, squares);
    }
}

/* Number the fillings of a family that no symmetry of the pattern makes equal. */
static void number_distinct(Patterns *patterns, const Family *family) {
    int order[8][MOST_IN_PATTERN], orders = 0;
    for (int symmetry = 0; symmetry < 8; symmetry++) {
        int found = 0;
        for (int at = 0; at < family->length; at++)
            for (int to = 0; to < family->length; to++)
                if (image(patterns->size, family->squares[at], symmetry) == family->squares[to])
                    order[orders][at] = to, found++;
        orders += found == family->length;
    }
    for (int filling = 0; filling < family->fillings; filling++) {
        int digits[MOST_IN_PATTERN], powers[MOST_IN_PATTERN], least = filling, exchanged = 0;
        for (int at = 0, rest = filling, power = 1; at < family->length; at++, rest /= 3, power *= 3) {
            digits[at] = rest % 3, powers[at] = power;
            exchanged += (3 - digits[at]) % 3 * power;
        }
        for (int which = 0; which < orders; which++) {
            int turned = 0;
            for (int at = 0; at < family->length; at++) turned += digits[at] * powers[order[which][at]];
            if (turned < least) least = turned;
        }
        uint32_t *same = patterns->same + family->first;
        same[filling] = least == filling ? (uint32_t)patterns->distinct++ : same[least];
        patterns->swapped[family->first + filling] = (uint32_t)(family->first + exchanged);
    }
}

static void free_patterns(Patterns *patterns) {
    if (patterns) free(patterns->same), free(patterns->swapped);
    free(patterns);
}

/* The patterns of a square board of 4, 6 or 8 rows; NULL where there is too little memory. */
static Patterns *new_patterns(int size) {
    Patterns *patterns = aligned_alloc(sizeof(Sixteen), (sizeof *patterns + sizeof(Sixteen) - 1) & ~(sizeof(Sixteen) - 1));
    if (!patterns) return NULL;
    memset(patterns, 0, sizeof *patterns);
    patterns->size = size;
    patterns->stages = (size * size - 4 + SQUARES_A_STAGE - 1) / SQUARES_A_STAGE;
    add_families(patterns);
    patterns->same = malloc((size_t)patterns->fillings * sizeof *patterns->same);
    patterns->swapped = malloc((size_t)patterns->fillings * sizeof *patterns->swapped);
    if (!patterns->same || !patterns->swapped) {
        free_patterns(patterns);
        return NULL;
    }
    for (int family = 0; family < patterns->families; family++) number_distinct(patterns, &patterns->family[family]);
    return patterns;
}

/* The stage of a position with so many empty squares. */
static inline int stage_of(const Patterns *patterns, int empty) {
    int stage = (empty - 1) / SQUARES_A_STAGE;
    return empty < 1 ? 0 : stage < patterns->stages ? stage : patterns->stages - 1;
}

static inline void add_lines(Lines *lines, const Lines *digit, int times) {
    for (int part = 0; part < LANES_16 / 16; part++)
        lines->vector[part] += digit->vector[part] * (uint16_t)times;
}

/* The fillings of a position. */
static inline void lines_of(const Patterns *patterns, uint64_t first, uint64_t second, Lines *lines) {
    memset(lines, 0, sizeof *lines);
    for (; first; first &= first - 1) add_lines(lines, &patterns->digit[__builtin_ctzll(first)], 1);
    for (; second; second &= second - 1) add_lines(lines, &patterns->digit[__builtin_ctzll(second)], 2);
}

/* The fillings after a disc of `colour` (0 first, 1 second) on `square`, which turned those discs. */
static inline void lines_after(const Patterns *patterns, const Lines *before, Lines *after, int square, uint64_t turned,
                               int colour) {
    Lines change = patterns->digit[square];
    if (colour)
        for (int part = 0; part < LANES_16 / 16; part++) change.vector[part] += change.vector[part];
    for (; turned; turned &= turned - 1) {
        const Lines *digit = &patterns->digit[__builtin_ctzll(turned)];
        for (int part = 0; part < LANES_16 / 16; part++)
            change.vector[part] += colour ? digit->vector[part] : -digit->vector[part];
    }
    for (int part = 0; part < LANES_16 / 16; part++) after->vector[part] = before->vector[part] + change.vector[part];
}

static inline int four(const int16_t *table, const uint16_t *at) {
    return table[at[0]] + table[at[1]] + table[at[2]] + table[at[3]];
}

/* The sum of the weights on 8 by 8 squares, family by family: searches spend half of their time on it, and it takes less
   where the compiler knows how many instances there are and where their weights begin. */
static inline int sum_8(const int16_t *table, const uint16_t *at) {
    enum { POWER_8 = 6561, CORNERS = 3 * POWER_8, ROWS = 21 * POWER_8, DIAGONALS = 24 * POWER_8 };
    int sum = four(table, at) + four(table + CORNERS, at + 4) + four(table + CORNERS, at + 8);
    sum += four(table + 12 * POWER_8, at + 12);
    for (int row = 0; row < 3; row++) sum += four(table + ROWS + row * POWER_8, at + 16 + 4 * row);
    sum += table[DIAGONALS + at[28]] + table[DIAGONALS + at[29]];
    table += DIAGONALS + POWER_8, at += 30;
    for (int length = 7, power = POWER_8 / 3; length >= 4; length--, power /= 3) sum += four(table, at), table += power, at += 4;
    return sum;
}

/* The value of a position for `colour`, who is to move. */
static inline int judged(const Patterns *patterns, const Weights *weights, const Lines *lines, int colour, int empty) {
    const int16_t *table = weights->table[colour][stage_of(patterns, empty)];
    int value = weights->constant[empty], most = patterns->size * patterns->size * POINT;
    if (patterns->size == 8) value += sum_8(table, lines->at);
    for (int instance = 0; patterns->size < 8 && instance < patterns->instances; instance++)
        value += table[patterns->begin[instance] + lines->at[instance]];
    return value > most ? most : value < -most ? -most : value;
}

static void free_weights(Weights *weights) {
    if (!weights) return;
    for (int stage = 0; stage < MOST_STAGES; stage++) free(weights->table[0][stage]), free(weights->table[1][stage]);
    free(weights);
}

/* Weights of 0; NULL where there is too little memory. */
static Weights *new_weights(const Patterns *patterns) {
    Weights *weights = calloc(1, sizeof *weights);
    if (!weights) return NULL;
    for (int stage = 0; stage < patterns->stages; stage++) {
        for (int colour = 0; colour < 2; colour++) {
            weights->table[colour][stage] = calloc((size_t)patterns->fillings, sizeof(int16_t));
            if (!weights->table[colour][stage]) {
                free_weights(weights);
                return NULL;
            }
        }
    }
    return weights;
}

/* Give a stage its weights: `distinct` numbers in the units of a file. */
static void set_stage(const Patterns *patterns, Weights *weights, int stage, const int16_t *distinct) {
    for (int filling = 0; filling < patterns->fillings; filling++) {
        int16_t value = (int16_t)(distinct[patterns->same[filling]] * (POINT / KEPT_POINT));
        weights->table[0][stage][filling] = value;
        weights->table[1][stage][patterns->swapped[filling]] = value;
    }
}

static uint32_t fnv(const uint8_t *bytes, size_t length) {
    uint32_t hash = 2166136261u;
    for (size_t at = 0; at < length; at++) hash = (hash ^ bytes[at]) * 16777619u;
    return hash;
}

typedef struct {
    const uint8_t *at, *end;
    uint32_t zeros;                               /* still to be told */
    int broken;
} Reader;

static uint32_t read_number(Reader *reader) {
    uint32_t number = 0;
    for (int shift = 0; shift < 32; shift += 7) {
        if (reader->at == reader->end) break;
        uint8_t byte = *reader->at++;
        number |= (uint32_t)(byte & 127) << shift;
        if (!(byte & 128)) return number;
    }
    reader->broken = 1;
    return 0;
}

static int16_t read_weight(Reader *reader) {
    enum { MOST = INT16_MAX / (POINT / KEPT_POINT) };
    if (reader->zeros) return reader->zeros--, 0;
    uint32_t number = read_number(reader);
    if (!number && !reader->broken) reader->zeros = read_number(reader);
    if (number > 2 * MOST) reader->broken = 1;
    return (int16_t)(reader->broken ? 0 : number & 1 ? -(int)(number / 2) - 1 : (int)(number / 2));
}

/* The weights that a file holds; NULL where it is none for these patterns and this rule, or memory is short. */
static Weights *weights_in(const Patterns *patterns, int fewest, const uint8_t *bytes, size_t length) {
    const uint8_t head[4] = {(uint8_t)patterns->size, (uint8_t)fewest, (uint8_t)patterns->stages, 0};
    if (length < 16 || memcmp(bytes, MAGIC, 8) || memcmp(bytes + 8, head, 4)) return NULL;
    const uint8_t *check = bytes + length - 4;
    if (fnv(bytes, length - 4) != ((uint32_t)check[3] << 24 | check[2] << 16 | check[1] << 8 | check[0])) return NULL;
    Weights *weights = new_weights(patterns);
    int16_t *distinct = malloc((size_t)patterns->distinct * sizeof *distinct);
    Reader reader = {bytes + 12, check, 0, 0};
    if (weights && distinct) {
        for (int empty = 0; empty <= patterns->size * patterns->size; empty++)
            weights->constant[empty] = (int16_t)(read_weight(&reader) * (POINT / KEPT_POINT));
        for (int stage = 0; stage < patterns->stages; stage++) {
            for (int at = 0; at < patterns->distinct; at++) distinct[at] = read_weight(&reader);
            set_stage(patterns, weights, stage, distinct);
        }
    }
    if (!distinct || reader.broken || reader.zeros || reader.at != check) free_weights(weights), weights = NULL;
    free(distinct);
    return weights;
}

/* What is in a file that is not empty, and how many bytes; NULL where it cannot be read. */
static inline uint8_t *whole_file(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = NULL;
    if (!file) return NULL;
    if (!fseek(file, 0, SEEK_END)) {
        long size = ftell(file);
        *length = size > 0 ? (size_t)size : 0;
        bytes = *length ? malloc(*length) : NULL;
        rewind(file);
        if (bytes && fread(bytes, 1, *length, file) != *length) free(bytes), bytes = NULL;
    }
    fclose(file);
    return bytes;
}

/* The weights in the file of that name; NULL where there are none for these patterns and this rule. */
static inline Weights *read_weights(const Patterns *patterns, int fewest, const char *path) {
    size_t length;
    uint8_t *bytes = whole_file(path, &length);
    Weights *weights = bytes ? weights_in(patterns, fewest, bytes, length) : NULL;
    free(bytes);
    return weights;
}

#endif
