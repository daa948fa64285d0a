/* A bot for Reversi by either rule on 4 by 4, 6 by 6 and 8 by 8 squares, to judge others by: protocol arena/1.

   Written apart from the arena's own players, from general knowledge of the game's programming: bitboards, principal
   variation search with iterative deepening, a transposition table, enhanced transposition cutoffs, moves ordered
   by a look at the positions after them, and endings solved exactly, first for who wins, then by how many discs.

   Positions are judged by a sum of weighted features, in hundredths of a disc, for each rule and number of empty
   squares: moves, and those up to four again; empty squares beside a side's discs, and discs beside empty squares;
   quadrants with an odd number of empty squares; discs on classes of inner squares; the four squares of each corner
   and the two halves of each edge.
   The weights were fitted to games of this program with itself by reversi_judge_fit.c, which says how. On smaller
   boards edges and inner squares count nothing, and the number of empty squares is taken in proportion.

   It uses 80 % of its time, counted in processor time, and no more than 90 % by the clock. */

#define _GNU_SOURCE
#if defined(__x86_64__) && !defined(__clang__)
#pragma GCC target("popcnt")
#endif
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t bits; /* bit 8 * row + column; a smaller board is the corner at bit 0 */

enum { DISC = 100, MOST = 64 * DISC, NONE = 64, FULL = 60 }; /* FULL: empty squares as an 8 by 8 game begins */
enum { ANCHORS = 8, DENSE = 15, CORNER = 26, HALF = 40, FEATURES = DENSE + CORNER + HALF };
enum { FEW = 7, WIDE = 11, JUMP = 7 }; /* empty squares: plain search, ordering by judgement too; see think() */

/* By rule (0 most discs, 1 fewest), empty squares (4, 12, … 60, between them in proportion) and feature. */
static int16_t weights[2][ANCHORS][FEATURES] = { /* fitted */
    {{-163,372,-262,112,-112,-299,203,-122,137,178,97,78,61,100,56,0,-219,96,0,93,279,0,131,-40,433,438,64,
      146,-60,119,146,-217,-238,248,148,-209,177,146,-375,89,71,71,202,202,86,138,107,-210,214,281,-233,
      101,-73,13,-49,236,-5,36,77,-116,61,57,-196,32,-20,-60,135,443,83,0,69,-99,-111,38,50,-211,67,0,
      27,17,-185},
     {-701,248,-209,90,-48,-142,146,-120,120,44,27,31,8,17,-2,0,-301,352,0,-264,471,0,507,-377,258,143,
      -528,121,-178,-22,191,-601,-1179,307,-58,-825,221,155,-699,769,124,73,-156,429,-237,-132,-29,-387,
      9,425,-442,381,314,-318,-126,397,-226,-489,-204,-649,33,571,-483,-34,-144,-405,218,672,-218,365,
      89,-472,44,339,-18,-727,-137,0,373,73,-496},
     {-499,150,-125,-90,69,-26,39,-139,133,1,-15,-14,63,0,-8,0,-72,518,0,-15,299,0,358,-529,286,98,-1019,
      337,-179,-373,536,-763,-1661,515,-305,-1449,281,95,-925,894,212,235,-371,507,-436,-72,64,-495,
      -160,549,-762,474,405,-640,-70,548,-354,-279,-370,-866,228,842,-549,41,-204,-578,217,770,-235,164,
      -45,-591,112,584,-55,-573,-442,0,188,156,-571},
     {-888,87,-75,103,0,20,-10,-133,125,-6,-60,-52,55,-1,-15,0,-237,395,0,-349,283,0,527,-959,219,-68,
      -1464,285,-538,-905,549,-806,-1754,671,-262,-1917,496,119,-1177,114,33,366,-204,398,-481,-85,-199,
      -703,-175,776,-660,368,-369,-799,-75,624,-440,-296,-385,-758,215,831,-544,92,-200,-656,458,1004,
      -415,640,6,-906,102,669,-87,-677,-495,0,529,-38,-684},
     {-768,74,-71,179,-131,34,-26,-155,165,-3,-40,-17,97,11,1,0,-303,317,0,-804,870,0,101,-1118,156,-615,
      -1122,345,-984,-1081,486,-812,-1857,1042,-429,-1966,872,-255,-1078,28,-451,481,-375,589,-779,-85,
      -45,-934,101,852,-732,789,51,-1138,-17,712,-356,-568,50,-524,386,1025,-910,234,-51,-762,617,1324,
      -966,728,-624,-1203,61,1018,-318,-825,506,0,559,158,-855},
     {-805,76,-61,39,-15,40,-34,-120,132,19,-130,-24,62,-10,-5,0,-397,783,0,-498,430,0,-36,-1488,-23,
      -1077,-1725,563,-1319,-1637,473,-1068,-2060,1033,-113,-2201,1617,-604,-561,256,-395,629,-421,253,
      -913,-84,-216,-1345,256,1290,-851,975,-47,-2070,-133,777,-492,-488,171,-256,109,1068,-469,316,189,
      -962,872,1347,-1473,282,-51,-1112,75,855,-1281,-1415,71,0,1915,250,-1535},
     {-501,191,-170,153,-180,15,14,-164,133,23,-248,-32,78,83,-14,0,-723,409,0,0,0,0,0,-2001,62,-378,
      -1391,197,-572,-1365,52,-364,-225,309,-212,-96,-29,4,-216,0,-16,884,-4,174,-815,95,-206,-960,237,
      891,13,435,0,-520,127,228,-163,-905,0,-72,-50,8,-257,88,0,-105,374,-255,-133,-246,0,-12,-125,174,
      -167,-173,0,0,158,0,13},
     {-55,574,33,329,-44,334,29,-1070,-958,-127,253,-171,1479,409,-177,0,-130,0,0,0,0,0,0,-1331,37,0,-21,
      0,0,-27,-8,0,0,0,0,0,0,0,0,0,0,66,-124,0,8,185,0,0,0,0,0,0,0,0,398,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
      0,0,-20,0,0,0,0,0,0,0,0}},
    {{-596,14,-54,108,32,39,-44,42,-16,-42,-83,-76,-24,-47,-32,0,-59,45,0,-112,-220,0,95,72,-220,-53,-151,
      -118,42,-96,-62,87,60,-291,-184,-35,-141,-80,40,-182,37,-57,-35,-149,-52,-173,-119,-68,-155,-262,
      -59,-133,-103,2,-82,-268,-85,-155,-194,-27,4,-32,127,-179,-173,-26,-89,-318,-39,-76,-166,10,67,
      -96,64,1,-43,0,70,59,115},
     {-574,119,-84,-47,64,-21,35,-25,17,0,-62,-57,-11,-13,-6,0,-112,-50,0,-18,71,0,-64,-109,-247,-79,
      -184,-220,16,-21,-98,101,2,-403,-47,-6,-260,124,23,-287,113,-108,-66,-153,144,-196,-77,-99,-62,
      -211,233,-47,-205,225,-94,-231,-3,-218,-157,111,-18,-163,71,-145,-127,60,-83,-458,93,-48,-66,189,
      123,-116,204,-55,-53,0,-19,-27,194},
     {-452,61,-52,-120,125,17,-5,-49,49,-10,-45,-34,-17,-13,-3,0,-52,-5,0,84,-80,0,-11,-85,-280,32,-175,
      -106,52,3,-158,238,46,-417,2,22,-242,234,84,-150,152,-108,-56,-237,118,-222,-312,-94,18,-227,216,
      9,-235,243,-93,-219,-39,-218,-201,144,-51,-190,166,-172,-223,138,-64,-500,130,-93,-42,211,67,-36,
      281,-27,-61,0,-73,76,287},
     {-499,42,-34,106,-58,22,-23,-65,66,0,-44,-21,-9,-1,-2,0,14,81,0,32,-46,0,-30,-78,-293,207,-116,-96,
      106,-19,-90,242,97,-538,76,104,-232,348,139,-272,252,-99,-35,-156,209,-204,-469,-76,50,-233,402,
      -14,-319,421,-89,-212,203,-197,-307,269,-61,-280,299,-136,-192,234,-9,-458,263,-57,27,207,30,106,
      223,-101,-200,0,-58,212,258},
     {-500,34,-30,62,-35,24,-23,-58,69,-3,-45,-30,-4,-6,-4,0,-26,-64,0,70,63,0,-48,-105,-199,270,-149,
      -242,61,-38,-88,171,136,-361,250,90,-182,238,77,-484,451,-178,-51,-369,343,-217,-386,24,-35,-288,
      466,-76,-253,175,-110,-234,309,-208,-257,373,-122,-359,273,-82,-224,296,105,-476,353,-54,236,282,
      122,-105,-194,-50,-57,0,-109,-171,265},
     {-437,33,-31,-118,152,36,-30,-26,29,-7,-63,-43,-18,-23,-18,0,-17,-122,0,-142,0,0,61,-190,-237,173,
      -56,-482,194,-192,-307,179,298,-223,76,-98,25,217,85,-282,179,-231,-144,-598,347,-202,-32,155,146,
      -338,171,-97,-63,168,-118,-345,-42,-276,34,424,20,-192,31,-117,-483,547,44,-452,226,129,38,-28,
      138,-326,26,260,-11,0,-284,36,185},
     {-28,31,-21,98,-130,28,-8,-45,-8,4,-70,-150,-33,-1,-10,0,-49,-34,0,-6,0,0,2,-282,-283,-42,228,-189,
      15,-72,-160,33,6,-17,-33,65,0,-1,106,0,0,-311,-239,-197,131,10,-19,-97,183,-153,-25,-248,0,31,80,
      -208,1,-324,4,-33,-70,-9,-10,93,-3,406,-30,21,25,-73,0,-6,113,-6,56,14,0,0,-44,0,-52},
     {195,329,-140,-189,311,-130,227,-691,-46,-19,173,-1037,-73,143,-82,0,-24,0,0,0,0,0,0,-418,2,0,5,0,0,
      6,15,0,0,0,0,0,0,0,0,0,0,18,-47,0,-15,31,0,0,0,0,0,-13,0,0,-55,0,0,0,0,0,-8,0,0,0,0,0,0,0,0,0,0,0,
      46,0,0,0,0,0,0,0,0}},
};

static int size, fewest;
static bits board, quadrants[4], neighbours[64], rays[64][8];
static int corner_shift[4];
static int8_t corner_class[81], half_class[81];
static int16_t dense_weight[FULL + 1][DENSE], corner_weight[FULL + 1][4][256], edge_weight[FULL + 1][6561];
static int stage_of[FULL + 1], base3[256];

static inline int count(bits b) { return __builtin_popcountll(b); }

static inline int lowest(bits b) { return __builtin_ctzll(b); }

static inline bits along(bits own, bits middle, int step)
{
    bits up = middle & own << step, down = middle & own >> step;
    bits next = middle & middle << step, last = next >> step;
    up |= middle & up << step;
    down |= middle & down >> step;
    up |= next & up << 2 * step;
    down |= last & down >> 2 * step;
    up |= next & up << 2 * step;
    down |= last & down >> 2 * step;
    return up << step | down >> step;
}

static inline bits moves(bits own, bits opp)
{
    bits middle = opp & 0x7e7e7e7e7e7e7e7e;
    bits found = along(own, middle, 1) | along(own, middle, 7) | along(own, middle, 9) | along(own, opp, 8);
    return found & board & ~(own | opp);
}

/* The discs that a disc put on the square turns over; rays 0 to 3 go to higher bits, 4 to 7 to lower ones. */
static inline bits flips(int square, bits own, bits opp)
{
    const bits *ray = rays[square];
    bits turned = 0;
    for (int way = 0; way < 4; way++) {
        bits end = ((opp | ~ray[way]) + 1) & ray[way] & own;
        turned |= (end - (end != 0)) & ray[way];
    }
    for (int way = 4; way < 8; way++) {
        bits end = UINT64_C(1) << (63 - __builtin_clzll((ray[way] & ~opp) | 1));
        turned |= (-(end & ray[way] & own) * 2) & ray[way];
    }
    return turned;
}

static inline bits around(bits b)
{
    bits row = b | (b & 0x7f7f7f7f7f7f7f7f) << 1 | (b & 0xfefefefefefefefe) >> 1;
    return row | row << 8 | row >> 8;
}

static inline int margin(bits own, bits opp)
{
    int more = DISC * (count(own) - count(opp));
    return fewest ? -more : more;
}

/* ---- Judging ---- */

static void dense(bits own, bits opp, bits mine, bits theirs, int *value)
{
    static const bits inner[] = {0x0024420000422400, 0x0018004242001800, 0x0000240000240000, 0x0000182424180000,
                                 0x0000001818000000};
    bits empty = board & ~(own | opp), touching = around(empty);
    int own_moves = count(mine), opp_moves = count(theirs), odd = 0;
    for (int q = 0; q < 4; q++)
        odd += count(empty & quadrants[q]) & 1;
    value[0] = 1;
    value[1] = own_moves;
    value[2] = opp_moves;
    value[3] = own_moves < 4 ? own_moves : 4;
    value[4] = opp_moves < 4 ? opp_moves : 4;
    value[5] = count(empty & around(opp));
    value[6] = count(empty & around(own));
    value[7] = count(own & touching);
    value[8] = count(opp & touching);
    value[9] = odd;
    for (int k = 0; k < 5; k++)
        value[10 + k] = size == 8 ? count(own & inner[k]) - count(opp & inner[k]) : 0;
}

/* The discs on the four squares of corner k: bits 0 to 3 are the mover's, 4 to 7 the other side's. */
static inline int corner_index(int k, bits own, bits opp)
{
    bits o = own >> corner_shift[k], p = opp >> corner_shift[k];
    return (int)((o & 3) | (o >> 6 & 12) | (p & 3) << 4 | (p >> 2 & 192));
}

/* The eight squares of edge k (above, below, left, right) in base 3: 1 is the mover's, 2 the other side's. */
static inline int edge_index(int k, bits own, bits opp)
{
    bits o = own, p = opp;
    if (k < 2)
        o >>= 56 * k, p >>= 56 * k;
    else {
        bits column = UINT64_C(0x0101010101010101) << 7 * (k - 2);
        o = ((o & column) >> 7 * (k - 2)) * 0x0102040810204080 >> 56;
        p = ((p & column) >> 7 * (k - 2)) * 0x0102040810204080 >> 56;
    }
    return base3[o & 255] + 2 * base3[p & 255];
}

static int stage(bits own, bits opp) { return stage_of[count(board & ~(own | opp))]; }

static int evaluate(bits own, bits opp, bits mine, bits theirs)
{
    int value[DENSE], at = stage(own, opp), sum = 0;
    dense(own, opp, mine, theirs, value);
    for (int k = 0; k < DENSE; k++)
        sum += value[k] * dense_weight[at][k];
    for (int k = 0; k < 4; k++)
        sum += corner_weight[at][k][corner_index(k, own, opp)];
    for (int k = 0; size == 8 && k < 4; k++)
        sum += edge_weight[at][edge_index(k, own, opp)];
    return sum < -MOST ? -MOST : sum > MOST ? MOST : sum;
}

/* Number the kinds of four squares from 1, a kind with the colours exchanged being the negative of it, and what equals
   its own exchange 0; with `mirror`, exchanging the middle two squares changes nothing. */
static void classes(int mirror, int8_t *class)
{
    int found = 0; /* CORNER or HALF in the end */
    for (int code = 0; code < 81; code++) {
        int digit[4] = {code % 3, code / 3 % 3, code / 9 % 3, code / 27}, other[4];
        for (int k = 0; k < 4; k++)
            other[k] = digit[k] ? 3 - digit[k] : 0;
        int turned = digit[0] + 3 * digit[2] + 9 * digit[1] + 27 * digit[3];
        int swapped = other[0] + 3 * other[1] + 9 * other[2] + 27 * other[3];
        int both = other[0] + 3 * other[2] + 9 * other[1] + 27 * other[3];
        int self = mirror && turned < code ? turned : code, foe = mirror && both < swapped ? both : swapped;
        if (self < code)
            class[code] = class[self];
        else
            class[code] = (int8_t)(self == foe ? 0 : foe < self ? -class[foe] : ++found);
    }
}

/* The class of a corner's index: digits from the corner to its diagonal neighbour. */
static int corner_feature(int k, int index)
{
    static const int order[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 0, 3, 1}, {3, 1, 2, 0}};
    int code = 0;
    for (int j = 3; j >= 0; j--)
        code = 3 * code + (index >> order[k][j] & 1) + 2 * (index >> (4 + order[k][j]) & 1);
    return corner_class[code];
}

/* The class of one half of an edge: digits from its corner to the middle. */
static int half_feature(int index, int half)
{
    if (half == 0)
        return half_class[index % 81];
    index /= 81;
    return half_class[27 * (index % 3) + 9 * (index / 3 % 3) + 3 * (index / 9 % 3) + index / 27];
}

static int weight(int at, int feature)
{
    int from = at < 4 ? 4 : at, low = (from - 4) / 8, high = low + (low + 1 < ANCHORS), part = (from - 4) % 8;
    return (weights[fewest][low][feature] * (8 - part) + weights[fewest][high][feature] * part) / 8;
}

static int signed_weight(int at, int first, int class)
{
    return class > 0 ? weight(at, first + class - 1) : class < 0 ? -weight(at, first - class - 1) : 0;
}

static void prepare_weights(void)
{
    for (int at = 0; at <= FULL; at++) {
        for (int k = 0; k < DENSE; k++)
            dense_weight[at][k] = (int16_t)weight(at, k);
        for (int k = 0; k < 4; k++)
            for (int index = 0; index < 256; index++)
                if (!((index >> 4) & index))
                    corner_weight[at][k][index] = (int16_t)signed_weight(at, DENSE, corner_feature(k, index));
        for (int index = 0; index < 6561; index++)
            edge_weight[at][index] = (int16_t)(signed_weight(at, DENSE + CORNER, half_feature(index, 0)) +
                                               signed_weight(at, DENSE + CORNER, half_feature(index, 1)));
    }
}

static void prepare(int squares, int rule)
{
    static const int steps[8][2] = {{0, 1}, {1, -1}, {1, 0}, {1, 1}, {0, -1}, {-1, 1}, {-1, 0}, {-1, -1}};
    size = squares, fewest = rule, board = 0;
    memset(quadrants, 0, sizeof quadrants);
    memset(rays, 0, sizeof rays);
    for (int at = 0; at < 64; at++) {
        if (at / 8 >= size || at % 8 >= size)
            continue;
        board |= UINT64_C(1) << at;
        quadrants[2 * (at / 8 >= size / 2) + (at % 8 >= size / 2)] |= UINT64_C(1) << at;
        for (int way = 0; way < 8; way++) {
            int row = at / 8, column = at % 8;
            while (row += steps[way][0], column += steps[way][1],
                   row >= 0 && row < size && column >= 0 && column < size)
                rays[at][way] |= UINT64_C(1) << (8 * row + column);
        }
    }
    for (int at = 0; at < 64; at++)
        neighbours[at] = around(UINT64_C(1) << at) & board;
    for (int k = 0; k < 4; k++)
        corner_shift[k] = (size - 2) * (k % 2 + 8 * (k / 2));
    for (int empty = 0, most = size * size - 4; empty <= most; empty++)
        stage_of[empty] = empty * FULL / most;
    for (int index = 1; index < 256; index++)
        base3[index] = 3 * base3[index / 2] + index % 2;
    classes(1, corner_class);
    classes(0, half_class);
    prepare_weights();
}

/* ---- Searching ---- */

struct entry {
    bits own, opp;
    int16_t lower, upper;
    int8_t depth; /* the number of empty squares where the values are exact */
    uint8_t move, age;
};

struct option {
    bits own, opp; /* after the move, of the side that is then to move */
    int order, square;
};

enum { ENTRIES = 1 << 20 };
static struct entry table[ENTRIES][2]; /* the deeper first */
static uint8_t age;

static jmp_buf out_of_time;
static double processor_end, clock_end;
static uint64_t nodes;

static double seconds(clockid_t which)
{
    struct timespec now;
    clock_gettime(which, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void tick(void)
{
    if ((++nodes & 1023) == 0)
        if (seconds(CLOCK_PROCESS_CPUTIME_ID) > processor_end || seconds(CLOCK_MONOTONIC) > clock_end)
            longjmp(out_of_time, 1);
}

static inline struct entry *slots(bits own, bits opp)
{
    bits hash = (own * 0x9E3779B97F4A7C15) ^ ((opp + 0x1B873593) * 0xC2B2AE3D27D4EB4F);
    return table[(hash ^ hash >> 29) * 0xBF58476D1CE4E5B9 >> 44];
}

static inline struct entry *probe(bits own, bits opp)
{
    struct entry *e = slots(own, opp);
    return e[0].own == own && e[0].opp == opp ? e : e[1].own == own && e[1].opp == opp ? e + 1 : NULL;
}

static void store(bits own, bits opp, int depth, int alpha, int beta, int value, int move)
{
    struct entry *e = slots(own, opp);
    int same = e->own == own && e->opp == opp;
    if (!same && e->age == age && e->depth > depth)
        e++, same = e->own == own && e->opp == opp;
    int lower = value > alpha ? value : -MOST, upper = value < beta ? value : MOST;
    if (same && e->depth == depth) { /* bounds of another window hold too */
        lower = lower < e->lower ? e->lower : lower;
        upper = upper > e->upper ? e->upper : upper;
        if (lower > upper)
            lower = value > alpha ? value : -MOST, upper = value < beta ? value : MOST;
        move = value > alpha ? move : e->move;
    }
    *e = (struct entry){own, opp, (int16_t)lower, (int16_t)upper, (int8_t)depth, (uint8_t)move, age};
}

static int last(int square, bits own, bits opp)
{
    bits disc = UINT64_C(1) << square, turned = flips(square, own, opp);
    if (turned)
        return margin(own | turned | disc, opp & ~turned);
    turned = flips(square, opp, own);
    return turned ? margin(own & ~turned, opp | turned | disc) : margin(own, opp);
}

/* The exact value where few squares are empty: those of odd quadrants first. */
static int few(bits own, bits opp, int alpha, int beta, bits empty)
{
    tick();
    if (!(empty & (empty - 1)))
        return empty ? last(lowest(empty), own, opp) : margin(own, opp);
    bits odd = 0;
    for (int q = 0; q < 4; q++)
        odd |= count(empty & quadrants[q]) & 1 ? quadrants[q] : 0;
    int best = -MOST - 1;
    for (int turn = 0; turn < 2; turn++)
        for (bits rest = empty & (turn ? ~odd : odd); rest; rest &= rest - 1) {
            int square = lowest(rest);
            bits disc = rest & -rest, turned = neighbours[square] & opp ? flips(square, own, opp) : 0;
            if (!turned)
                continue;
            int value = -few(opp & ~turned, own | turned | disc, -beta, -alpha, empty & ~disc);
            if (value > best) {
                best = value;
                if (value > alpha && (alpha = value) >= beta)
                    return value;
            }
        }
    if (best >= -MOST)
        return best;
    return moves(opp, own) ? -few(opp, own, -beta, -alpha, empty) : margin(own, opp);
}

/* List the moves, the most promising first to be chosen by next(); `favourite` before all. */
static int list(bits own, bits opp, bits mine, int depth, int empty, int favourite, struct option *options)
{
    int found = 0;
    for (bits rest = mine; rest; rest &= rest - 1, found++) {
        struct option *option = options + found;
        bits turned = flips(option->square = lowest(rest), own, opp);
        option->own = opp & ~turned;
        option->opp = own | turned | (rest & -rest);
        if (option->square == favourite) {
            option->order = 1 << 20;
            continue;
        }
        option->order = 0;
        if (depth < 2)
            continue;
        bits theirs = moves(option->own, option->opp);
        int exact = depth >= empty;
        if (exact || depth < 3)
            option->order -= 256 * count(theirs);
        if (exact ? empty >= WIDE : depth >= 3)
            option->order -= evaluate(option->own, option->opp, theirs, moves(option->opp, option->own));
    }
    return found;
}

static struct option *next(struct option *options, int from, int found)
{
    int best = from;
    for (int k = from + 1; k < found; k++)
        if (options[k].order > options[best].order)
            best = k;
    struct option swap = options[from];
    options[from] = options[best];
    options[best] = swap;
    return options + from;
}

static int search(bits own, bits opp, int depth, int alpha, int beta)
{
    tick();
    bits mine = moves(own, opp), theirs;
    if (!mine) {
        if (!(theirs = moves(opp, own)))
            return margin(own, opp);
        return -search(opp, own, depth, -beta, -alpha);
    }
    if (depth == 0)
        return evaluate(own, opp, mine, moves(opp, own));
    bits squares = board & ~(own | opp);
    int empty = count(squares), favourite = NONE, first = alpha, best = -MOST - 1, move = NONE;
    if (depth >= empty) {
        depth = empty;
        if (empty <= FEW)
            return few(own, opp, alpha, beta, squares);
    }
    if (depth > 1) {
        struct entry *e = probe(own, opp);
        if (e) {
            if (e->depth >= depth) {
                if (e->lower >= beta || e->lower == e->upper)
                    return e->lower;
                if (e->upper <= alpha)
                    return e->upper;
            }
            favourite = e->move;
        }
    }
    struct option options[32];
    int found = list(own, opp, mine, depth, empty, favourite, options);
    for (int k = 0; depth > 3 && k < found; k++) {
        struct entry *e = probe(options[k].own, options[k].opp);
        if (e && e->depth >= depth - 1 && -e->upper >= beta)
            return -e->upper;
    }
    for (int k = 0; k < found; k++) {
        struct option *option = next(options, k, found);
        int value;
        if (k == 0)
            value = -search(option->own, option->opp, depth - 1, -beta, -alpha);
        else {
            value = -search(option->own, option->opp, depth - 1, -alpha - 1, -alpha);
            if (value > alpha && value < beta)
                value = -search(option->own, option->opp, depth - 1, -beta, -value);
        }
        if (value > best) {
            best = value;
            move = option->square;
            if (value > alpha && (alpha = value) >= beta)
                break;
        }
    }
    if (depth > 1)
        store(own, opp, depth, first, beta, best, move);
    return best;
}

struct choice {
    int square, value, depth, solved; /* solved: the value is exact */
};

/* The root: what is best so far goes to the front of the options and into `chosen`, also if time ends the search. */
static int at_root(struct option *options, int found, int depth, int alpha, int beta, volatile int *square)
{
    int best = -MOST - 1;
    for (int k = 0; k < found; k++) {
        struct option option = options[k];
        int value = best < -MOST ? beta : -search(option.own, option.opp, depth - 1, -alpha - 1, -alpha);
        if (value > alpha)
            value = -search(option.own, option.opp, depth - 1, -beta, -alpha);
        if (value <= best)
            continue;
        best = value;
        if (value > alpha) {
            alpha = value;
            *square = option.square;
            memmove(options + 1, options, sizeof *options * (size_t)k);
            options[0] = option;
        }
        if (alpha >= beta)
            break;
    }
    return best;
}

/* The best move within the limits: of depth in plies, and of seconds. Once the search is within JUMP plies of the end
   it is made exact: first for who wins, then by how much. */
static struct choice think(bits own, bits opp, int deepest, double processor, double clock)
{
    struct option options[32];
    int empty = count(board & ~(own | opp)), found;
    volatile int square, value = 0, reached = 0, solved = 0;
    processor_end = seconds(CLOCK_PROCESS_CPUTIME_ID) + processor;
    clock_end = seconds(CLOCK_MONOTONIC) + clock;
    age++;
    found = list(own, opp, moves(own, opp), 3, NONE, NONE, options);
    for (int k = 0; k < found; k++)
        next(options, k, found);
    square = options[0].square;
    if (found > 1 && !setjmp(out_of_time))
        for (int depth = 1; depth <= deepest; depth++) {
            if (depth < empty - JUMP || deepest < empty) {
                value = at_root(options, found, depth, -MOST, MOST, &square);
                reached = depth;
                continue;
            }
            value = at_root(options, found, empty, -1, 1, &square);
            if (value)
                value = at_root(options, found, empty, value > 0 ? 0 : -MOST - 1, value > 0 ? MOST : 0, &square);
            reached = empty;
            solved = 1;
            break;
        }
    return (struct choice){square, value, reached, solved};
}

#ifndef FITTING

/* ---- Talking with the referee: JSON is known to be well formed ---- */

static const char *blank(const char *p)
{
    while (*p && strchr(" \t\r\n,:", *p))
        p++;
    return p;
}

/* Behind the value that begins here. */
static const char *skip(const char *p)
{
    int deep = 0;
    do {
        if (*p == '"') {
            for (p++; *p && *p != '"'; p++)
                p += *p == '\\' && p[1];
        } else if (*p == '{' || *p == '[')
            deep++;
        else if (*p == '}' || *p == ']')
            deep--;
        else if (!deep)
            return p + strcspn(p, ",]} \t\r\n");
        if (!*p++)
            return p - 1;
    } while (deep);
    return p;
}

/* The value of a key of the object that begins here; an empty text where there is none. */
static const char *get(const char *object, const char *key)
{
    size_t length = strlen(key);
    if (*object != '{')
        return "";
    for (const char *p = blank(object + 1); *p == '"';) {
        const char *value = blank(skip(p));
        if (!strncmp(p + 1, key, length) && p[1 + length] == '"')
            return value;
        p = blank(skip(value));
    }
    return "";
}

static int is(const char *value, const char *text) { return !strncmp(value, text, strlen(text)); }

static double number(const char *value, double otherwise)
{
    char *end;
    double read = strtod(value, &end);
    return end == value ? otherwise : read;
}

static void begin(const char *hello)
{
    const char *game = get(hello, "game"), *params = get(game, "params");
    int squares = (int)number(get(params, "size"), 8);
    if (!is(get(game, "name"), "\"reversed_reversi\"") || squares % 2 || squares < 4 || squares > 8) {
        fprintf(stderr, "this bot plays Reversi on 4 by 4, 6 by 6 and 8 by 8 squares\n");
        exit(1);
    }
    prepare(squares, is(get(params, "reversed"), "true"));
    memset(table, 0, sizeof table); /* so that no page of it is first touched in thinking time */
    printf("{\"type\":\"ready\",\"protocol\":\"arena/1\",\"name\":\"judge\",\"version\":\"1\"}\n");
}

static void answer(const char *request)
{
    const char *state = get(request, "state"), *row = get(state, "board"), *times = get(request, "time");
    bits discs[2] = {0, 0};
    row = blank(row + 1);
    for (int at = 0; *row == '"'; at++, row = blank(skip(row)))
        for (int column = 0; column < size; column++)
            if (row[1 + column] != '.')
                discs[row[1 + column] == 'O'] |= UINT64_C(1) << (8 * at + column);
    int side = is(get(state, "to_move"), "\"O\"");
    int turns = count(board & ~(discs[0] | discs[1])) / 2 + 2; /* of a bank, each turn that may come gets its share */
    double whole = (number(get(times, "move_ms"), 100) + number(get(times, "bank_ms"), 0) / turns) / 1000;
    struct choice choice = think(discs[side], discs[!side], NONE, 0.8 * whole, 0.9 * whole);
    const char *id = get(request, "id");
    printf("{\"type\":\"move\",\"id\":%.*s,\"move\":\"%c%c\",\"debug\":\"%s %+.2f, %d plies\"}\n",
           (int)(skip(id) - id), id, 'a' + choice.square % 8, '1' + choice.square / 8,
           choice.solved ? "solved" : "judged", (double)choice.value / DISC, choice.depth);
}

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        const char *message = blank(line), *type = get(message, "type");
        if (is(type, "\"hello\""))
            begin(message);
        else if (is(type, "\"move\""))
            answer(message);
        else if (is(type, "\"end\""))
            break;
        fflush(stdout);
    }
    free(line);
    return 0;
}

#endif
