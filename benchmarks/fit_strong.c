/* Fits the weights of the reference bot `strong` to games of such a player against itself.

   strong FILE SEED FEWEST PERFECT GAMES DEPTH [GAMES DEPTH ...], compiled for one board with -DSIZE=N (4 to 10)

   Each pair GAMES DEPTH is a round: so many games of a player that searches DEPTH plies, the first round by mobility
   alone and each later one with the weights of the round before. Games begin with some random moves, and have a burst
   of one to four more at a random place. The positions after the burst are lessons. So they hold natural positions and
   what becomes of odd moves in them.

   What a lesson teaches is not the final score alone, which many later mistakes have a part in: it is the value that
   the player's search found there for one tenth, and what the game's next position teaches for the rest (TD(lambda):
   Sutton, Learning to predict by the methods of temporal differences, Machine Learning 1988). The last position
   teaches the final score, the last PERFECT empty squares being played perfectly. In the first round, whose player
   does not judge in discs, every lesson teaches the final score.

   The weights are those of least squares with a penalty (ridge regression), solved by conjugate gradients (Hestenes
   and Stiefel, 1952). They lie at STAGES stages of the game, between which they are mixed in proportion. All chance
   comes from SEED and every sum has a fixed order, so that the same command writes the same bytes. FILE gets, for each
   stage, the int16 weights of patterns and tables in 1/64 disc; `bots/reference/judge.py` says what they mean. */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef SIZE
#define SIZE 8
#endif
#define SQUARES (SIZE * SIZE)
#if SIZE > 8
typedef unsigned __int128 board;
#else
typedef uint64_t board;
#endif

enum { CORNER = 19683, EDGE = 59049, PATTERNS = CORNER + EDGE + CORNER, INSTANCES = 16 };
enum { COUNTS = 4, MOST = 48, BENDS = 5, DENSE = COUNTS * BENDS + 2, COLUMNS = PATTERNS + DENSE };
enum { STAGES = 5, STEPS = 25, UNIT = 64, FAR = 1 << 28, FIRST_RANDOM = 10, BURST = 4, MOST_MOVES = 64, FEW = 5 };
#define TABLE (PATTERNS + COUNTS * (MOST + 1) + 2)

static const double KNOTS[STAGES] = {12, 22, 32, 42, 52}; /* in 64ths of the board that are filled */
static const int BEND[BENDS] = {1, 2, 4, 8, MOST};
static const double PATTERN_PENALTY = 30, OTHER_PENALTY = 1, FIRST_MOBILITY = 0.5, KEPT = 0.9;

/* -------- the board: bit row * SIZE + column -------- */

static board FULL, NOT_FIRST, NOT_LAST;
static int sign, perfect;

static int count(board b)
{
#if SIZE > 8
    return __builtin_popcountll((uint64_t)b) + __builtin_popcountll((uint64_t)(b >> 64));
#else
    return __builtin_popcountll(b);
#endif
}

static int lowest(board b)
{
#if SIZE > 8
    return (uint64_t)b ? __builtin_ctzll((uint64_t)b) : 64 + __builtin_ctzll((uint64_t)(b >> 64));
#else
    return __builtin_ctzll(b);
#endif
}

static board bit(int square)
{
    return (board)1 << square;
}

static const int SHIFT[4] = {1, SIZE - 1, SIZE, SIZE + 1};

/* The discs of the other side that a step in way `w`, up or down the bit order, may pass over. */
static inline board inside(board opp, int w)
{
    return w == 2 ? opp : opp & NOT_FIRST & NOT_LAST;
}

static inline board placements(board own, board opp)
{
    board found = 0;
    for (int w = 0; w < 4; w++) {
        board in = inside(opp, w), up = own << SHIFT[w] & in, down = own >> SHIFT[w] & in;
        for (int i = 0; i < SIZE - 3; i++) {
            up |= up << SHIFT[w] & in;
            down |= down >> SHIFT[w] & in;
        }
        found |= up << SHIFT[w] | down >> SHIFT[w];
    }
    return found & FULL & ~(own | opp);
}

static inline board flips(board own, board opp, int square)
{
    board disc = bit(square), turned = 0;
    for (int w = 0; w < 4; w++) {
        board in = inside(opp, w), line = 0, step = disc << SHIFT[w] & in;
        while (step) {
            line |= step;
            step <<= SHIFT[w];
            if (step & own)
                turned |= line;
            step &= in;
        }
        line = 0;
        step = disc >> SHIFT[w] & in;
        while (step) {
            line |= step;
            step >>= SHIFT[w];
            if (step & own)
                turned |= line;
            step &= in;
        }
    }
    return turned;
}

static board around(board b)
{
    board row = b | (b & NOT_LAST) << 1 | (b & NOT_FIRST) >> 1;
    return (row | row << SIZE | row >> SIZE) & FULL;
}

/* -------- what is judged -------- */

/* The digits of a square: in which instances of patterns it lies, and with which power of 3. */
static struct { int n, instance[INSTANCES], power[INSTANCES]; } digits[SQUARES];
static int begins[INSTANCES];   /* where the weights of the instance's pattern begin */
static int same[PATTERNS];      /* the first of the weights that a pattern's symmetry makes equal */

static void add_square(int instance, int row, int column, int turn, int power)
{
    if (row >= SIZE || column >= SIZE)
        return;
    if (turn & 4) {
        int r = row;
        row = column;
        column = r;
    }
    if (turn & 1)
        column = SIZE - 1 - column;
    if (turn & 2)
        row = SIZE - 1 - row;
    int square = row * SIZE + column, n = digits[square].n++;
    digits[square].instance[n] = instance;
    digits[square].power[n] = power;
}

static void prepare(void)
{
    for (int square = 0; square < SQUARES; square++) {
        FULL |= bit(square);
        if (square % SIZE)
            NOT_FIRST |= bit(square);
        if (square % SIZE < SIZE - 1)
            NOT_LAST |= bit(square);
    }
    for (int turn = 0, instance = 0; turn < 8; turn++) {
        begins[instance] = CORNER;
        for (int i = 0, power = 1; i < 10; i++, power *= 3)
            add_square(instance, i / 5, i % 5, turn, power);
        instance++;
        for (int from = 0; from < 2 && turn < 4; from++, instance++) {
            begins[instance] = from ? CORNER + EDGE : 0;
            for (int i = 0, power = 1; i < 9; i++, power *= 3)
                add_square(instance, from + i / 3, from + i % 3, turn, power);
        }
    }
    for (int i = 0; i < PATTERNS; i++)
        same[i] = i;
    for (int i = 0; i < CORNER; i++) {
        int mirrored = 0;
        for (int at = 0, power = 1, rest = i; at < 9; at++, rest /= 3, power *= 3) {
            static const int to[9] = {1, 27, 729, 3, 81, 2187, 9, 243, 6561};
            mirrored += rest % 3 * to[at];
        }
        same[i] = mirrored < i ? mirrored : i;
        same[CORNER + EDGE + i] = CORNER + EDGE + same[i];
    }
}

/* A position from the mover's view; `at` has the patterns' digits from the mover's view and from the other's. */
struct node {
    board own, opp;
    int32_t at[2][INSTANCES];
};

static void put(int32_t *at, int square, int times)
{
    for (int i = 0; i < digits[square].n; i++)
        at[digits[square].instance[i]] += times * digits[square].power[i];
}

static struct node passed(const struct node *node)
{
    struct node next = {node->opp, node->own, {{0}}};
    memcpy(next.at[0], node->at[1], sizeof next.at[0]);
    memcpy(next.at[1], node->at[0], sizeof next.at[0]);
    return next;
}

static struct node after(const struct node *node, int square)
{
    board turned = flips(node->own, node->opp, square);
    struct node next = passed(node);
    next.own ^= turned;
    next.opp |= turned | bit(square);
    put(next.at[0], square, 2);
    put(next.at[1], square, 1);
    for (board rest = turned; rest; rest &= rest - 1) {
        put(next.at[0], lowest(rest), 1);
        put(next.at[1], lowest(rest), -1);
    }
    return next;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static void counts(const struct node *node, uint8_t *out)
{
    board empty = FULL & ~(node->own | node->opp);
    out[0] = least(MOST, count(placements(node->own, node->opp)));
    out[1] = least(MOST, count(placements(node->opp, node->own)));
    out[2] = least(MOST, count(around(node->own) & empty));
    out[3] = least(MOST, count(around(node->opp) & empty));
}

static int16_t weights[SQUARES + 1][TABLE]; /* by number of discs */

static int judge(const struct node *node)
{
    int discs = count(node->own | node->opp);
    const int16_t *by = weights[discs];
    uint8_t counted[COUNTS];
    counts(node, counted);
    int value = by[TABLE - 2 + ((SQUARES - discs) & 1)];
    for (int i = 0; i < INSTANCES; i++)
        value += by[begins[i] + node->at[0][i]];
    for (int i = 0; i < COUNTS; i++)
        value += by[PATTERNS + i * (MOST + 1) + counted[i]];
    return value;
}

/* -------- the player -------- */

static uint64_t mix(uint64_t z)
{
    z += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

static int below(uint64_t *state, int bound)
{
    *state += 0x9E3779B97F4A7C15;
    return (mix(*state) >> 32) * bound >> 32;
}

static int final(board own, board opp)
{
    return sign * (count(own) - count(opp));
}

/* The squares of `moves`, fewest answers first; how many. */
static int ordered(board own, board opp, board moves, int *squares)
{
    int n = 0, answers[MOST_MOVES];
    for (; moves; moves &= moves - 1) {
        int square = lowest(moves);
        board turned = flips(own, opp, square);
        int fewer = count(placements(opp ^ turned, own | turned | bit(square))), i = n++;
        for (; i && answers[i - 1] > fewer; i--) {
            answers[i] = answers[i - 1];
            squares[i] = squares[i - 1];
        }
        answers[i] = fewer;
        squares[i] = square;
    }
    return n;
}

static int solve(board own, board opp, int alpha, int beta)
{
    board moves = placements(own, opp);
    if (!moves)
        return placements(opp, own) ? -solve(opp, own, -beta, -alpha) : final(own, opp);
    int squares[MOST_MOVES], n = 0, best = -SQUARES - 1;
    if (SQUARES - count(own | opp) <= FEW)
        for (; moves; moves &= moves - 1)
            squares[n++] = lowest(moves);
    else
        n = ordered(own, opp, moves, squares);
    for (int i = 0; i < n && best < beta; i++) {
        board turned = flips(own, opp, squares[i]);
        int floor = best > alpha ? best : alpha;
        int value = -solve(opp ^ turned, own | turned | bit(squares[i]), -beta, -floor);
        best = value > best ? value : best;
    }
    return best;
}

static int look(const struct node *node, int depth, int alpha, int beta, int *chosen)
{
    if (depth == 0)
        return judge(node);
    board moves = placements(node->own, node->opp);
    if (!moves) {
        if (!placements(node->opp, node->own))
            return final(node->own, node->opp) * UNIT;
        struct node next = passed(node);
        return -look(&next, depth, -beta, -alpha, NULL);
    }
    int squares[MOST_MOVES], n = ordered(node->own, node->opp, moves, squares), best = -FAR;
    for (int i = 0; i < n && best < beta; i++) {
        struct node next = after(node, squares[i]);
        int value = -look(&next, depth - 1, -beta, best > alpha ? -best : -alpha, NULL);
        if (value > best) {
            best = value;
            if (chosen)
                *chosen = squares[i];
        }
    }
    return best;
}

/* -------- lessons -------- */

struct lesson {
    int32_t at[INSTANCES];
    uint8_t counted[COUNTS], stage, odd;
    int8_t seat;
    float searched, taught; /* what the search found, NAN where it was not asked; what there is to learn */
    double beyond;
};

static struct lesson *lessons;
static size_t taught, room;

static void note(const struct node *node, int seat)
{
    if (taught == room) {
        room = room ? 2 * room : 1 << 16;
        lessons = realloc(lessons, room * sizeof *lessons);
        if (!lessons)
            exit(3);
    }
    struct lesson *lesson = &lessons[taught++];
    for (int i = 0; i < INSTANCES; i++)
        lesson->at[i] = same[begins[i] + node->at[0][i]];
    counts(node, lesson->counted);
    lesson->seat = seat;
    lesson->searched = NAN;
    int discs = count(node->own | node->opp);
    double filled = discs * 64.0 / SQUARES;
    int stage = 0;
    while (stage < STAGES - 2 && filled >= KNOTS[stage + 1])
        stage++;
    double beyond = (filled - KNOTS[stage]) / (KNOTS[stage + 1] - KNOTS[stage]);
    lesson->stage = stage;
    lesson->beyond = beyond < 0 ? 0 : beyond > 1 ? 1 : beyond;
    lesson->odd = (SQUARES - discs) & 1;
}

/* Say what the lessons from `begin` on teach, which lead to `score` for the first seat, each keeping `kept` of what
   the next one teaches. */
static void teach(size_t begin, double score, double kept)
{
    for (size_t i = taught; i-- > begin;) {
        struct lesson *lesson = &lessons[i];
        if (!isnan(lesson->searched))
            score = kept * score + (1 - kept) * lesson->seat * lesson->searched;
        lesson->taught = lesson->seat * score;
    }
}

static void play(struct node node, int depth, double kept, uint64_t state)
{
    int left = SQUARES - 4, first = below(&state, FIRST_RANDOM), place = below(&state, left - least(left - 1, 6));
    int burst = 1 + below(&state, BURST), seat = 1, score;
    size_t begin = taught;
    for (;;) {
        board moves = placements(node.own, node.opp);
        if (!moves) {
            if (!placements(node.opp, node.own)) {
                score = seat * final(node.own, node.opp);
                break;
            }
            node = passed(&node);
            seat = -seat;
            continue;
        }
        int played = count(node.own | node.opp) - 4, square, learning = played >= place + burst;
        if (learning) {
            note(&node, seat);
            if (left - played <= perfect) {
                score = seat * solve(node.own, node.opp, -SQUARES, SQUARES);
                break;
            }
        }
        if (played < first || (played >= place && !learning)) {
            for (int skip = below(&state, count(moves)); skip; skip--)
                moves &= moves - 1;
            square = lowest(moves);
        } else {
            int value = look(&node, depth, -FAR, FAR, &square);
            if (learning)
                lessons[taught - 1].searched = (double)value / UNIT;
        }
        node = after(&node, square);
        seat = -seat;
    }
    teach(begin, score, kept);
}

/* -------- the fit -------- */

typedef double (*columns)[COLUMNS];

static columns fresh(void)
{
    columns made = calloc(STAGES, sizeof *made);
    if (!made)
        exit(3);
    return made;
}

/* The numbers beside the patterns: the bends of each count, and whether the empty squares are even or odd. */
static void dense(const struct lesson *lesson, double *out)
{
    for (int kind = 0; kind < COUNTS; kind++)
        for (int i = 0; i < BENDS; i++)
            *out++ = least(lesson->counted[kind], BEND[i]);
    out[0] = !lesson->odd;
    out[1] = lesson->odd;
}

static double told(const struct lesson *lesson, columns by)
{
    double total = 0, numbers[DENSE];
    dense(lesson, numbers);
    for (int side = 0; side < 2; side++) {
        const double *stage = by[lesson->stage + side];
        double part = 0;
        for (int i = 0; i < INSTANCES; i++)
            part += stage[lesson->at[i]];
        for (int i = 0; i < DENSE; i++)
            part += stage[PATTERNS + i] * numbers[i];
        total += part * (side ? lesson->beyond : 1 - lesson->beyond);
    }
    return total;
}

/* Add a lesson to the columns, `times` times; or, `squared`, its squares. */
static void gather(const struct lesson *lesson, double times, int squared, columns out)
{
    double numbers[DENSE];
    dense(lesson, numbers);
    for (int side = 0; side < 2; side++) {
        double *stage = out[lesson->stage + side], share = side ? lesson->beyond : 1 - lesson->beyond;
        double part = times * (squared ? share * share : share);
        for (int i = 0; i < INSTANCES; i++)
            stage[lesson->at[i]] += part;
        for (int i = 0; i < DENSE; i++)
            stage[PATTERNS + i] += part * (squared ? numbers[i] * numbers[i] : numbers[i]);
    }
}

#define EACH for (int s = 0; s < STAGES; s++) for (int c = 0; c < COLUMNS; c++)

static double product(columns one, columns other)
{
    double total = 0;
    EACH total += one[s][c] * other[s][c];
    return total;
}

/* Fit `fitted`; columns are scaled by the root of their own diagonal, so that rare and frequent ones come alike. */
static void fit(columns fitted)
{
    columns scale = fresh(), rest = fresh(), way = fresh(), scaled = fresh(), image = fresh();
    double length, before;
    for (size_t i = 0; i < taught; i++) {
        gather(&lessons[i], 1, 1, scale);
        gather(&lessons[i], lessons[i].taught, 0, rest);
    }
    EACH {
        scale[s][c] = 1 / sqrt(scale[s][c] + (c < PATTERNS ? PATTERN_PENALTY : OTHER_PENALTY));
        rest[s][c] *= scale[s][c];
        way[s][c] = rest[s][c];
        fitted[s][c] = 0;
    }
    length = product(rest, rest);
    for (int step = 0; step < STEPS && length > 0; step++) {
        EACH {
            scaled[s][c] = way[s][c] * scale[s][c];
            image[s][c] = (c < PATTERNS ? PATTERN_PENALTY : OTHER_PENALTY) * scaled[s][c];
        }
        for (size_t i = 0; i < taught; i++)
            gather(&lessons[i], told(&lessons[i], scaled), 0, image);
        EACH image[s][c] *= scale[s][c];
        double by = length / product(way, image);
        EACH {
            fitted[s][c] += by * way[s][c];
            rest[s][c] -= by * image[s][c];
        }
        before = length;
        length = product(rest, rest);
        EACH way[s][c] = rest[s][c] + length / before * way[s][c];
    }
    EACH fitted[s][c] *= scale[s][c];
    free(scale), free(rest), free(way), free(scaled), free(image);
}

/* A weight as the player reads it: tables instead of bends, in whole units. */
static double as_read(const double *column, int at)
{
    if (at < PATTERNS)
        return UNIT * column[same[at]];
    if (at >= TABLE - 2)
        return UNIT * column[COLUMNS - TABLE + at];
    int kind = (at - PATTERNS) / (MOST + 1), n = (at - PATTERNS) % (MOST + 1);
    double total = 0;
    for (int i = 0; i < BENDS; i++)
        total += column[PATTERNS + kind * BENDS + i] * least(n, BEND[i]);
    return UNIT * total;
}

static int16_t whole(double value)
{
    return rint(value < -32000 ? -32000 : value > 32000 ? 32000 : value);
}

static void install(columns fitted)
{
    for (int discs = 0; discs <= SQUARES; discs++) {
        double filled = discs * 64.0 / SQUARES, beyond;
        int stage = 0;
        while (stage < STAGES - 2 && filled >= KNOTS[stage + 1])
            stage++;
        beyond = (filled - KNOTS[stage]) / (KNOTS[stage + 1] - KNOTS[stage]);
        beyond = beyond < 0 ? 0 : beyond > 1 ? 1 : beyond;
        for (int at = 0; at < TABLE; at++)
            weights[discs][at] =
                whole((1 - beyond) * as_read(fitted[stage], at) + beyond * as_read(fitted[stage + 1], at));
    }
}

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void report(int games, int depth, double began, double played, columns fitted)
{
    double sum = 0, squares = 0, missed = 0;
    for (size_t i = 0; i < taught; i++) {
        double right = lessons[i].taught, off = told(&lessons[i], fitted) - right;
        sum += right;
        squares += right * right;
        missed += off * off;
    }
    double mean = sum / taught;
    printf("%d games of %d plies, %zu lessons in %.0f s; fitted in %.0f s, off by %.3f of %.3f discs\n", games, depth,
           taught, played - began, seconds() - played, sqrt(missed / taught), sqrt(squares / taught - mean * mean));
    fflush(stdout);
}

int main(int argc, char **argv)
{
    if (argc < 7 || argc % 2 == 0)
        return 2;
    uint64_t seed = strtoull(argv[2], NULL, 10);
    sign = atoi(argv[3]) ? -1 : 1;
    perfect = atoi(argv[4]);
    prepare();
    struct node start = {0, 0, {{0}}};
    int high = SIZE / 2, low = high - 1;
    int cross[2] = {low * SIZE + low, high * SIZE + high}, nought[2] = {low * SIZE + high, high * SIZE + low};
    for (int i = 0; i < 2; i++) {
        start.own |= bit(cross[i]);
        start.opp |= bit(nought[i]);
        put(start.at[0], cross[i], 1), put(start.at[1], cross[i], 2);
        put(start.at[0], nought[i], 2), put(start.at[1], nought[i], 1);
    }
    columns fitted = fresh();
    for (int s = 0; s < STAGES; s++) {
        fitted[s][PATTERNS + BENDS - 1] = FIRST_MOBILITY;
        fitted[s][PATTERNS + 2 * BENDS - 1] = -FIRST_MOBILITY;
    }
    for (int at = 5; at < argc; at += 2) {
        int games = atoi(argv[at]), depth = atoi(argv[at + 1]);
        double began = seconds();
        install(fitted);
        taught = 0;
        for (int game = 0; game < games; game++)
            play(start, depth, at == 5 ? 1 : KEPT, mix(mix(seed ^ (uint64_t)at << 32) ^ (uint64_t)game));
        double played = seconds();
        fit(fitted);
        report(games, depth, began, played, fitted);
    }
    FILE *out = fopen(argv[1], "wb");
    if (!out)
        return 1;
    for (int s = 0; s < STAGES; s++)
        for (int at = 0; at < TABLE; at++) {
            int16_t value = whole(as_read(fitted[s], at));
            uint8_t bytes[2] = {(uint16_t)value & 255, (uint16_t)value >> 8};
            fwrite(bytes, 1, 2, out);
        }
    return fclose(out) ? 1 : 0;
}
