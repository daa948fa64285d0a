/* The search of `reversi_midgame.h`, compiled once for each kind of processor as `reversi_descent.h` is.

   Principal variation search, fail-soft, with enhanced transposition cut-offs, and with cuts by shallower searches
   whose values differ from the deeper ones by so much that an error is unlikely (Buro, *Experiments with Multi-ProbCut
   and a new high-quality evaluation function for Othello*, 1997). */

static int NAMED(deep)(Midgame *midgame, const Stand *stand, int depth, int alpha, int beta);

/* The position after a disc of the mover's on `square`. */
static inline void NAMED(follow)(const Midgame *midgame, const Stand *stand, int square, Stand *after) {
    uint64_t turned = NAMED(flips)(stand->own, stand->opp, square);
    after->own = stand->opp ^ turned, after->opp = stand->own | turned | 1ULL << square;
    after->places = NAMED(placements)(after->own, after->opp) & midgame->search->board & ~(after->own | after->opp);
    after->colour = stand->colour ^ 1, after->left = stand->left - 1;
    if (midgame->weights)
        lines_after(midgame->patterns, &stand->lines, &after->lines, square, turned, stand->colour);
}

/* The same position with the other side to move. */
static inline void NAMED(skip)(const Midgame *midgame, const Stand *stand, Stand *after) {
    *after = *stand;
    after->own = stand->opp, after->opp = stand->own, after->colour ^= 1;
    after->places = NAMED(placements)(after->own, after->opp) & midgame->search->board & ~(after->own | after->opp);
}

/* What a position is worth as it stands, where the mover can place a disc. */
static inline int NAMED(estimate)(const Midgame *midgame, const Stand *stand) {
    if (midgame->weights)
        return judged(midgame->patterns, midgame->weights, &stand->lines, stand->colour, stand->left);
    int most = midgame->search->squares * POINT;
    int value = NAMED(judged)(midgame->search, stand->own, stand->opp, stand->places) * POINT / 100;
    return value > most ? most : value < -most ? -most : value;
}

/* The same where the mover may have to pass, or the game may be over. */
static inline int NAMED(leaf)(const Midgame *midgame, const Stand *stand) {
    if (stand->places) return NAMED(estimate)(midgame, stand);
    Stand after;
    NAMED(skip)(midgame, stand, &after);
    if (!after.places) return POINT * NAMED(final)(midgame->search, stand->own, stand->opp);
    return -NAMED(estimate)(midgame, &after);
}

/* A search of one ply. */
static int NAMED(last_ply)(Midgame *midgame, const Stand *stand, int beta) {
    int best = -FAR;
    for (uint64_t places = stand->places; places && best < beta; places &= places - 1) {
        Stand after;
        NAMED(follow)(midgame, stand, __builtin_ctzll(places), &after);
        int value = -NAMED(leaf)(midgame, &after);
        if (value > best) best = value;
    }
    return best;
}

/* The solver's value, or a bound of it outside `alpha` to `beta`. */
static int NAMED(solved)(Midgame *midgame, const Stand *stand, int alpha, int beta) {
    Search *search = midgame->search;
    int low = alpha >= 0 ? alpha / POINT : -((POINT - 1 - alpha) / POINT);
    int high = beta > 0 ? (beta + POINT - 1) / POINT : -(-beta / POINT);
    search->nodes = 0, search->halted = 0, search->most = midgame->repeatable ? UINT64_MAX : SLICE;
    int value = POINT * NAMED(search)(search, stand->own, stand->opp, low, high);
    if (search->halted) return alpha;
    midgame->unlooked -= (int)(search->nodes / SOLVERS_PACE);
    if (!midgame->repeatable) return value;
    return value < alpha ? alpha : value > beta ? beta : value;
}

/* Fill `branches` with the moves, the most promising first in `order`; how many. `first` is left out. */
static int NAMED(ordered)(Midgame *midgame, const Stand *stand, int depth, int first, Branch *branches,
                          Branch **order) {
    int count = 0, ending = depth >= stand->left, plies = depth < 5 ? 0 : depth < 9 ? 1 : 2;
    int mobile = ending ? 2 * POINT : POINT / 4;
    if (ending) plies = stand->left < HANDED_OVER + 2 ? 0 : stand->left < HANDED_OVER + 5 ? 1 : 2;
    for (uint64_t places = stand->places; places; places &= places - 1) {
        int square = __builtin_ctzll(places), at = count;
        if (square == first) continue;
        Branch *branch = &branches[count++];
        branch->square = square;
        NAMED(follow)(midgame, stand, square, &branch->after);
        if (plies) branch->order = NAMED(deep)(midgame, &branch->after, plies, -FAR, FAR);
        else branch->order = NAMED(leaf)(midgame, &branch->after);
        branch->order += mobile * NAMED(count)(branch->after.places);
        for (; at > 0 && order[at - 1]->order > branch->order; at--) order[at] = order[at - 1];
        order[at] = branch;
    }
    return count;
}

/* Whether what is known of a move's position shows that the value is at least `beta`. */
static inline int NAMED(is_known)(const Midgame *midgame, const Stand *stand, int depth, int beta, int *value) {
    for (uint64_t places = stand->places; places; places &= places - 1) {
        int square = __builtin_ctzll(places);
        uint64_t turned = NAMED(flips)(stand->own, stand->opp, square);
        uint64_t key = key_of(midgame, stand->opp ^ turned, stand->own | turned | 1ULL << square, depth >= stand->left);
        const Entry *known = looked_up(row_of(midgame, key), key);
        if (!known || !holds(known, depth - 1, midgame->certainty) || -known->high < beta) continue;
        *value = -known->high;
        return 1;
    }
    return 0;
}

/* Whether a shallower search shows that the value is at least `beta` or at most `beta - 1`, as sure as is wanted. */
static int NAMED(is_clear)(Midgame *midgame, const Stand *stand, int depth, int beta, int *value) {
    int ending = depth >= stand->left, shallow = depth / 4 * 2 + (depth & 1);
    const float *row = midgame->spread->row[ending];
    float spread = row[0] + row[1] * (float)stand->left + row[2] * (float)depth + row[3] * (float)shallow;
    int margin = (int)((float)POINT * margins[midgame->certainty] * (spread < 0.5f ? 0.5f : spread));
    int now = NAMED(estimate)(midgame, stand);
    int bound = now >= beta ? beta + margin : beta - 1 - margin, most = midgame->search->squares * POINT;
    if (bound >= most || bound <= -most) return 0;
    if (now >= beta) {
        if (NAMED(deep)(midgame, stand, shallow, bound - 1, bound) < bound || midgame->halted) return 0;
        *value = beta;
    } else {
        if (NAMED(deep)(midgame, stand, shallow, bound, bound + 1) > bound || midgame->halted) return 0;
        *value = beta - 1;
    }
    return 1;
}

/* The value after a search of `depth` plies, or a bound of it where it lies outside `alpha` to `beta`. Once `halted`
   is set it means nothing. */
static int NAMED(deep)(Midgame *midgame, const Stand *stand, int depth, int alpha, int beta) {
    if (!stand->places) {
        Stand after;
        NAMED(skip)(midgame, stand, &after);
        if (!after.places) return POINT * NAMED(final)(midgame->search, stand->own, stand->opp);
        return -NAMED(deep)(midgame, &after, depth, -beta, -alpha);
    }
    int ending = depth >= stand->left;
    if (depth <= 0) return NAMED(estimate)(midgame, stand);
    if (ending && stand->left <= HANDED_OVER) return NAMED(solved)(midgame, stand, alpha, beta);
    if (depth == 1) return NAMED(last_ply)(midgame, stand, beta);
    if (--midgame->unlooked < 0) late(midgame);
    if (midgame->halted) return alpha;
    int certainty = midgame->certainty, value, most = midgame->search->squares * POINT;
    if (ending) {
        int low = alpha >= 0 ? alpha / POINT : -((POINT - 1 - alpha) / POINT);
        if (NAMED(bounded)(midgame->search, stand->own, stand->opp, low, &value)) return POINT * value;
    }
    uint64_t key = key_of(midgame, stand->own, stand->opp, ending);
    Row *row = row_of(midgame, key);
    Entry *entry = depth >= TABLED_FROM ? looked_up(row, key) : NULL;
    Entry found = {key, (int16_t)-most, (int16_t)most, NO_MOVE, (uint8_t)depth, (uint8_t)certainty, midgame->date};
    if (entry) {
        found.move = entry->move;
        if (holds(entry, depth, certainty)) {
            if (entry->low >= beta || entry->low == entry->high) return entry->low;
            if (entry->high <= alpha) return entry->high;
            if (entry->low > alpha) alpha = entry->low;
            if (entry->high < beta) beta = entry->high;
            if (entry->depth == depth && entry->certainty == certainty) found.low = entry->low, found.high = entry->high;
        }
    }
    if (beta - alpha == 1 && depth >= CUT_FROM && certainty < PROVEN &&
        NAMED(is_clear)(midgame, stand, depth, beta, &value))
        return value;
    if (depth >= ENHANCED_FROM && NAMED(is_known)(midgame, stand, depth, beta, &value)) return value;
    Branch branches[MOST_CANDIDATES], *order[MOST_CANDIDATES];
    int first = found.move, best = -FAR, count = first != NO_MOVE;
    if (count) {    /* often nothing else is to be tried */
        order[0] = branches, branches->square = first;
        NAMED(follow)(midgame, stand, first, &branches->after);
    } else {
        count = NAMED(ordered)(midgame, stand, depth, NO_MOVE, branches, order);
    }
    for (int at = 0; at < count && best < beta; at++) {
        int floor = best > alpha ? best : alpha, scouting = at > 0 && beta - floor > 1;
        if (midgame->halted) return alpha;
        const Stand *after = &order[at]->after;
        value = -NAMED(deep)(midgame, after, depth - 1, scouting ? -floor - 1 : -beta, -floor);
        if (scouting && floor < value && value < beta && !midgame->halted)
            value = -NAMED(deep)(midgame, after, depth - 1, -beta, -floor);
        if (midgame->halted) return alpha;
        if (value > best) {
            best = value;
            if (best > alpha || found.move == NO_MOVE) found.move = (uint8_t)order[at]->square;
        }
        if (!at && first != NO_MOVE && best < beta)    /* the move that was best before did not do */
            count += NAMED(ordered)(midgame, stand, depth, first, branches + 1, order + 1);
    }
    if (best > alpha && best > found.low) found.low = (int16_t)best;
    if (best < beta && best < found.high) found.high = (int16_t)best;
    if (depth >= TABLED_FROM) keep(midgame, row, found);
    return best;
}
