/* A plain engine for Reversi and Reversed Reversi on 8x8 squares, an opponent for the benchmark of `strong`.

   reversi_engine fit FEWEST SEED GAMES FILE     fit the evaluation to games against itself
   reversi_engine play FEWEST FILE               answer lines "OWN OPP MICROSECONDS DEPTH SOLVE" with
                                                 "SQUARE VALUE DEPTH MICROSECONDS"; FILE "-" judges by mobility alone

   Principal variation search with iterative deepening and a transposition table; exact endings from SOLVE empty squares.
   The evaluation is linear: discs on the ten kinds of squares that symmetry leaves, placements and frontier discs, with
   weights by tens of discs from the normal equations of least squares. Time is this process's processor time. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;

enum { KINDS = 10, FEATURES = KINDS + 3, PHASES = 7, FAR = 1 << 28, DISC = 100, WON = 1 << 20, TABLE = 1 << 18 };

static double weight[PHASES][FEATURES];
static u64 kind[KINDS];
static int sign, by_mobility;

static u64 step(u64 b, int way)
{
    static const u64 not_a = 0xFEFEFEFEFEFEFEFE, not_h = 0x7F7F7F7F7F7F7F7F;
    switch (way) {
    case 0: return b << 1 & not_a;
    case 1: return b >> 1 & not_h;
    case 2: return b << 8;
    case 3: return b >> 8;
    case 4: return b << 9 & not_a;
    case 5: return b >> 9 & not_h;
    case 6: return b << 7 & not_h;
    default: return b >> 7 & not_a;
    }
}

static u64 moves_of(u64 own, u64 opp)
{
    u64 found = 0;
    for (int way = 0; way < 8; way++) {
        u64 run = step(own, way) & opp;
        for (int i = 0; i < 5; i++)
            run |= step(run, way) & opp;
        found |= step(run, way);
    }
    return found & ~(own | opp);
}

static u64 turned_by(u64 own, u64 opp, u64 disc)
{
    u64 found = 0;
    for (int way = 0; way < 8; way++) {
        u64 line = 0, at = step(disc, way);
        while (at & opp) {
            line |= at;
            at = step(at, way);
        }
        if (at & own)
            found |= line;
    }
    return found;
}

static u64 neighbours(u64 b)
{
    u64 found = 0;
    for (int way = 0; way < 8; way++)
        found |= step(b, way);
    return found;
}

static int count(u64 b)
{
    return __builtin_popcountll(b);
}

static int final(u64 own, u64 opp)
{
    int margin = sign * (count(own) - count(opp));
    return margin * DISC + (margin > 0 ? WON : margin < 0 ? -WON : 0);
}

/* -------- evaluation -------- */

static int phase(u64 own, u64 opp)
{
    int discs = count(own | opp) / 10;
    return discs < PHASES ? discs : PHASES - 1;
}

static void features(u64 own, u64 opp, double *out)
{
    u64 empty = ~(own | opp), by_empty = neighbours(empty);
    for (int i = 0; i < KINDS; i++)
        out[i] = count(own & kind[i]) - count(opp & kind[i]);
    out[KINDS] = count(moves_of(own, opp)) - count(moves_of(opp, own));
    out[KINDS + 1] = count(own & by_empty) - count(opp & by_empty);
    out[KINDS + 2] = 1;
}

static int judged(u64 own, u64 opp)
{
    if (by_mobility)
        return DISC * (count(moves_of(own, opp)) - count(moves_of(opp, own)));
    double f[FEATURES], total = 0;
    features(own, opp, f);
    const double *w = weight[phase(own, opp)];
    for (int i = 0; i < FEATURES; i++)
        total += w[i] * f[i];
    return (int)(DISC * total);
}

/* -------- search -------- */

struct entry {
    u64 own, opp;
    int low, high;
    int8_t depth, best;
};

static struct entry table[TABLE];
static u64 nodes;
static clock_t deadline;
static int stopped;

static struct entry *slot(u64 own, u64 opp)
{
    u64 hash = (own * 0x9E3779B97F4A7C15) ^ (opp * 0xC2B2AE3D27D4EB4F);
    return &table[(hash ^ hash >> 32) % TABLE];
}

struct move {
    int order, square;
    u64 own, opp;
};

static int listed(u64 own, u64 opp, u64 moves, int first, int ending, struct move *list)
{
    static const u64 corners = 0x8100000000000081;
    int n = 0;
    for (; moves; moves &= moves - 1) {
        u64 disc = moves & -moves, turned = turned_by(own, opp, disc);
        struct move m = {0, __builtin_ctzll(disc), opp ^ turned, own | turned | disc};
        u64 answers = moves_of(m.own, m.opp);
        m.order = ending ? count(answers) * 4 + (answers & corners ? 2 : 0) : -judged(m.opp, m.own);
        if (m.square == first)
            m.order = -FAR;
        int at = n++;
        for (; at && list[at - 1].order > m.order; at--)
            list[at] = list[at - 1];
        list[at] = m;
    }
    return n;
}

/* Values from the mover's view; `depth` is 64 where the search goes to the end. */
static int search(u64 own, u64 opp, int depth, int alpha, int beta, int *best_square)
{
    if (!(++nodes & 255) && clock() > deadline)
        stopped = 1;
    if (stopped)
        return 0;
    u64 moves = moves_of(own, opp);
    if (!moves)
        return moves_of(opp, own) ? -search(opp, own, depth, -beta, -alpha, NULL) : final(own, opp);
    if (depth == 0)
        return judged(own, opp);
    struct entry *e = NULL;
    int low = -FAR, high = FAR, first = -1, empty = 64 - count(own | opp);
    int shallow = depth < 2 || (depth == 64 && empty < 5);
    if (!shallow) {
        e = slot(own, opp);
        if (e->own == own && e->opp == opp) {
            first = e->best;
            if (e->depth == depth && !best_square) {
                low = e->low;
                high = e->high;
                if (low >= beta)
                    return low;
                if (high <= alpha)
                    return high;
            }
        }
    }
    struct move list[40];
    int n = 0, best = -FAR, square = -1;
    if (shallow)
        for (; moves; moves &= moves - 1) {
            u64 disc = moves & -moves, turned = turned_by(own, opp, disc);
            list[n++] = (struct move){0, __builtin_ctzll(disc), opp ^ turned, own | turned | disc};
        }
    else
        n = listed(own, opp, moves, first, depth == 64, list);
    for (int i = 0; i < n && best < beta; i++) {
        int floor = best > alpha ? best : alpha, next = depth == 64 ? 64 : depth - 1, value;
        if (i && beta - floor > 1) {
            value = -search(list[i].own, list[i].opp, next, -floor - 1, -floor, NULL);
            if (value > floor && value < beta)
                value = -search(list[i].own, list[i].opp, next, -beta, -floor, NULL);
        } else
            value = -search(list[i].own, list[i].opp, next, -beta, -floor, NULL);
        if (stopped)
            break;
        if (value > best) {
            best = value;
            square = list[i].square;
        }
    }
    if (best_square && square >= 0)
        *best_square = square;
    if (e && !stopped)
        *e = (struct entry){own, opp, best > alpha ? best : low, best < beta ? best : high, depth, square};
    return best;
}

/* -------- play -------- */

static void answer(u64 own, u64 opp, long microseconds, int most, int solve)
{
    clock_t began = clock();
    int square = __builtin_ctzll(moves_of(own, opp)), value = 0, reached = 0, empty = 64 - count(own | opp);
    deadline = began + microseconds * (CLOCKS_PER_SEC / 1000000);
    stopped = 0;
    memset(table, 0, sizeof table);
    for (int depth = 1; depth <= most && depth < empty + 1 && !stopped; depth++) {
        int found = square;
        if (empty <= solve && depth == 5)
            depth = 64;
        int now = search(own, opp, depth, -FAR, FAR, &found);
        if (!stopped) {
            reached = depth;
            value = now;
            square = found;
        }
    }
    printf("%d %d %d %ld\n", square, value, reached, (long)((clock() - began) * (1000000 / CLOCKS_PER_SEC)));
    fflush(stdout);
}

/* -------- fit -------- */

static u64 state;

static int below(int bound)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 33) % bound;
}

static double sums[PHASES][FEATURES][FEATURES], right[PHASES][FEATURES];

static void self_play(void)
{
    u64 own = 1ULL << 27 | 1ULL << 36, opp = 1ULL << 28 | 1ULL << 35, kept[2][64];
    int n = 0, side[64], seat = 1, opening = 4 + below(12);
    for (int ply = 0;; ply++) {
        u64 moves = moves_of(own, opp), old = own;
        int square;
        if (!moves && !moves_of(opp, own))
            break;
        if (moves) {
            if (ply < opening || below(16) == 0) {
                for (int skip = below(count(moves)); skip; skip--)
                    moves &= moves - 1;
                square = __builtin_ctzll(moves);
            } else
                search(own, opp, count(own | opp) > 56 ? 64 : 2, -FAR, FAR, &square);
            u64 turned = turned_by(own, opp, 1ULL << square);
            own |= turned | 1ULL << square;
            opp ^= turned;
        }
        old = own;
        own = opp;
        opp = old;
        seat = -seat;
        if (ply >= opening && n < 64) {
            kept[0][n] = own;
            kept[1][n] = opp;
            side[n++] = seat;
        }
    }
    int margin = seat * sign * (count(own) - count(opp));
    for (int i = 0; i < n; i++) {
        double f[FEATURES];
        int p = phase(kept[0][i], kept[1][i]);
        features(kept[0][i], kept[1][i], f);
        for (int a = 0; a < FEATURES; a++) {
            right[p][a] += f[a] * margin * side[i];
            for (int b = 0; b < FEATURES; b++)
                sums[p][a][b] += f[a] * f[b];
        }
    }
}

static void solve_phase(int p)
{
    double m[FEATURES][FEATURES + 1];
    for (int a = 0; a < FEATURES; a++) {
        memcpy(m[a], sums[p][a], sizeof sums[p][a]);
        m[a][a] += 50;
        m[a][FEATURES] = right[p][a];
    }
    for (int a = 0; a < FEATURES; a++)
        for (int b = 0; b < FEATURES; b++) {
            double by = m[b][a] / m[a][a];
            for (int c = a; c <= FEATURES && b != a; c++)
                m[b][c] -= by * m[a][c];
        }
    for (int a = 0; a < FEATURES; a++)
        weight[p][a] = m[a][FEATURES] / m[a][a];
}

static void fit(int games)
{
    deadline = 1L << 60;
    for (int round = 0; round < 3; round++) {
        by_mobility = round == 0;
        memset(sums, 0, sizeof sums);
        memset(right, 0, sizeof right);
        memset(table, 0, sizeof table);
        for (int game = 0; game < games; game++)
            self_play();
        for (int p = 0; p < PHASES; p++)
            solve_phase(p);
    }
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    sign = atoi(argv[2]) ? -1 : 1;
    for (int square = 0; square < 64; square++) {
        int row = square / 8, column = square % 8, number = 0;
        row = row < 4 ? row : 7 - row;
        column = column < 4 ? column : 7 - column;
        for (int low = 0; low < 4; low++)
            for (int high = low; high < 4; high++, number++)
                if ((row == low && column == high) || (row == high && column == low))
                    kind[number] |= 1ULL << square;
    }
    if (!strcmp(argv[1], "fit") && argc == 6) {
        state = 88172645463325252 ^ strtoull(argv[3], NULL, 10) * 0x9E3779B97F4A7C15;
        fit(atoi(argv[4]));
        FILE *out = fopen(argv[5], "wb");
        return !out || fwrite(weight, sizeof weight, 1, out) != 1 || fclose(out);
    }
    by_mobility = !strcmp(argv[3], "-");
    FILE *in = by_mobility ? NULL : fopen(argv[3], "rb");
    if (!by_mobility && (!in || fread(weight, sizeof weight, 1, in) != 1))
        return 1;
    unsigned long long own, opp;
    long microseconds;
    int most, solve;
    while (scanf("%llu %llu %ld %d %d", &own, &opp, &microseconds, &most, &solve) == 5)
        answer(own, opp, microseconds, most, solve);
    return 0;
}
