/* Weights of patterns learned from games of a player with itself.

   Such a player searches a fixed number of plies (`reversi_midgame.h`), and plays the last squares perfectly. A game
   begins with random moves; what follows teaches: each position the value that the game had at its end. Weights of a
   stage are those of least squares with a penalty (ridge regression), solved by conjugate gradients (Hestenes and
   Stiefel, *Methods of conjugate gradients for solving linear systems*, 1952) after scaling by the diagonal. All chance
   comes from a seed and the number of a game, and every sum has a fixed order: the same games make the same bytes,
   however they are cut into parts. */
#ifndef ENGINES_REVERSI_TRAINING_H
#define ENGINES_REVERSI_TRAINING_H
#include <math.h>
#include "reversi_midgame.h"
#include "splitmix.h"

enum {
    RECORD = 64,                  /* bytes of a game: squares in turn, NO_SQUARE after the last; then these: */
    MADE = 60,                    /* how many discs were placed, */
    OPENING = 61,                 /* how many of them at random, */
    ENDED = 62,                   /* and the first colour's value at the end, as a signed byte */
    NO_SQUARE = 255,
    HELD_OUT = 16,                /* each so many'th game teaches nothing, and tells how well others are foretold */
    AROUND = 2,                   /* a stage also learns from so many more and fewer empty squares than it is for */
};

static const double PENALTY = 40;

typedef struct {
    Patterns *patterns;
    Weights *weights;             /* NULL: moves, corners and discs are counted */
    Midgame *midgame;
    int depth, solved;
} Player;

typedef struct {
    uint64_t own, opp;            /* the discs of the side to move, and of the other */
    int colour, empty;
} Position;

static uint64_t random_of(uint64_t seed, uint64_t game) {
    uint64_t state = seed;
    state = next_random(&state) ^ game;
    return next_random(&state);
}

static uint64_t places_of(const Search *search, uint64_t own, uint64_t opp) {
    return placements_plain(own, opp) & search->board & ~(own | opp);
}

static Position start_of(const Search *search) {
    Position position = {.colour = 0, .empty = search->squares - 4};
    first_discs(search, &position.own, &position.opp);
    return position;
}

/* Place a disc where it turns others, and have the other side move, or the same where that side can place nothing;
   0 where the game is over. */
static int place(const Search *search, Position *position, int square) {
    uint64_t turned = flips_plain(position->own, position->opp, square);
    uint64_t own = position->opp ^ turned, opp = position->own | turned | 1ULL << square;
    *position = (Position){own, opp, !position->colour, position->empty - 1};
    if (places_of(search, own, opp)) return 1;
    *position = (Position){opp, own, !position->colour, position->empty};
    return places_of(search, opp, own) != 0;
}

static int ended(const Search *search, const Position *position) {
    int value = final_plain(search, position->own, position->opp);
    return position->colour ? -value : value;
}

/* Forget all, so that a game does not depend on the one before. */
static void begin_game(const Player *player) {
    Search *search = player->midgame->search;
    memset(search->table, 0, (search->mask + 1) * sizeof(Bucket));
    forget(player->midgame);
}

/* The square that a player takes. */
static int taken(const Player *player, const Position *position) {
    int square, most = player->midgame->search->squares;
    if (position->empty <= player->solved)
        return solve(player->midgame->search, position->own, position->opp, -most - 1, most + 1, UINT64_MAX, NULL).move;
    midgame_value(player->midgame, position->own, position->opp, player->depth, &square);
    return square;
}

/* Make so many random moves, and say in `record` which; 0 where the game is over. */
static int open_at_random(const Search *search, Position *position, int plies, uint64_t *random, uint8_t *record) {
    for (int ply = 0; ply < plies; ply++) {
        uint64_t places = places_of(search, position->own, position->opp);
        for (int skipped = (int)(next_random(random) % (unsigned)count_plain(places)); skipped; skipped--)
            places &= places - 1;
        int square = __builtin_ctzll(places);
        record[ply] = (uint8_t)square, record[MADE] = record[OPENING] = (uint8_t)(ply + 1);
        if (!place(search, position, square)) return 0;
    }
    return 1;
}

/* A game of a player with itself. Three of four begin with a short row of random moves, the others with one that
   may lead up to where endings are played perfectly. */
static void play_game(const Player *player, uint64_t seed, uint64_t game, uint8_t *record) {
    const Search *search = player->midgame->search;
    uint64_t random = random_of(seed, game);
    begin_game(player);
    Position position = start_of(search);
    int free = position.empty - player->solved, shortest = search->squares / 16;
    int choices = next_random(&random) % 4 ? search->squares / 6 : free - shortest;
    int opening = shortest + (choices > 0 ? (int)(next_random(&random) % (unsigned)choices) : 0);
    memset(record, NO_SQUARE, MADE);
    memset(record + MADE, 0, RECORD - MADE);
    int going = open_at_random(search, &position, opening < position.empty ? opening : position.empty, &random, record);
    while (going) {
        int square = taken(player, &position);
        record[record[MADE]++] = (uint8_t)square;
        going = place(search, &position, square);
    }
    record[ENDED] = (uint8_t)(int8_t)ended(search, &position);
}

/* Twice the points of `players[0]` in two games from one random opening, with the seats exchanged in the second. */
static int play_pair(const Player *players, uint64_t seed, uint64_t game) {
    const Search *search = players[0].midgame->search;
    int points = 0;
    for (int seat = 0; seat < 2; seat++) {
        uint64_t random = random_of(~seed, game);
        uint8_t record[RECORD];
        Position position = start_of(search);
        int going = open_at_random(search, &position, search->squares / 8 + (int)(game % 2), &random, record);
        begin_game(&players[0]), begin_game(&players[1]);
        while (going) going = place(search, &position, taken(&players[position.colour ^ seat], &position));
        int won = seat ? -ended(search, &position) : ended(search, &position);
        points += won > 0 ? 2 : won == 0;
    }
    return points;
}

/* What a position teaches a stage. */
typedef struct {
    uint32_t filling[LANES_16];
    uint8_t empty, is_own, is_held_out;
    int8_t value;
} Lesson;

typedef struct {
    Lesson *lessons;
    size_t count, room;
} Lessons;

static int add_lesson(const Patterns *patterns, Lessons *lessons, const Position *position, const Lesson *told) {
    if (lessons->count == lessons->room) {
        size_t room = lessons->room ? 2 * lessons->room : 1 << 12;
        Lesson *more = realloc(lessons->lessons, room * sizeof *more);
        if (!more) return 0;
        lessons->lessons = more, lessons->room = room;
    }
    Lesson *lesson = &lessons->lessons[lessons->count++];
    Lines lines;
    *lesson = *told;
    lines_of(patterns, position->own, position->opp, &lines);
    for (int at = 0; at < patterns->instances; at++)
        lesson->filling[at] = patterns->same[patterns->begin[at] + lines.at[at]];
    return 1;
}

/* The lessons of games for a stage; 0 where there is too little memory. */
static int lessons_of(const Search *search, const Patterns *patterns, const uint8_t *games, size_t count, int stage,
                      Lessons *lessons) {
    for (size_t game = 0; game < count; game++) {
        const uint8_t *record = games + RECORD * game;
        Position position = start_of(search);
        for (int ply = 0; ply < record[MADE]; ply++) {
            int empty = position.empty, fits = stage_of(patterns, empty) == stage;
            int is_near = stage_of(patterns, empty - AROUND) == stage || stage_of(patterns, empty + AROUND) == stage;
            if (ply >= record[OPENING] && (fits || is_near)) {
                int value = (int8_t)record[ENDED];
                Lesson told = {.empty = (uint8_t)empty, .is_own = (uint8_t)fits,
                               .is_held_out = game % HELD_OUT == HELD_OUT - 1,
                               .value = (int8_t)(position.colour ? -value : value)};
                if (!add_lesson(patterns, lessons, &position, &told)) return 0;
            }
            place(search, &position, record[ply]);
        }
    }
    return 1;
}

typedef struct {
    double squares[2];            /* sums of squared errors, in squared discs: of what taught, and of what did not */
    uint64_t counted[2];
} Errors;

static double dot(const double *a, const double *b, size_t length) {
    double sum = 0;
    for (size_t at = 0; at < length; at++) sum += a[at] * b[at];
    return sum;
}

/* What weights foretell of a lesson; the constants of empty squares come after those of fillings. */
static double foretold(const Patterns *patterns, const double *weights, const Lesson *lesson) {
    double sum = weights[patterns->distinct + lesson->empty];
    for (int at = 0; at < patterns->instances; at++) sum += weights[lesson->filling[at]];
    return sum;
}

static void spread(const Patterns *patterns, double *sums, const Lesson *lesson, double value) {
    sums[patterns->distinct + lesson->empty] += value;
    for (int at = 0; at < patterns->instances; at++) sums[lesson->filling[at]] += value;
}

static int16_t rounded(double discs) {
    double most = INT16_MAX / (POINT / KEPT_POINT), value = nearbyint(KEPT_POINT * discs);
    return (int16_t)(value > most ? most : value < -most ? -most : value);
}

/* Fit a stage in so many steps: `kept` gets the weights of fillings, then those of empty squares, as a file has them;
   0 where there is too little memory. */
static int fit_stage(const Search *search, const Patterns *patterns, const uint8_t *games, size_t count, int stage,
                     int steps, int16_t *kept, Errors *errors) {
    size_t columns = (size_t)patterns->distinct + BOARD + 1;
    Lessons lessons = {0};
    double *room = calloc(5 * columns, sizeof *room);
    int done = room && lessons_of(search, patterns, games, count, stage, &lessons);
    if (done) {
        double *weights = room, *rest = room + columns, *scale = rest + columns, *step = scale + columns;
        double *image_of = step + columns;
        for (size_t at = 0; at < columns; at++) scale[at] = PENALTY;
        for (size_t at = 0; at < lessons.count; at++) {
            const Lesson *lesson = &lessons.lessons[at];
            if (lesson->is_held_out) continue;
            spread(patterns, rest, lesson, lesson->value);
            spread(patterns, scale, lesson, 1);
        }
        double before = 0;
        for (int made = 0; made < steps; made++) {
            for (size_t at = 0; at < columns; at++) image_of[at] = rest[at] / scale[at];
            double now = dot(rest, image_of, columns), grown = made ? now / before : 0;
            if (now <= 0) break;
            for (size_t at = 0; at < columns; at++) step[at] = image_of[at] + grown * step[at];
            for (size_t at = 0; at < columns; at++) image_of[at] = PENALTY * step[at];
            for (size_t at = 0; at < lessons.count; at++)
                if (!lessons.lessons[at].is_held_out)
                    spread(patterns, image_of, &lessons.lessons[at], foretold(patterns, step, &lessons.lessons[at]));
            double length = now / dot(step, image_of, columns);
            for (size_t at = 0; at < columns; at++)
                weights[at] += length * step[at], rest[at] -= length * image_of[at];
            before = now;
        }
        for (size_t at = 0; at < columns; at++) {
            kept[at] = rounded(weights[at]);
            weights[at] = (double)kept[at] / KEPT_POINT;
        }
        for (size_t at = 0; at < lessons.count; at++) {
            const Lesson *lesson = &lessons.lessons[at];
            double error = foretold(patterns, weights, lesson) - lesson->value;
            if (!lesson->is_own) continue;
            errors->squares[lesson->is_held_out] += error * error, errors->counted[lesson->is_held_out]++;
        }
    }
    free(room), free(lessons.lessons);
    return done;
}

typedef struct {
    uint8_t *bytes;
    size_t length, room;
    int broken;
} Writer;

static void write_byte(Writer *writer, uint8_t byte) {
    if (writer->length == writer->room) {
        size_t room = writer->room ? 2 * writer->room : 1 << 16;
        uint8_t *more = realloc(writer->bytes, room);
        if (!more) {
            writer->broken = 1;
            return;
        }
        writer->bytes = more, writer->room = room;
    }
    writer->bytes[writer->length++] = byte;
}

static void write_number(Writer *writer, uint32_t number) {
    for (; number > 127; number >>= 7) write_byte(writer, (uint8_t)(number | 128));
    write_byte(writer, (uint8_t)number);
}

static void write_weights(Writer *writer, const int16_t *weights, size_t count) {
    for (size_t at = 0; at < count; at++) {
        int weight = weights[at];
        write_number(writer, (uint32_t)(weight < 0 ? -2 * weight - 1 : 2 * weight));
        if (weight) continue;
        size_t zeros = 0;
        while (at + 1 < count && !weights[at + 1]) zeros++, at++;
        write_number(writer, (uint32_t)zeros);
    }
}

/* The file of what `fit_stage` kept of all stages, one after the other; `bytes` is NULL where memory is short. */
static Writer file_of(const Patterns *patterns, int fewest, const int16_t *kept) {
    size_t columns = (size_t)patterns->distinct + BOARD + 1;
    int16_t constants[BOARD + 1];
    Writer writer = {0};
    for (int at = 0; at < 8; at++) write_byte(&writer, (uint8_t)MAGIC[at]);
    write_byte(&writer, (uint8_t)patterns->size), write_byte(&writer, (uint8_t)fewest);
    write_byte(&writer, (uint8_t)patterns->stages), write_byte(&writer, 0);
    int squares = patterns->size * patterns->size;
    for (int empty = 0; empty <= squares; empty++)
        constants[empty] = kept[(size_t)stage_of(patterns, empty) * columns + (size_t)(patterns->distinct + empty)];
    write_weights(&writer, constants, (size_t)squares + 1);
    for (int stage = 0; stage < patterns->stages; stage++)
        write_weights(&writer, kept + (size_t)stage * columns, (size_t)patterns->distinct);
    uint32_t check = fnv(writer.bytes, writer.length);
    for (int at = 0; at < 4; at++) write_byte(&writer, (uint8_t)(check >> 8 * at));
    if (writer.broken) free(writer.bytes), writer.bytes = NULL;
    return writer;
}

#endif
