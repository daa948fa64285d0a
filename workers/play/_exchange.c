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

static void take_turn(Bot *bot, Turn *turn, int stdin_, const char *line, ssize_t size, int wait_ms) {
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

static PyObject *ask(PyObject *Py_UNUSED(self), PyObject *const *args, Py_ssize_t given) {
    Bot bot;
    Turn turn;
    int ready = -1;
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
    turn.got = 0, turn.asleep = 0, turn.answered_ns = turn.rested_ns = turn.rested_clock_ns = -1;
    for (int each = 0; each < count; each++)
        bot.watched[each] = (struct pollfd){.fd = (int)watched[each], .events = POLLIN};
    bot.count = (nfds_t)count;
    Py_BEGIN_ALLOW_THREADS
    if (now_ns(CLOCK_MONOTONIC) <= fresh_until_ns) ready = poll(bot.watched, bot.count, 0);
    if (ready == 0 && (turn.used_ns = used_ns(bot.fields)) < 0) ready = -1;
    if (ready == 0) turn.clock_ns = bot.fields[USAGE] < 0 ? turn.used_ns : now_ns((clockid_t)bot.fields[CLOCK]);
    if (ready == 0) take_turn(&bot, &turn, stdin_, line, size, wait_ms);
    Py_END_ALLOW_THREADS
    if (ready != 0) Py_RETURN_NONE;
    Py_ssize_t got = turn.got < 0 ? 0 : turn.got, length = 0;
    const char *move = plain_move(turn.chunk, got, id, &length);
    return Py_BuildValue("LLny#z#LLLLLLLi", turn.sent_ns, turn.heard_ns, turn.taken < 0 ? 0 : turn.taken,
                         turn.chunk, got, move, length, turn.clock_ns, turn.used_ns,
                         turn.answered_ns, turn.rested_ns, turn.rested_clock_ns, turn.delay_ns,
                         turn.delayed_ns, turn.asleep);
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

static PyMethodDef methods[] = {
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
