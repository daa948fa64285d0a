/* Level openings for Reversi on 8 by 8 squares.

   usage: reversi_openings most|fewest COUNT PLIES DEPTH DISCS SEED FOLDER

   Prints COUNT different openings of PLIES random moves, a line each, after which the champion's own search, DEPTH
   plies deep, judges neither side better by more than DISCS. Those with a pass are left out. FOLDER is where the
   champion's weights lie. The same words give the same openings on every machine. */
#include "levels.h"

enum { SIDE = 8, MOST_PLIES = 40, MEMORY = 32 << 20, USAGE = 2 };

/* Play random moves; the position, or one without moves where somebody had to pass. */
static Stand drawn(const Midgame *midgame, int plies, uint64_t *seed, int *moves) {
    uint64_t own, opp;
    first_discs(midgame->search, &opp, &own);    /* the arena mirrors the board that `first_discs` knows */
    Stand stand = stand_of(midgame, own, opp), after;
    for (int ply = 0; ply < plies && stand.places; ply++) {
        uint64_t places = stand.places;
        for (uint64_t skipped = next_random(seed) % (uint64_t)count_plain(places); skipped; skipped--) places &= places - 1;
        moves[ply] = __builtin_ctzll(places);
        follow_plain(midgame, &stand, moves[ply], &after);
        stand = after;
    }
    return stand;
}

int main(int count, char **words) {
    if (count != 8) return fputs("usage: reversi_openings most|fewest COUNT PLIES DEPTH DISCS SEED FOLDER\n", stderr), USAGE;
    int fewest = !strcmp(words[1], "fewest"), wanted = atoi(words[2]), plies = atoi(words[3]), depth = atoi(words[4]);
    int most = (int)(POINT * atof(words[5])), move, moves[MOST_PLIES];
    uint64_t seed = strtoull(words[6], NULL, 10), *seen = calloc((size_t)wanted, 2 * sizeof *seen);
    char beside[4096];
    snprintf(beside, sizeof beside, "%s/champion", words[7]);
    prepare();
    Patterns *patterns = new_patterns(SIDE);
    Weights *weights = patterns ? weights_beside(beside, patterns, fewest) : NULL;
    Midgame *midgame = weights ? new_midgame(SIDE, fewest, patterns, weights, MEMORY) : NULL;
    if (!midgame || !seen || plies > MOST_PLIES) return fputs("no weights, no memory, or too many plies\n", stderr), USAGE;
    for (int found = 0; found < wanted;) {
        Stand stand = drawn(midgame, plies, &seed, moves);
        int known = !stand.places;
        for (int at = 0; at < found; at++) known |= seen[2 * at] == stand.own && seen[2 * at + 1] == stand.opp;
        if (known) continue;
        forget(midgame);
        if (abs(midgame_value(midgame, stand.own, stand.opp, depth, &move)) > most) continue;
        seen[2 * found] = stand.own, seen[2 * found + 1] = stand.opp, found++;
        for (int ply = 0; ply < plies; ply++)
            printf("%c%d%c", 'a' + moves[ply] % WIDTH, moves[ply] / WIDTH + 1, ply + 1 < plies ? ' ' : '\n');
        fflush(stdout);
    }
    return 0;
}
