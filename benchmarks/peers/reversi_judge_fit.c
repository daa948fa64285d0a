/* The weights of reversi_judge.c, fitted to its own games by least squares; the same for the same seed.

   cc -std=gnu17 -O2 -o fit reversi_judge_fit.c -lm
   (./fit 1 0; ./fit 1 1) > rows
   sed -i -e '/fitted \*\/$/,/^};/{//!d}' -e '/fitted \*\/$/r rows' reversi_judge.c

   fit SEED RULE prints the weights of one rule (0 most discs, 1 fewest), a row for each number of empty squares. They
   are made in rounds: the first plays at random, each further one with the weights of the round before. Every game
   begins with 4 to 24 random moves; from then on both sides look some plies ahead, and once few squares are empty they
   play perfectly. Of each position after the random moves, what is fitted is the final difference in discs, in
   hundredths, by a ridge regression on all features of all numbers of empty squares together. */

#define FITTING
#include "reversi_judge.c"
#include <math.h>

enum { UNKNOWNS = ANCHORS * FEATURES, LONGEST = 2 * FULL };

static const struct {
    int games, plies, perfect; /* perfect: from so many empty squares on */
} rounds[] = {{10000, 0, 8}, {6000, 2, 10}, {12000, 4, 12}};

static const double RIDGE = 20;

static double normal[UNKNOWNS][UNKNOWNS], target[UNKNOWNS], squared, explained;
static uint64_t stream;

static int below(int bound)
{
    uint64_t z = stream += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return (int)(((z ^ z >> 31) >> 32) * (uint64_t)bound >> 32);
}

/* The features of a position that are not 0: how many, which, and their values. */
static int features(bits own, bits opp, int *which, double *value)
{
    int all[FEATURES] = {0}, found = 0, class;
    dense(own, opp, moves(own, opp), moves(opp, own), all);
    for (int k = 0; k < 4; k++) {
        if ((class = corner_feature(k, corner_index(k, own, opp))))
            all[DENSE + abs(class) - 1] += class > 0 ? 1 : -1;
        for (int half = 0; half < 2; half++)
            if ((class = half_feature(edge_index(k, own, opp), half)))
                all[DENSE + CORNER + abs(class) - 1] += class > 0 ? 1 : -1;
    }
    for (int k = 0; k < FEATURES; k++)
        if (all[k])
            which[found] = k, value[found++] = all[k];
    return found;
}

static void add(bits own, bits opp, double result)
{
    int which[2 * FEATURES], from = stage(own, opp);
    double value[2 * FEATURES];
    int found = features(own, opp, which, value), low = (from < 4 ? 0 : from - 4) / 8;
    double part = (from < 4 ? 0 : (from - 4) % 8) / 8.0;
    for (int k = 0; k < found; k++) { /* the later anchor's, then the earlier one's */
        which[found + k] = (low + 1 < ANCHORS ? low + 1 : low) * FEATURES + which[k];
        value[found + k] = part * value[k];
        which[k] += low * FEATURES;
        value[k] *= 1 - part;
    }
    found *= part > 0 ? 2 : 1;
    for (int k = 0; k < found; k++) {
        target[which[k]] += value[k] * result;
        for (int j = 0; j <= k; j++)
            normal[which[k]][which[j]] += value[k] * value[j];
    }
    double error = result - evaluate(own, opp, moves(own, opp), moves(opp, own));
    squared += result * result;
    explained += result * result - error * error;
}

static void play(int plies, int perfect)
{
    bits discs[2] = {0x0000000810000000, 0x0000001008000000}, seen[LONGEST][2];
    int side = 0, random = 4 + below(21), mover[LONGEST], found = 0;
    for (int ply = 0;; ply++) {
        bits own = discs[side], opp = discs[!side], mine = moves(own, opp);
        if (!mine && !moves(opp, own))
            break;
        if (mine) {
            int square, empty = count(board & ~(own | opp));
            if (ply >= random)
                seen[found][0] = own, seen[found][1] = opp, mover[found++] = side;
            if (ply < random || (!plies && empty > perfect)) {
                for (int rank = below(count(mine)); rank; rank--)
                    mine &= mine - 1;
                square = lowest(mine);
            } else
                square = think(own, opp, empty > perfect ? plies : NONE, INFINITY, INFINITY).square;
            bits turned = flips(square, own, opp);
            discs[side] |= turned | UINT64_C(1) << square;
            discs[!side] &= ~turned;
        }
        side = !side;
    }
    for (int k = 0; k < found; k++)
        add(seen[k][0], seen[k][1], margin(discs[mover[k]], discs[!mover[k]]));
}

/* Cholesky's decomposition, in place, and the solution in `target`. */
static void solve(void)
{
    for (int k = 0; k < UNKNOWNS; k++) {
        normal[k][k] += RIDGE;
        for (int j = 0; j <= k; j++) {
            double rest = normal[k][j];
            for (int i = 0; i < j; i++)
                rest -= normal[k][i] * normal[j][i];
            normal[k][j] = j < k ? rest / normal[j][j] : sqrt(rest);
        }
    }
    for (int k = 0; k < UNKNOWNS; k++) {
        for (int i = 0; i < k; i++)
            target[k] -= normal[k][i] * target[i];
        target[k] /= normal[k][k];
    }
    for (int k = UNKNOWNS - 1; k >= 0; k--) {
        for (int i = k + 1; i < UNKNOWNS; i++)
            target[k] -= normal[i][k] * target[i];
        target[k] /= normal[k][k];
    }
}

static void fit(int games, int plies, int perfect)
{
    memset(normal, 0, sizeof normal);
    memset(target, 0, sizeof target);
    squared = explained = 0;
    for (int game = 0; game < games; game++)
        play(plies, perfect);
    fprintf(stderr, "%d games, %d plies: the weights before explain %.1f %%\n", games, plies,
            100 * explained / squared);
    solve();
    for (int k = 0; k < UNKNOWNS; k++)
        weights[fewest][k / FEATURES][k % FEATURES] = (int16_t)lround(target[k]);
    prepare_weights();
}

static void print(void)
{
    printf("    {");
    for (int anchor = 0; anchor < ANCHORS; anchor++) {
        int column = printf("%s{", anchor ? "     " : "");
        for (int k = 0; k < FEATURES; k++) {
            char text[16];
            int length = snprintf(text, sizeof text, "%d%s", weights[fewest][anchor][k], k + 1 < FEATURES ? "," : "}");
            if (column + length > 105)
                column = printf("\n      ");
            column += printf("%s", text);
        }
        printf(anchor + 1 < ANCHORS ? ",\n" : "},\n");
    }
}

int main(int words, char **word)
{
    if (words != 3) {
        fprintf(stderr, "%s SEED RULE\n", word[0]);
        return 2;
    }
    stream = strtoull(word[1], NULL, 10);
    memset(weights, 0, sizeof weights); /* those of an earlier fit leave no trace */
    prepare(8, atoi(word[2]));
    for (size_t k = 0; k < sizeof rounds / sizeof *rounds; k++)
        fit(rounds[k].games, rounds[k].plies, rounds[k].perfect);
    print();
    return 0;
}
