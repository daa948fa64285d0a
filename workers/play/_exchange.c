/* A question and its answer over pipes, with all that is measured of them, as quick as the system lets it be.
   `workers.play.session` uses this for what happens nearly always, and does by itself whatever else may
   happen, or everything where this was not built. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "../../engines/rules.h"

enum { MOST_WATCHED = 8, CHUNK = 4096, TEXT = 64, MOST_CHARS = 64 };

#if defined(__x86_64__)
#define READS_STDIN "0 0x0 "
#elif defined(__aarch64__)
#define READS_STDIN "63 0x0 "
#else
#define READS_STDIN "-"
#endif

/* The fields of `workers.sandbox.probe.Probe`, in their order. */
enum { CLOCK, USAGE, WORD, UNIT, CALL, THREADS, CHILDREN, TASKS, LEAST, FIELDS };

typedef struct {
    long fields[FIELDS];
    int schedstat, looks;
    struct pollfd watched[MOST_WATCHED];
    nfds_t count;
} Bot;

typedef struct {
    long long sent_ns, heard_ns, clock_ns, used_ns, answered_ns, rested_ns, rested_clock_ns, delay_ns, delayed_ns;
    ssize_t taken, got;
    int asleep;
    char chunk[CHUNK];
} Turn;

static long long now_ns(clockid_t clock) {
    struct timespec now;
    if (clock_gettime(clock, &now)) return -1;
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* A number in a small file of the kernel, the `word`th from 0; -1 where there is none. */
static long long number(int descriptor, long word) {
    char text[TEXT];
    ssize_t size = descriptor < 0 ? -1 : pread(descriptor, text, sizeof text - 1, 0);
    if (size <= 0) return -1;
    text[size] = 0;
    char *at = text;
    for (; at && word > 0; word--) at = (at = strchr(at, ' ')) ? at + 1 : NULL;
    return at ? strtoll(at, NULL, 10) : -1;
}

static long long used_ns(const long *probe) {
    if (probe[USAGE] < 0) return now_ns((clockid_t)probe[CLOCK]);
    long long used = number((int)probe[USAGE], probe[WORD]);
    return used < 0 ? -1 : used * probe[UNIT];
}

/* As `workers.sandbox.probe.sleeps`: 1 or 0, and -1 while it still runs. */
static int sleeps(const long *probe) {
    char text[16];
    if (probe[CALL] < 0) return 1;
    ssize_t size = pread((int)probe[CALL], text, sizeof text, 0);
    if (size >= 7 && !memcmp(text, "running", 7)) return -1;
    if (size < (ssize_t)strlen(READS_STDIN) || memcmp(text, READS_STDIN, strlen(READS_STDIN))) return 0;
    if (probe[TASKS] >= 0) return number((int)probe[TASKS], 0) == probe[LEAST];
    struct stat threads;
    if (fstat((int)probe[THREADS], &threads) || threads.st_nlink != 3) return 0;
    return probe[CHILDREN] < 0 || !pread((int)probe[CHILDREN], text, 1, 0);
}

/* Whether the bot may be asked: the counters of the host are fresh, nothing has been said unasked, and its
   processor time so far is known, and now in `turn`. */
static int may_ask(Bot *bot, Turn *turn, long long fresh_until_ns) {
    if (now_ns(CLOCK_MONOTONIC) > fresh_until_ns || poll(bot->watched, bot->count, 0)) return 0;
    if ((turn->used_ns = used_ns(bot->fields)) < 0) return 0;
    turn->clock_ns = bot->fields[USAGE] < 0 ? turn->used_ns : now_ns((clockid_t)bot->fields[CLOCK]);
    return 1;
}

static void take_turn(Bot *bot, Turn *turn, int stdin_, const char *line, ssize_t size, int wait_ms) {
    turn->got = 0, turn->asleep = 0, turn->answered_ns = turn->rested_ns = turn->rested_clock_ns = -1;
    turn->delay_ns = turn->delayed_ns = number(bot->schedstat, 1);
    turn->sent_ns = now_ns(CLOCK_MONOTONIC);
    turn->taken = write(stdin_, line, (size_t)size);
    if (turn->taken == size && poll(bot->watched, bot->count, wait_ms) > 0 && bot->watched[0].revents & POLLIN)
        turn->got = read(bot->watched[0].fd, turn->chunk, CHUNK);
    turn->heard_ns = now_ns(CLOCK_MONOTONIC);
    if (turn->got <= 0 || turn->chunk[turn->got - 1] != '\n') return;
    turn->delayed_ns = number(bot->schedstat, 1);
    turn->asleep = sleeps(bot->fields);
    if (turn->asleep < 0) turn->answered_ns = used_ns(bot->fields);
    for (int looks = 0; turn->asleep < 0 && looks < bot->looks; looks++) {
        sched_yield();
        turn->asleep = sleeps(bot->fields);
    }
    turn->rested_ns = used_ns(bot->fields);
    turn->rested_clock_ns = bot->fields[USAGE] < 0 ? turn->rested_ns : now_ns((clockid_t)bot->fields[CLOCK]);
    if (turn->answered_ns < 0) turn->answered_ns = turn->rested_ns;
}

/* Where the text of the move begins in `line`, and its `length`, if the line is an answer to question `id` as
   nearly all are, with its newline: what `bots.protocol.messages` knows as a plain answer. NULL if it is not. */
static const char *plain_move(const char *line, Py_ssize_t size, long long id, Py_ssize_t *length) {
    static const char *const parts[] = {"{\"type\":", "\"move\",", "\"id\":"};
    const char *at = line, *end = line + size;
    for (int part = 0; part < 3; part++) {
        size_t long_ = strlen(parts[part]);
        if (part && at < end && *at == ' ') at++;
        if ((size_t)(end - at) < long_ || memcmp(at, parts[part], long_)) return NULL;
        at += long_;
    }
    if (at < end && *at == ' ') at++;
    const char *digits = at;
    long long told = 0;
    for (; at < end && *at >= '0' && *at <= '9' && at - digits < 10; at++) told = 10 * told + (*at - '0');
    if (at == digits || (*digits == '0' && at - digits > 1) || told != id) return NULL;
    if (at == end || *at++ != ',') return NULL;
    if (at < end && *at == ' ') at++;
    static const char last[] = "\"move\":";
    if (end - at < (Py_ssize_t)sizeof last - 1 || memcmp(at, last, sizeof last - 1)) return NULL;
    at += sizeof last - 1;
    if (at < end && *at == ' ') at++;
    if (at == end || *at++ != '"') return NULL;
    const char *move = at;
    while (at < end && *at >= ' ' && *at <= '~' && *at != '"' && *at != '\\') at++;
    *length = at - move;
    return *length >= 1 && *length <= MOST_CHARS && end - at == 3 && !memcmp(at, "\"}\n", 3) ? move : NULL;
}

static int numbers(PyObject *tuple, long *into, Py_ssize_t least, Py_ssize_t most) {
    Py_ssize_t count = PyTuple_GET_SIZE(tuple);
    if (count < least || count > most) {
        PyErr_Format(PyExc_ValueError, "%zd to %zd numbers are needed, not %zd", least, most, count);
        return -1;
    }
    for (Py_ssize_t each = 0; each < count; each++) {
        into[each] = PyLong_AsLong(PyTuple_GET_ITEM(tuple, each));
        if (into[each] == -1 && PyErr_Occurred()) return -1;
    }
    return (int)count;
}

static void watch(Bot *bot, const long *watched, int count) {
    for (int each = 0; each < count; each++)
        bot->watched[each] = (struct pollfd){.fd = (int)watched[each], .events = POLLIN};
    bot->count = (nfds_t)count;
}

PyDoc_STRVAR(
    ask_doc,
    "ask(stdin, watched, probe, schedstat, looks, fresh_until_ns, line, id, wait_ms) -> turn or None\n\n"
    "Send `line` and read what comes within `wait_ms`. None, and nothing is done, after `fresh_until_ns`, when\n"
    "one of the descriptors `watched` has something to say before the question, or when the processor time\n"
    "cannot be told. A bot that still runs after its answer is let run up to `looks` times.\n\n"
    "The line was handed over at `sent_ns` (of `time.monotonic_ns`), `taken` bytes of it at once, and if that\n"
    "was all, what came to the first descriptor watched, `chunk`, was read at `heard_ns`. The bot had used\n"
    "`used_ns` of processor time before. If `chunk` ends with a newline, it had used `answered_ns` at the\n"
    "answer and `rested_ns` when it had been looked at, -1 if that cannot be told, and `asleep` is 1 if it\n"
    "sleeps, 0 if it does not, -1 if it still runs. What the thread had waited for a processor, as `schedstat`\n"
    "tells it, grew from `delay_ns` to `delayed_ns`. The clock of the bot's first process alone showed\n"
    "`clock_ns` before and `rested_clock_ns` afterwards. Where `chunk` is one line and the answer to question\n"
    "`id` in the usual form, `move` is what it says, else None.");

static PyObject *told(const Turn *turn, long long id) {
    Py_ssize_t got = turn->got < 0 ? 0 : turn->got, length = 0;
    const char *move = plain_move(turn->chunk, got, id, &length);
    return Py_BuildValue("LLny#z#LLLLLLLi", turn->sent_ns, turn->heard_ns, turn->taken < 0 ? 0 : turn->taken,
                         turn->chunk, got, move, length, turn->clock_ns, turn->used_ns,
                         turn->answered_ns, turn->rested_ns, turn->rested_clock_ns, turn->delay_ns,
                         turn->delayed_ns, turn->asleep);
}

static PyObject *ask(PyObject *Py_UNUSED(self), PyObject *const *args, Py_ssize_t given) {
    Bot bot;
    Turn turn;
    long watched[MOST_WATCHED];
    char *line;
    Py_ssize_t size;
    if (given != 9 || !PyTuple_Check(args[1]) || !PyTuple_Check(args[2])) {
        PyErr_SetString(PyExc_TypeError, "9 arguments are needed, the second and the third of them tuples");
        return NULL;
    }
    int stdin_ = (int)PyLong_AsLong(args[0]), wait_ms = (int)PyLong_AsLong(args[8]);
    bot.schedstat = (int)PyLong_AsLong(args[3]);
    bot.looks = (int)PyLong_AsLong(args[4]);
    long long fresh_until_ns = PyLong_AsLongLong(args[5]), id = PyLong_AsLongLong(args[7]);
    if (PyErr_Occurred() || PyBytes_AsStringAndSize(args[6], &line, &size)) return NULL;
    int count = numbers(args[1], watched, 1, MOST_WATCHED);
    if (count < 0 || numbers(args[2], bot.fields, FIELDS, FIELDS) < 0) return NULL;
    watch(&bot, watched, count);
    int asked;
    Py_BEGIN_ALLOW_THREADS
    if ((asked = may_ask(&bot, &turn, fresh_until_ns))) take_turn(&bot, &turn, stdin_, line, size, wait_ms);
    Py_END_ALLOW_THREADS
    if (!asked) Py_RETURN_NONE;
    return told(&turn, id);
}

PyDoc_STRVAR(move_of_doc, "move_of(line, id) -> str or None\n\n"
                         "What the plain answer `line`, with its newline, to question `id` says; None if it is no such line.");

static PyObject *move_of(PyObject *Py_UNUSED(self), PyObject *args) {
    const char *line;
    Py_ssize_t size, length = 0;
    long long id;
    if (!PyArg_ParseTuple(args, "y#L", &line, &size, &id)) return NULL;
    const char *move = plain_move(line, size, id, &length);
    return Py_BuildValue("z#", move, length);
}

/* Many plies in which nothing is unusual. */

enum { MOST_ROWS = 128, MOST_HISTORY = 4096, LINE = 2 * MOST_HISTORY, NAME = MOST_NAME + 4 };

/* What is kept of a side, and how much is left of its limits. After a ply what is known of the last one is there. */
typedef struct {
    Bot bot;
    int stdin_;
    long long fresh_until_ns, clock_ns, rested_ns, owed_ns, last_ns; /* the last is what its last answer was charged */
    long long wall_left_ns, cpu_left_ns, output_left;
    long long used_ns, delay_ns, answered_ns, plies, wall_ns, cpu_ns, output;
    const char *ledger; /* its clock as it is shown, up to what its last answer took */
    Py_ssize_t ledger_size;
} Side;

typedef struct {
    int seat, asked, length;
    long long wall_ns, cpu_ns, lag_ns, off_turn_ns;
    char name[NAME];
} Row;

typedef struct {
    const Rules *rules;
    Position position;
    int size, count, unfinished;
    long ply;
    uint64_t ids;
    long long id, move_ns, most_wall_ns, most_strayed_ns, line_bytes;
    Side sides[2];
    Row rows[MOST_ROWS];
    Turn turn;
    Py_ssize_t history_size, line_size;
    char history[MOST_HISTORY], line[LINE];
} Run;

/* As `engines.stream.mix`. */
static uint64_t next_word(uint64_t word) {
    word += 0x9E3779B97F4A7C15;
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB;
    return word ^ (word >> 31);
}

static char *put(char *at, const char *text, size_t size) { return (char *)memcpy(at, text, size) + size; }
#define PUT(at, text) put(at, text, sizeof text - 1)

static char *put_number(char *at, long long value) {
    char digits[24];
    int count = 0;
    do digits[count++] = (char)('0' + value % 10);
    while (value /= 10);
    while (count) *at++ = digits[--count];
    return at;
}

static void write_line(Run *run, const Side *side, char names[][NAME], const int *lengths, int count) {
    char *at = PUT(run->line, "{\"type\":\"move\",\"id\":");
    at = PUT(put_number(at, run->id), ",\"ply\":");
    at = PUT(put_number(at, run->ply), ",\"state\":");
    at = PUT(run->rules->state(&run->position, run->size, at), ",\"legal\":[");
    for (int each = 0; each < count; each++) {
        if (each) *at++ = ',';
        *at++ = '"';
        at = put(at, names[each], (size_t)lengths[each]);
        *at++ = '"';
    }
    at = PUT(at, "],\"history\":[");
    at = PUT(put(at, run->history, (size_t)run->history_size), "],\"time\":");
    at = put(at, side->ledger, (size_t)side->ledger_size);
    at = PUT(put_number(at, side->last_ns / 1000000), "}}\n");
    run->line_size = at - run->line;
}

static Row *note(Run *run, int move, const char *name, int length) {
    Row *row = &run->rows[run->count++];
    *row = (Row){.seat = run->position.seat, .length = length};
    memcpy(row->name, name, (size_t)length);
    char *at = run->history + run->history_size;
    if (run->history_size) *at++ = ',';
    *at++ = '"';
    at = put(at, name, (size_t)length);
    *at++ = '"';
    run->history_size = at - run->history;
    run->rules->play(&run->position, run->size, move);
    run->ply++;
    return row;
}

/* Book a turn, if all is as it nearly always is; 0 where it is for others to say what comes of it. */
static int booked(Run *run, Side *side, long long off_turn, const uint8_t *moves, char names[][NAME],
                  const int *lengths, int count) {
    const Turn *turn = &run->turn;
    long long wall = turn->heard_ns - turn->sent_ns, cpu = turn->answered_ns - turn->used_ns, charged = wall + off_turn;
    Py_ssize_t length = 0;
    const char *told = turn->got > 0 ? plain_move(turn->chunk, turn->got, run->id, &length) : NULL;
    if (!told || turn->asleep != 1 || turn->rested_ns < 0 || wall > run->most_wall_ns || charged > run->move_ns ||
        cpu < 0 || turn->got - 1 > run->line_bytes || turn->got > side->output_left - side->output ||
        side->wall_ns + wall >= side->wall_left_ns || side->cpu_ns + cpu + off_turn >= side->cpu_left_ns)
        return 0;
    int chosen = 0;
    while (chosen < count && (lengths[chosen] != length || memcmp(names[chosen], told, (size_t)length))) chosen++;
    if (chosen == count) return 0;
    side->plies++;
    side->wall_ns += wall, side->cpu_ns += cpu + off_turn, side->output += turn->got, side->last_ns = charged;
    side->used_ns = turn->used_ns, side->delay_ns = turn->delay_ns, side->answered_ns = turn->answered_ns;
    side->owed_ns = turn->rested_ns - turn->answered_ns;
    side->rested_ns = turn->rested_ns, side->clock_ns = turn->rested_clock_ns;
    Row *row = note(run, moves[chosen], names[chosen], lengths[chosen]);
    row->asked = 1, row->wall_ns = wall, row->cpu_ns = cpu, row->off_turn_ns = off_turn;
    row->lag_ns = turn->delayed_ns - turn->delay_ns;
    return 1;
}

/* Play on until something is unusual. A question whose answer is not booked is `unfinished`, all others were not asked. */
static void play_on(Run *run) {
    uint8_t moves[MOST_MOVES];
    char names[MOST_MOVES][NAME];
    int lengths[MOST_MOVES], pass, count;
    while (run->count < MOST_ROWS && run->history_size < MOST_HISTORY - MOST_NAME - 4 &&
           (count = run->rules->legal(&run->position, run->size, moves, &pass))) {
        for (int each = 0; each < count; each++)
            lengths[each] = (int)(run->rules->name(moves[each], run->size, names[each]) - names[each]);
        if (pass) {
            note(run, moves[0], names[0], lengths[0]);
            continue;
        }
        Side *side = &run->sides[run->position.seat];
        Turn *turn = &run->turn;
        if (!may_ask(&side->bot, turn, side->fresh_until_ns)) return;
        if (side->bot.fields[CALL] >= 0 && turn->clock_ns != side->clock_ns) return;
        long long strayed = turn->used_ns - side->rested_ns, off_turn = side->owed_ns + (strayed > 0 ? strayed : 0);
        if (off_turn > run->most_strayed_ns) return;
        run->id = (long long)(next_word(run->ids) >> 34);
        run->ids += 0x9E3779B97F4A7C15;
        write_line(run, side, names, lengths, count);
        take_turn(&side->bot, turn, side->stdin_, run->line, run->line_size, 1);
        if (!booked(run, side, off_turn, moves, names, lengths, count)) {
            run->unfinished = 1;
            return;
        }
    }
}

static int side_of(PyObject *told, Side *side) {
    PyObject *watched, *probe;
    long descriptors[MOST_WATCHED];
    if (!PyArg_ParseTuple(told, "iO!O!iiLLLLLLLLy#", &side->stdin_, &PyTuple_Type, &watched, &PyTuple_Type, &probe,
                          &side->bot.schedstat, &side->bot.looks, &side->fresh_until_ns, &side->clock_ns, &side->rested_ns,
                          &side->owed_ns, &side->wall_left_ns, &side->cpu_left_ns, &side->output_left, &side->last_ns,
                          &side->ledger, &side->ledger_size))
        return -1;
    if (side->ledger_size > MOST_STATE) {
        PyErr_SetString(PyExc_ValueError, "the ledger is too long");
        return -1;
    }
    int count = numbers(watched, descriptors, 1, MOST_WATCHED);
    if (count < 0 || numbers(probe, side->bot.fields, FIELDS, FIELDS) < 0) return -1;
    watch(&side->bot, descriptors, count);
    return 0;
}

static PyObject *rows_of(const Run *run) {
    PyObject *rows = PyList_New(run->count);
    for (int each = 0; rows && each < run->count; each++) {
        const Row *row = &run->rows[each];
        PyObject *told = Py_BuildValue("is#OLLLL", row->seat, row->name, (Py_ssize_t)row->length,
                                       row->asked ? Py_True : Py_False, row->wall_ns, row->cpu_ns, row->lag_ns,
                                       row->off_turn_ns);
        if (!told) Py_CLEAR(rows);
        else PyList_SET_ITEM(rows, each, told);
    }
    return rows;
}

static PyObject *side_told(const Side *side) {
    return Py_BuildValue("LLLLLLLLL", side->plies, side->used_ns, side->delay_ns, side->answered_ns, side->rested_ns,
                         side->clock_ns, side->wall_ns, side->cpu_ns, side->output);
}

PyDoc_STRVAR(
    run_doc,
    "run(rules, size, position, ids, ply, history, limits, sides) -> rows, position, ids, told, question\n\n"
    "Play plies as long as nothing is unusual, by the `rules` in a capsule (`engines/rules.h`), from a `position`\n"
    "(own, opp, seat) at `ply`, after a `history` (texts in quotation marks, with commas). `ids` is the state of the stream\n"
    "of requests' numbers. `limits` are what an answer may be charged, how long it may take here, how much a bot may\n"
    "have used since its last turn, and the bytes of a line.\n\n"
    "Each of two `sides` is stdin, watched, probe, schedstat, looks and fresh_until_ns as for `ask`; where the clock of\n"
    "its first process stood and what the bot had used when it came to rest, and what it owes since; what is left to it\n"
    "of wall time, processor time and bytes; what its last answer was charged; its ledger as JSON without the last number.\n\n"
    "A row is seat, move, whether it was asked, wall, cpu, lag and off-turn time. Of each side is told how many plies\n"
    "it had; used_ns, delay_ns, answered_ns, rested_ns and rested_clock_ns of the last; the sums of wall and processor\n"
    "time, and the bytes. `question` is a question whose answer is for others to judge, its number, its line, and\n"
    "what `ask` would return for it; else None, and nothing was asked but what is in the rows. All times in nanoseconds.");

static PyObject *run(PyObject *Py_UNUSED(self), PyObject *args) {
    PyObject *capsule, *one, *other, *result = NULL;
    const char *history;
    unsigned long long own, opp, ids;
    Run *run = PyMem_Calloc(1, sizeof *run);
    if (!run) return PyErr_NoMemory();
    if (!PyArg_ParseTuple(args, "Oi(KKi)Kly#(LLLL)(O!O!)", &capsule, &run->size, &own, &opp, &run->position.seat, &ids,
                          &run->ply, &history, &run->history_size, &run->move_ns, &run->most_wall_ns,
                          &run->most_strayed_ns, &run->line_bytes, &PyTuple_Type, &one, &PyTuple_Type, &other) ||
        !(run->rules = PyCapsule_GetPointer(capsule, RULES_CAPSULE)) || side_of(one, &run->sides[0]) ||
        side_of(other, &run->sides[1]))
        goto done;
    run->position.own = own, run->position.opp = opp, run->position.seat &= 1, run->ids = ids;
    if (run->history_size < MOST_HISTORY) {
        memcpy(run->history, history, (size_t)run->history_size);
        Py_BEGIN_ALLOW_THREADS
        play_on(run);
        Py_END_ALLOW_THREADS
    }
    PyObject *question = Py_NewRef(Py_None);
    if (run->unfinished)
        Py_SETREF(question, Py_BuildValue("Ly#N", run->id, run->line, run->line_size, told(&run->turn, run->id)));
    result = Py_BuildValue("N(KKi)K(NN)N", rows_of(run), run->position.own, run->position.opp, run->position.seat,
                           run->ids, side_told(&run->sides[0]), side_told(&run->sides[1]), question);
done:
    PyMem_Free(run);
    return result;
}

static PyMethodDef methods[] = {
    {"run", run, METH_VARARGS, run_doc},
    {"ask", (PyCFunction)(void (*)(void))ask, METH_FASTCALL, ask_doc},
    {"move_of", move_of, METH_VARARGS, move_of_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "workers.play._exchange",
    .m_doc = "A question and its answer over pipes.",
    .m_size = 0,
    .m_methods = methods,
};

PyMODINIT_FUNC PyInit__exchange(void) { return PyModuleDef_Init(&definition); }
