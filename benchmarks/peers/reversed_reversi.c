/* Random Reversed Reversi on 8x8 squares, LANES games side by side in loops that the compiler turns into vector
   instructions. Where nothing can be placed a step is a pass; two in a row show that the game was over. */

#define SIDE_BY_SIDE
#include "peer.h"

#ifndef LANES
#define LANES 16
#endif

#define EACH for (int i = 0; i < LANES; i++)

typedef uint64_t lanes[LANES];

static const uint64_t INNER = 0x7E7E7E7E7E7E7E7E;
static const uint64_t CROSSES = UINT64_C(1) << 27 | UINT64_C(1) << 36;
static const uint64_t NOUGHTS = UINT64_C(1) << 28 | UINT64_C(1) << 35;
static const uint64_t FIRST_MOVES =
    UINT64_C(1) << 20 | UINT64_C(1) << 29 | UINT64_C(1) << 34 | UINT64_C(1) << 43;

static lanes own, opp, state, steps, stuck, over, moves, product, playing;

static void prepare(void)
{
}

/* The runs of `through` that begin next to `start`, at most six long; `pairs` are both of two neighbours. */
static inline uint64_t upwards(uint64_t start, uint64_t through, uint64_t pairs, int shift)
{
    uint64_t run = start << shift & through;
    run |= run << shift & through;
    run |= run << 2 * shift & pairs;
    return run | (run << 2 * shift & pairs);
}

static inline uint64_t downwards(uint64_t start, uint64_t through, uint64_t pairs, int shift)
{
    uint64_t run = start >> shift & through;
    run |= run >> shift & through;
    run |= run >> 2 * shift & pairs;
    return run | (run >> 2 * shift & pairs);
}

static inline uint64_t ends(uint64_t own, uint64_t through, int shift)
{
    uint64_t pairs = through & through << shift;
    return upwards(own, through, pairs, shift) << shift | downwards(own, through, pairs >> shift, shift) >> shift;
}

static inline uint64_t bracketed(uint64_t own, uint64_t through, uint64_t disc, int shift)
{
    uint64_t pairs = through & through << shift;
    uint64_t up = upwards(disc, through, pairs, shift), down = downwards(disc, through, pairs >> shift, shift);
    return (up << shift & own ? up : 0) | (down >> shift & own ? down : 0);
}

/* Count the game in that lane, which is over, and start the next one in it. */
static void renew(int lane, uint64_t first_state, struct totals *totals, int more)
{
    int mine = __builtin_popcountll(own[lane]), theirs = __builtin_popcountll(opp[lane]);
    int lead = steps[lane] & 1 ? theirs - mine : mine - theirs;
    if (playing[lane]) {
        totals->ends[lead < 0 ? SEAT0 : lead > 0 ? SEAT1 : DRAWN]++;
        totals->plies += steps[lane] - 1;
    }
    own[lane] = CROSSES;
    opp[lane] = NOUGHTS;
    moves[lane] = FIRST_MOVES;
    steps[lane] = stuck[lane] = 0;
    playing[lane] = more;
    product[lane] = (mix(first_state) >> 32) * 4;
    state[lane] = first_state + GAMMA;
}

static void draw_again(int lane, uint64_t bound)
{
    uint64_t unfair = (UINT64_C(1) << 32) % bound;
    while ((uint32_t)product[lane] < unfair) {
        product[lane] = (mix(state[lane]) >> 32) * bound;
        state[lane] += GAMMA;
    }
}

static struct totals play_all(uint64_t run, uint64_t games)
{
    struct totals totals = {{0, 0, 0}, 0};
    uint64_t next = 0;
    EACH stuck[i] = ~UINT64_C(0); /* an empty board, and nobody can move */
    while (totals.ends[SEAT0] + totals.ends[DRAWN] + totals.ends[SEAT1] < games) {
        uint64_t special = 0;
        EACH {
            uint64_t inner = opp[i] & INNER;
            uint64_t found = ends(own[i], inner, 1) | ends(own[i], opp[i], 8) | ends(own[i], inner, 7) |
                             ends(own[i], inner, 9);
            moves[i] = found &= ~(own[i] | opp[i]);
            uint64_t count = (uint64_t)__builtin_popcountll(found), none = found ? 0 : ~UINT64_C(0);
            product[i] = (mix(state[i]) >> 32) * count;
            state[i] += found ? GAMMA : 0;
            over[i] = none & stuck[i];
            stuck[i] = none;
            special |= over[i] | ((product[i] & 0xFFFFFFFF) < count);
        }
        if (special)
            for (int i = 0; i < LANES; i++) {
                if (over[i]) {
                    renew(i, mix(run ^ next), &totals, next < games);
                    next++;
                }
                uint64_t count = (uint64_t)__builtin_popcountll(moves[i]);
                if ((uint32_t)product[i] < count)
                    draw_again(i, count);
            }
        lanes discs;
        EACH discs[i] = _pdep_u64(UINT64_C(1) << (product[i] >> 32), moves[i]);
        EACH {
            uint64_t inner = opp[i] & INNER, disc = discs[i];
            uint64_t turned = bracketed(own[i], inner, disc, 1) | bracketed(own[i], opp[i], disc, 8) |
                              bracketed(own[i], inner, disc, 7) | bracketed(own[i], inner, disc, 9);
            uint64_t placed = own[i] | turned | disc;
            own[i] = opp[i] ^ turned;
            opp[i] = placed;
            steps[i]++;
        }
    }
    return totals;
}
