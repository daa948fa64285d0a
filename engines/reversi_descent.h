/* The search itself, compiled once for each kind of processor: `NAMED(x)` makes the kind's names, and `LANES` is
   1 where four words are shifted at once. All kinds search the same positions in the same order.

   Principal variation search (Marsland and Campbell, *Parallel search of strongly ordered game trees*, Computing
   Surveys 1982), fail-soft, with enhanced transposition cut-offs (Plaat et al., *Exploiting graph properties of
   game trees*, AAAI 1996). */

#if LANES
typedef uint64_t NAMED(Lanes) __attribute__((vector_size(32)));

static inline uint64_t NAMED(together)(NAMED(Lanes) x) { return x[0] | x[1] | x[2] | x[3]; }

/* The squares one beyond a run of `opp` that begins next to `own`; the caller leaves out those that are taken. */
static inline uint64_t NAMED(placements)(uint64_t own, uint64_t opp) {
    typedef NAMED(Lanes) Lanes;
    const Lanes shift = {1, 8, 7, 9}, twice = {2, 16, 14, 18}, mask = {INNER, ~0ULL, INNER, INNER};
    Lanes inside = (Lanes){opp, opp, opp, opp} & mask, from = {own, own, own, own};
    Lanes up = inside & from << shift, down = inside & from >> shift;
    up |= inside & up << shift, down |= inside & down >> shift;
    Lanes pairs = inside & inside << shift, lower = pairs >> shift;
    up |= pairs & up << twice, down |= lower & down >> twice;
    up |= pairs & up << twice, down |= lower & down >> twice;
    return NAMED(together)(up << shift | down >> shift);
}

/* The discs of `opp` that a disc of `own` on `square` turns over. */
static inline uint64_t NAMED(flips)(uint64_t own, uint64_t opp, int square) {
    typedef NAMED(Lanes) Lanes;
    const Lanes shift = {1, 8, 7, 9}, twice = {2, 16, 14, 18}, fourfold = {4, 32, 28, 36};
    Lanes up, down, mine = {own, own, own, own}, others = {~opp, ~opp, ~opp, ~opp};
    memcpy(&up, rays[square][0], sizeof up);
    memcpy(&down, rays[square][1], sizeof down);
    Lanes end = up & others;
    end &= -end & mine;
    Lanes turned = up & (end - 1) & ~(Lanes)(end == 0);
    Lanes beyond = down & others;
    beyond |= beyond >> shift;
    beyond |= beyond >> twice;
    beyond |= beyond >> fourfold;
    end = down & beyond & ~(beyond >> shift) & mine;
    Lanes run = down & ~beyond;
    turned |= run & ~(Lanes)(end == 0);
    return NAMED(together)(turned);
}
#else
static inline uint64_t NAMED(along)(uint64_t own, uint64_t inside, int shift) {
    uint64_t up = inside & own << shift, down = inside & own >> shift;
    up |= inside & up << shift, down |= inside & down >> shift;
    uint64_t pairs = inside & inside << shift, lower = pairs >> shift;
    up |= pairs & up << 2 * shift, down |= lower & down >> 2 * shift;
    up |= pairs & up << 2 * shift, down |= lower & down >> 2 * shift;
    return up << shift | down >> shift;
}

static inline uint64_t NAMED(placements)(uint64_t own, uint64_t opp) {
    uint64_t inside = opp & INNER;
    return NAMED(along)(own, inside, 1) | NAMED(along)(own, opp, 8) | NAMED(along)(own, inside, 7) |
           NAMED(along)(own, inside, 9);
}

static inline uint64_t NAMED(flips)(uint64_t own, uint64_t opp, int square) {
    uint64_t turned = 0;
    for (int way = 0; way < 4; way++) {
        uint64_t ray = rays[square][0][way], end = ray & ~opp;
        end &= -end & own;
        turned |= ray & (end - (end != 0));
        ray = rays[square][1][way], end = ray & ~opp;
        if (end && (end = 1ULL << (63 - __builtin_clzll(end)) & own)) turned |= ray & -(end << 1);
    }
    return turned;
}
#endif

static inline int NAMED(count)(uint64_t x) { return __builtin_popcountll(x); }

/* The value of a board on which nothing more is placed. */
static inline int NAMED(final)(const Search *search, uint64_t own, uint64_t opp) {
    return search->sign * (NAMED(count)(own) - NAMED(count)(opp));
}

/* Discs of `own` that can never be turned, by whatever rule the game is won: on each line through such a disc the
   line is full, or ends there, or has another such disc of the same side next to it; or the disc is on an edge
   and no filling of that turns it. */
static uint64_t NAMED(stable)(const Search *search, uint64_t own, uint64_t opp) {
    int last = WIDTH * (search->rows - 1), right = search->columns - 1;
    const uint8_t *row = search->edge[0], *column = search->edge[1];
    uint64_t safe = row[ternary[own & 255] + 2 * ternary[opp & 255]];
    safe |= (uint64_t)row[ternary[own >> last & 255] + 2 * ternary[opp >> last & 255]] << last;
    for (int at = 0; at <= right; at += right) {
        uint64_t mine = (own >> at & FIRST_COLUMN) * 0x0102040810204080ULL >> 56;
        uint64_t theirs = (opp >> at & FIRST_COLUMN) * 0x0102040810204080ULL >> 56;
        safe |= upright[column[ternary[mine] + 2 * ternary[theirs]]] << at;
    }
    uint64_t empty = search->board & ~(own | opp), open[4] = {empty, empty, empty, empty}, full = own;
    for (; empty; empty &= empty - 1) {
        int square = __builtin_ctzll(empty);
        for (int way = 0; way < 4; way++) open[way] |= rays[square][0][way] | rays[square][1][way];
    }
    for (int way = 0; way < 4; way++) full &= ~open[way];
    safe |= full;
    for (uint64_t before = 0; before != safe;) {
        uint64_t more = own;
        before = safe;
        for (int way = 0; way < 4; way++) more &= search->walls[way] | ~open[way] | both_ways(safe, ways[way]);
        safe |= more;
    }
    return safe;
}

/* The mover's discs that lie still bound the value: the other side cannot have more than all other squares. */
static inline int NAMED(bounded)(const Search *search, uint64_t own, uint64_t opp, int alpha, int *value) {
    uint64_t theirs = search->sign > 0 ? opp : own, ours = search->sign > 0 ? own : opp;
    if (search->squares - 2 * NAMED(count)(theirs) > alpha) return 0;
    *value = search->squares - 2 * NAMED(count)(NAMED(stable)(search, theirs, ours));
    return *value <= alpha;
}

/* Which quarters of the board have an odd number of empty squares, a bit each. */
static inline int NAMED(parity)(const Search *search, uint64_t empty) {
    int parity = 0;
    for (int at = 0; at < 4; at++) parity |= (NAMED(count)(empty & search->quarters[at]) & 1) << at;
    return parity;
}

/* The value where all squares but one have a disc. */
static inline int NAMED(last)(Search *search, uint64_t own, uint64_t opp, int square) {
    int before = 2 * NAMED(count)(own) - (search->squares - 1);
    int turned = last_turned(own, square);
    search->nodes++;
    if (turned) return search->sign * (before + 1 + 2 * turned);
    turned = last_turned(opp, square);
    return search->sign * (turned ? before - 1 - 2 * turned : before);
}

/* As `few`, where two squares are empty. */
static int NAMED(last_two)(Search *search, uint64_t own, uint64_t opp, int square, int other, int alpha, int beta,
                           int passed) {
    int best = -INFINITE;
    uint64_t turned;
    search->nodes++;
    if (near[square] & opp && (turned = NAMED(flips)(own, opp, square)) &&
        (best = -NAMED(last)(search, opp ^ turned, own | turned | 1ULL << square, other)) >= beta)
        return best;
    if (near[other] & opp && (turned = NAMED(flips)(own, opp, other))) {
        int value = -NAMED(last)(search, opp ^ turned, own | turned | 1ULL << other, square);
        return value > best ? value : best;
    }
    if (best > -INFINITE) return best;
    if (passed) return NAMED(final)(search, own, opp);
    return -NAMED(last_two)(search, opp, own, square, other, -beta, -alpha, 1);
}

/* As `search`, where squares are tried as they come, those of odd quarters first: for so few empty ones that
   looking for the best order costs more. The other side had to pass where it `passed`. */
static int NAMED(few)(Search *search, uint64_t own, uint64_t opp, uint64_t empty, int parity, int alpha, int beta,
                      int passed) {
    uint64_t second = empty & (empty - 1);
    if (!second) return NAMED(last)(search, own, opp, __builtin_ctzll(empty));
    if (!(second & (second - 1)))
        return NAMED(last_two)(search, own, opp, __builtin_ctzll(empty), __builtin_ctzll(second), alpha, beta, 0);
    int best = -INFINITE;
    uint64_t odd = empty & search->odd[parity];
    search->nodes++;
    for (int even = 0; even < 2; even++) {
        for (uint64_t rest = even ? empty ^ odd : odd; rest; rest &= rest - 1) {
            int square = __builtin_ctzll(rest), then = parity ^ search->quarter[square];
            uint64_t turned, disc = 1ULL << square;
            if (!(near[square] & opp) || !(turned = NAMED(flips)(own, opp, square))) continue;
            uint64_t mine = own | turned | disc, theirs = opp ^ turned;
            int floor = best > alpha ? best : alpha;
            int value = -NAMED(few)(search, theirs, mine, empty ^ disc, then, -beta, -floor, 0);
            if (value > best && (best = value) >= beta) return best;
        }
    }
    if (best > -INFINITE) return best;
    if (passed) return NAMED(final)(search, own, opp);
    return -NAMED(few)(search, opp, own, empty, parity, -beta, -alpha, 1);
}

/* A guess of the value, in hundredths of a disc, of a position in which the mover can place on `moves`. */
static inline int NAMED(judged)(const Search *search, uint64_t own, uint64_t opp, uint64_t moves) {
    const Taste *taste = search->taste;
    uint64_t empty = search->board & ~(own | opp), theirs = NAMED(placements)(opp, own) & empty;
    int value = taste->moves * (NAMED(count)(moves) - NAMED(count)(theirs));
    value += taste->discs * (NAMED(count)(own) - NAMED(count)(opp));
    value += taste->corners * (NAMED(count)(own & search->corners) - NAMED(count)(opp & search->corners));
    value += taste->reach * (NAMED(count)(moves & search->corners) - NAMED(count)(theirs & search->corners));
    for (int at = 0; at < 2; at++)
        value += taste->next_to[at] *
                 (NAMED(count)(own & search->next_to[at]) - NAMED(count)(opp & search->next_to[at]));
    return value;
}

static int NAMED(guess)(Search *search, uint64_t own, uint64_t opp, int depth, int alpha, int beta);

/* Fill `moves` with what can be placed, the most promising first; how many. The square `first` is before all. */
static int NAMED(sorted)(Search *search, uint64_t own, uint64_t opp, uint64_t places, int first, int left,
                         Candidate *moves) {
    uint64_t empty = search->board & ~(own | opp), odd = search->odd[NAMED(parity)(search, empty)];
    const Taste *taste = search->taste;
    int count = 0, depth = left < DEEP + DEEPEST * DEEPER ? (left - DEEP) / DEEPER : DEEPEST;
    for (; places; places &= places - 1) {
        int square = __builtin_ctzll(places), at = count++;
        uint64_t disc = 1ULL << square, turned = NAMED(flips)(own, opp, square);
        Candidate made = {.own = opp ^ turned, .opp = own | turned | disc, .square = square};
        uint64_t answers = NAMED(placements)(made.own, made.opp) & empty & ~disc;
        if (left > FEW + 1) __builtin_prefetch(bucket_of(search, made.own, made.opp));
        int others = NAMED(count)(answers), even = !(odd & disc);
        if (square == first) {
            made.order = -1000 * INFINITE;
        } else if (left < DEEP) {
            made.order = 4 * (others + taste->corner_answers * NAMED(count)(answers & search->corners)) + even +
                         taste->turned * NAMED(count)(turned);
        } else {
            made.order = NAMED(guess)(search, made.own, made.opp, depth, -100 * INFINITE, 100 * INFINITE) +
                         taste->answers * others + 100 * even;
        }
        for (; at > 0 && moves[at - 1].order > made.order; at--) moves[at] = moves[at - 1];
        moves[at] = made;
    }
    return count;
}

/* The best such guess so many plies on, or a bound of it: fail-soft alpha-beta. */
static int NAMED(guess)(Search *search, uint64_t own, uint64_t opp, int depth, int alpha, int beta) {
    uint64_t empty = search->board & ~(own | opp), places = NAMED(placements)(own, opp) & empty;
    search->nodes++;
    if (!places) {
        if (!(NAMED(placements)(opp, own) & empty)) return 100 * NAMED(final)(search, own, opp);
        return -NAMED(guess)(search, opp, own, depth, -beta, -alpha);
    }
    if (!depth) return NAMED(judged)(search, own, opp, places);
    Candidate moves[MOST_CANDIDATES];
    int count = NAMED(sorted)(search, own, opp, places, NO_MOVE, 0, moves), best = -100 * INFINITE;
    for (int at = 0; at < count && best < beta; at++) {
        int floor = best > alpha ? best : alpha;
        int value = -NAMED(guess)(search, moves[at].own, moves[at].opp, depth - 1, -beta, -floor);
        if (value > best) best = value;
    }
    return best;
}

static int NAMED(search)(Search *search, uint64_t own, uint64_t opp, int alpha, int beta);

/* The value of a move to the side that answers it, with `left` squares then empty. */
static int NAMED(below)(Search *search, const Candidate *move, int left, int alpha, int beta) {
    if (left > FEW) return NAMED(search)(search, move->own, move->opp, alpha, beta);
    if (!left) return NAMED(final)(search, move->own, move->opp);
    uint64_t empty = search->board & ~(move->own | move->opp);
    return NAMED(few)(search, move->own, move->opp, empty, NAMED(parity)(search, empty), alpha, beta, 0);
}

/* The mover's value with perfect play, or a bound of it where it lies outside `alpha` to `beta`. Where the search
   was halted it means nothing; what was proven before is in the table. */
static int NAMED(search)(Search *search, uint64_t own, uint64_t opp, int alpha, int beta) {
    uint64_t empty = search->board & ~(own | opp), started = search->nodes++;
    int left = NAMED(count)(empty), value;
    if (started >= search->most && !(search->more && search->more(search))) search->halted = 1;
    if (search->stop && *search->stop) search->halted = 1;
    if (search->halted) return alpha;
    if (left > search->mirrored && canonical(search, &own, &opp)) empty = search->board & ~(own | opp);
    Bucket *bucket = bucket_of(search, own, opp);
    __builtin_prefetch(bucket);
    uint64_t places = NAMED(placements)(own, opp) & empty;
    if (!places) {
        if (!(NAMED(placements)(opp, own) & empty)) return NAMED(final)(search, own, opp);
        return -NAMED(search)(search, opp, own, -beta, -alpha);
    }
    if (NAMED(bounded)(search, own, opp, alpha, &value)) return value;
    Known known = {-search->squares, search->squares, NO_MOVE};
    if (recall(bucket, own, opp, &known)) {
        if (known.low >= beta || known.low == known.high) return known.low;
        if (known.high <= alpha) return known.high;
        if (known.low > alpha) alpha = known.low;
        if (known.high < beta) beta = known.high;
    }
    Candidate moves[MOST_CANDIDATES];
    int count = NAMED(sorted)(search, own, opp, places, known.move, left, moves), best = -INFINITE;
    if (left >= ENHANCED) {
        for (int at = 0; at < count; at++) {
            Known after;
            uint64_t mine = moves[at].own, theirs = moves[at].opp;
            if (left - 1 > search->mirrored) canonical(search, &mine, &theirs);
            if (!recall(bucket_of(search, mine, theirs), mine, theirs, &after)) continue;
            if (-after.high >= beta) {
                known.low = -after.high, known.move = moves[at].square;
                remember(bucket, own, opp, &known, search->nodes - started);
                return known.low;
            }
        }
    }
    for (int at = 0; at < count && best < beta; at++) {
        int floor = best > alpha ? best : alpha, scouting = at > 0 && beta - floor > 1;
        value = -NAMED(below)(search, &moves[at], left - 1, scouting ? -floor - 1 : -beta, -floor);
        if (scouting && floor < value && value < beta && !search->halted) {
            if (value > known.low) known.low = value, known.move = moves[at].square;
            value = -NAMED(below)(search, &moves[at], left - 1, -beta, -value);
        }
        if (search->halted) break;
        if (value > best) {
            best = value;
            if (best > alpha || known.low == -search->squares) known.move = moves[at].square;
        }
    }
    if (best > alpha && best > known.low) known.low = best;
    if (!search->halted && best < beta && best < known.high) known.high = best;
    remember(bucket, own, opp, &known, search->nodes - started);
    return best;
}
