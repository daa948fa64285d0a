/* `engines.strategies.reversi_training`, compiled: games of players with themselves and weights fitted to them, for Python. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include "reversi_training.h"

enum { MEMORY = 1 << 21 };  /* of the tables of what was searched and solved, which every game begins without */

/* A player with these weights; what it has is to be given back by `free_player`, also where 0 is returned, an
   exception being set. */
static int make_player(Player *player, int size, int reversed, const Py_buffer *weights, int depth, int solved) {
    *player = (Player){.depth = depth, .solved = solved};
    if (size != 4 && size != 6 && size != 8)
        return PyErr_Format(PyExc_ValueError, "patterns are those of boards with 4, 6 or 8 rows, not %d", size), 0;
    if (depth < 1 || depth > 20 || solved < 0 || solved > 20)
        return PyErr_SetString(PyExc_ValueError, "depth is 1 to 20, and solved 0 to 20 squares"), 0;
    player->patterns = new_patterns(size);
    if (player->patterns && weights && weights->buf) {
        player->weights = weights_in(player->patterns, reversed, weights->buf, (size_t)weights->len);
        if (!player->weights)
            return PyErr_SetString(PyExc_ValueError, "these are no weights for this board and rule, or they are damaged"), 0;
    }
    if (player->patterns) player->midgame = new_midgame(size, reversed, player->patterns, player->weights, MEMORY);
    return player->midgame ? 1 : (PyErr_NoMemory(), 0);
}

static void free_player(Player *player) {
    free_midgame(player->midgame), free_weights(player->weights), free_patterns(player->patterns);
}

PyDoc_STRVAR(play_doc, "play(size, reversed, weights, seed, first, games, depth, solved) -> bytes");

static PyObject *play(PyObject *Py_UNUSED(module), PyObject *args) {
    int size, reversed, games, depth, solved;
    unsigned long long seed, first;
    Py_buffer weights = {0};
    Player player = {0};
    PyObject *records = NULL;
    if (!PyArg_ParseTuple(args, "ipz*KKiii", &size, &reversed, &weights, &seed, &first, &games, &depth, &solved))
        return NULL;
    if (games < 0)
        PyErr_SetString(PyExc_ValueError, "there are no fewer than 0 games");
    else if (make_player(&player, size, reversed, &weights, depth, solved))
        records = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)RECORD * games);
    if (records) {
        uint8_t *bytes = (uint8_t *)PyBytes_AS_STRING(records);
        Py_BEGIN_ALLOW_THREADS
        for (int game = 0; game < games; game++)
            play_game(&player, seed, first + (uint64_t)game, bytes + (size_t)RECORD * (size_t)game);
        Py_END_ALLOW_THREADS
    }
    free_player(&player);
    PyBuffer_Release(&weights);
    return records;
}

PyDoc_STRVAR(match_doc,
             "match(size, reversed, weights_a, weights_b, seed, first, games, depth, solved) -> twice the points of a");

static PyObject *match(PyObject *Py_UNUSED(module), PyObject *args) {
    int size, reversed, games, depth, solved, points = 0;
    unsigned long long seed, first;
    Py_buffer weights[2] = {{0}, {0}};
    Player players[2] = {{0}, {0}};
    if (!PyArg_ParseTuple(args, "ipz*z*KKiii", &size, &reversed, &weights[0], &weights[1], &seed, &first, &games,
                          &depth, &solved))
        return NULL;
    int ready = make_player(&players[0], size, reversed, &weights[0], depth, solved) &&
                make_player(&players[1], size, reversed, &weights[1], depth, solved);
    if (ready) {
        Py_BEGIN_ALLOW_THREADS
        for (int game = 0; game < games; game++) points += play_pair(players, seed, first + (uint64_t)game);
        Py_END_ALLOW_THREADS
    }
    for (int at = 0; at < 2; at++) free_player(&players[at]), PyBuffer_Release(&weights[at]);
    return ready ? PyLong_FromLong(points) : NULL;
}

/* Whether all games are such of that board, so that none leads outside it. */
static int are_games(const Search *search, const uint8_t *games, size_t count) {
    for (size_t game = 0; game < count; game++) {
        const uint8_t *record = games + RECORD * game;
        Position position = start_of(search);
        int going = 1;
        if (record[MADE] > search->squares - 4 || record[OPENING] > record[MADE]) return 0;
        for (int ply = 0; ply < record[MADE]; ply++) {
            int square = record[ply];
            if (!going || square >= SQUARES || !(places_of(search, position.own, position.opp) >> square & 1)) return 0;
            going = place(search, &position, square);
        }
        if (going || ended(search, &position) != (int8_t)record[ENDED]) return 0;
    }
    return 1;
}

PyDoc_STRVAR(are_games_doc, "are_games(size, reversed, games) -> whether each can be played and ends as it says");

static PyObject *said_to_be_games(PyObject *Py_UNUSED(module), PyObject *args) {
    int size, reversed, are = 0;
    Py_buffer games = {0};
    if (!PyArg_ParseTuple(args, "ipy*", &size, &reversed, &games)) return NULL;
    Search *search = new_search(size, size, reversed, sizeof(Bucket));
    if (search) are = games.len % RECORD == 0 && are_games(search, games.buf, (size_t)games.len / RECORD);
    PyBuffer_Release(&games);
    if (!search) return PyErr_NoMemory();
    free_search(search);
    return PyBool_FromLong(are);
}

PyDoc_STRVAR(fit_doc, "fit(size, reversed, games, stage, steps) -> (kept, error taught, taught, error held out, held out)");

static PyObject *fit(PyObject *Py_UNUSED(module), PyObject *args) {
    int size, reversed, stage, steps, fitted = 0;
    Py_buffer games = {0};
    Player player = {0};
    PyObject *kept = NULL;
    Errors errors = {0};
    if (!PyArg_ParseTuple(args, "ipy*ii", &size, &reversed, &games, &stage, &steps)) return NULL;
    if (make_player(&player, size, reversed, NULL, 1, 0)) {
        size_t count = (size_t)games.len / RECORD, columns = (size_t)player.patterns->distinct + BOARD + 1;
        if (stage < 0 || stage >= player.patterns->stages || steps < 1)
            PyErr_Format(PyExc_ValueError, "the stages are 0 to %d, and the steps 1 or more", player.patterns->stages - 1);
        else if (games.len % RECORD || !are_games(player.midgame->search, games.buf, count))
            PyErr_SetString(PyExc_ValueError, "these are no games of this board and rule");
        else
            kept = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(columns * sizeof(int16_t)));
        if (kept) {
            int16_t *weights = (int16_t *)(void *)PyBytes_AS_STRING(kept);
            Py_BEGIN_ALLOW_THREADS
            fitted = fit_stage(player.midgame->search, player.patterns, games.buf, count, stage, steps, weights, &errors);
            Py_END_ALLOW_THREADS
            if (!fitted) PyErr_NoMemory();
        }
    }
    free_player(&player);
    PyBuffer_Release(&games);
    if (!fitted) {
        Py_XDECREF(kept);
        return NULL;
    }
    return Py_BuildValue("NdKdK", kept, errors.squares[0], (unsigned long long)errors.counted[0], errors.squares[1],
                         (unsigned long long)errors.counted[1]);
}

PyDoc_STRVAR(file_doc, "file(size, reversed, kept) -> bytes");

static PyObject *file(PyObject *Py_UNUSED(module), PyObject *args) {
    int size, reversed;
    Py_buffer kept = {0};
    Player player = {0};
    PyObject *made = NULL;
    if (!PyArg_ParseTuple(args, "ipy*", &size, &reversed, &kept)) return NULL;
    if (make_player(&player, size, reversed, NULL, 1, 0)) {
        size_t columns = (size_t)player.patterns->distinct + BOARD + 1;
        if ((size_t)kept.len != columns * (size_t)player.patterns->stages * sizeof(int16_t)) {
            PyErr_SetString(PyExc_ValueError, "these are not the weights of all stages");
        } else {
            Writer written = file_of(player.patterns, reversed, kept.buf);
            made = written.bytes ? PyBytes_FromStringAndSize((char *)written.bytes, (Py_ssize_t)written.length)
                                 : PyErr_NoMemory();
            free(written.bytes);
        }
    }
    free_player(&player);
    PyBuffer_Release(&kept);
    return made;
}

PyDoc_STRVAR(stages_doc, "stages(size) -> how many stages a game has");

static PyObject *stages(PyObject *Py_UNUSED(module), PyObject *args) {
    int size;
    Player player = {0};
    PyObject *count = NULL;
    if (!PyArg_ParseTuple(args, "i", &size)) return NULL;
    if (make_player(&player, size, 0, NULL, 1, 0)) count = PyLong_FromLong(player.patterns->stages);
    free_player(&player);
    return count;
}

static PyMethodDef functions[] = {
    {"play", play, METH_VARARGS, play_doc},       {"match", match, METH_VARARGS, match_doc},
    {"fit", fit, METH_VARARGS, fit_doc},          {"file", file, METH_VARARGS, file_doc},
    {"stages", stages, METH_VARARGS, stages_doc}, {"are_games", said_to_be_games, METH_VARARGS, are_games_doc},
    {NULL, NULL, 0, NULL},
};

static int add_constants(PyObject *module) { return PyModule_AddIntMacro(module, RECORD); }

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)add_constants}, {0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "engines._training",
    .m_doc = "Weights of patterns of Reversi learned from games of a player with itself.",
    .m_size = 0,
    .m_methods = functions,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__training(void) {
    prepare();
    return PyModuleDef_Init(&definition);
}
