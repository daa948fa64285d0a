/* The bitboard arithmetic of Reversi (`engines/bitboards.py`), compiled, for boards of at most 64 squares.

   The same functions stand there in Python, for machines where this was not built and for larger boards; see
   them for what they mean. `shape`, the number of a board, is that of `engines/games/reversed_reversi.py`.
   Squares beyond the board are the caller's mistake, and shift nothing. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include "rules.h"

enum { LEAST = 2, MOST = 8, ROW = 16, SHAPES = ROW * MOST + MOST + 1 };

typedef struct {
    int columns, rows, squares;
    uint64_t full;
    int shifts[4];
    uint64_t masks[4];
} Geometry;

static Geometry geometries[SHAPES];

static void prepare(int columns, int rows) {
    Geometry *geometry = &geometries[ROW * rows + columns];
    uint64_t first = 0;
    for (int row = 0; row < rows; row++) first |= 1ULL << row * columns;
    geometry->columns = columns, geometry->rows = rows, geometry->squares = columns * rows;
    geometry->full = ~0ULL >> (64 - columns * rows);
    uint64_t inner = geometry->full & ~first & ~(first << (columns - 1));
    int shifts[4] = {1, columns, columns - 1, columns + 1};
    for (int each = 0; each < 4; each++) {
        geometry->shifts[each] = shifts[each];
        geometry->masks[each] = each == 1 ? geometry->full : inner;
    }
}

static uint64_t placements(uint64_t own, uint64_t opp, const Geometry *geometry) {
    uint64_t squares = 0;
    for (int each = 0; each < 4; each++) {
        int shift = geometry->shifts[each];
        uint64_t inside = opp & geometry->masks[each];
        uint64_t run = (own << shift) & inside;
        while (run) {
            run <<= shift;
            squares |= run;
            run &= inside;
        }
        run = (own >> shift) & inside;
        while (run) {
            run >>= shift;
            squares |= run;
            run &= inside;
        }
    }
    return squares & geometry->full & ~(own | opp);
}

static uint64_t flips(uint64_t own, uint64_t opp, int square, const Geometry *geometry) {
    uint64_t disc = 1ULL << square, turned = 0;
    for (int each = 0; each < 4; each++) {
        int shift = geometry->shifts[each];
        uint64_t inside = opp & geometry->masks[each], line = 0, step;
        for (step = (disc << shift) & inside; step; step &= inside) {
            line |= step;
            step <<= shift;
            if (step & own) {
                turned |= line;
                break;
            }
        }
        line = 0;
        for (step = (disc >> shift) & inside; step; step &= inside) {
            line |= step;
            step >>= shift;
            if (step & own) {
                turned |= line;
                break;
            }
        }
    }
    return turned;
}

/* The two boards, and the geometry of the shape that comes last; NULL with an exception set where they cannot be. */
static const Geometry *boards(PyObject *const *args, Py_ssize_t given, Py_ssize_t wanted, uint64_t *own,
                              uint64_t *opp) {
    if (given != wanted) {
        PyErr_Format(PyExc_TypeError, "%zd arguments are needed, not %zd", wanted, given);
        return NULL;
    }
    *own = PyLong_AsUnsignedLongLong(args[0]);
    if (*own == (uint64_t)-1 && PyErr_Occurred()) return NULL;
    *opp = PyLong_AsUnsignedLongLong(args[1]);
    if (*opp == (uint64_t)-1 && PyErr_Occurred()) return NULL;
    long shape = PyLong_AsLong(args[wanted - 1]);
    if (shape == -1 && PyErr_Occurred()) return NULL;
    if (shape < 0 || shape >= SHAPES || !geometries[shape].squares) {
        PyErr_SetString(PyExc_ValueError, "a board has 2 to 8 squares a side here");
        return NULL;
    }
    return &geometries[shape];
}

PyDoc_STRVAR(places_doc, "places(own, opp, shape) -> tuple of the squares where a disc may be placed, ascending");

static PyObject *places(PyObject *Py_UNUSED(self), PyObject *const *args, Py_ssize_t given) {
    uint64_t own, opp;
    const Geometry *board = boards(args, given, 3, &own, &opp);
    if (!board) return NULL;
    uint64_t free = placements(own, opp, board);
    PyObject *squares = PyTuple_New(__builtin_popcountll(free));
    for (Py_ssize_t at = 0; squares && free; at++, free &= free - 1) {
        PyObject *square = PyLong_FromLong(__builtin_ctzll(free));
        if (!square) {
            Py_CLEAR(squares);
            break;
        }
        PyTuple_SET_ITEM(squares, at, square);
    }
    return squares;
}

PyDoc_STRVAR(turned_doc, "turned(own, opp, square, shape) -> the discs of opp that a disc on square turns over");

static PyObject *turned(PyObject *Py_UNUSED(self), PyObject *const *args, Py_ssize_t given) {
    uint64_t own, opp;
    const Geometry *board = boards(args, given, 4, &own, &opp);
    if (!board) return NULL;
    long square = PyLong_AsLong(args[2]);
    if (square == -1 && PyErr_Occurred()) return NULL;
    if (square < 0 || square >= board->squares) return PyLong_FromLong(0);
    return PyLong_FromUnsignedLongLong(flips(own, opp, (int)square, board));
}

static char cell(uint64_t cross, uint64_t nought, int square) {
    return cross >> square & 1 ? 'X' : nought >> square & 1 ? 'O' : '.';
}

PyDoc_STRVAR(rows_doc, "rows(cross, nought, shape) -> list of a string a row, X, O or . a square");

static PyObject *rows(PyObject *Py_UNUSED(self), PyObject *const *args, Py_ssize_t given) {
    uint64_t cross, nought;
    const Geometry *board = boards(args, given, 3, &cross, &nought);
    if (!board) return NULL;
    PyObject *list = PyList_New(board->rows);
    for (int row = 0; list && row < board->rows; row++) {
        PyObject *text = PyUnicode_New(board->columns, 127);
        if (!text) {
            Py_CLEAR(list);
            break;
        }
        Py_UCS1 *cells = PyUnicode_1BYTE_DATA(text);
        for (int column = 0; column < board->columns; column++)
            cells[column] = (Py_UCS1)cell(cross, nought, row * board->columns + column);
        PyList_SET_ITEM(list, row, text);
    }
    return list;
}

/* The same rules without Python in between; a pass is the move after the last square. */

static int legal(const Position *at, int shape, uint8_t *moves, int *pass) {
    const Geometry *board = &geometries[shape];
    uint64_t free = placements(at->own, at->opp, board);
    int count = 0;
    *pass = !free && placements(at->opp, at->own, board);
    if (*pass) moves[count++] = (uint8_t)board->squares;
    for (; free; free &= free - 1) moves[count++] = (uint8_t)__builtin_ctzll(free);
    return count;
}

static void play(Position *at, int shape, int move) {
    const Geometry *board = &geometries[shape];
    uint64_t own = at->own, opp = at->opp;
    if (move < board->squares) {
        uint64_t turned = flips(own, opp, move, board);
        own |= turned | 1ULL << move;
        opp ^= turned;
    }
    *at = (Position){.own = opp, .opp = own, .seat = 1 - at->seat};
}

static char *name(int move, int shape, char *text) {
    const Geometry *board = &geometries[shape];
    if (move == board->squares) return memcpy(text, "pass", 4), text + 4;
    *text++ = (char)('a' + move % board->columns);
    *text++ = (char)('1' + move / board->columns);
    return text;
}

static char *state(const Position *at, int shape, char *text) {
    static const char before[] = "{\"board\":[", after[] = "],\"to_move\":\"";
    const Geometry *board = &geometries[shape];
    uint64_t cross = at->seat ? at->opp : at->own, nought = at->seat ? at->own : at->opp;
    text = (char *)memcpy(text, before, sizeof before - 1) + sizeof before - 1;
    for (int square = 0; square < board->squares; square++) {
        if (square % board->columns == 0) *text++ = '"';
        *text++ = cell(cross, nought, square);
        if (square % board->columns == board->columns - 1) *text++ = '"', *text++ = ',';
    }
    text = (char *)memcpy(text - 1, after, sizeof after - 1) + sizeof after - 1;
    *text++ = at->seat ? 'O' : 'X', *text++ = '"', *text++ = '}';
    return text;
}

static const Rules compiled_rules = {legal, play, name, state};

static int add_rules(PyObject *module) {
    PyObject *capsule = PyCapsule_New((void *)&compiled_rules, RULES_CAPSULE, NULL);
    int failed = PyModule_AddObjectRef(module, "rules", capsule);
    Py_XDECREF(capsule);
    return failed;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)add_rules}, {0, NULL}};

static PyMethodDef methods[] = {
    {"places", (PyCFunction)(void (*)(void))places, METH_FASTCALL, places_doc},
    {"turned", (PyCFunction)(void (*)(void))turned, METH_FASTCALL, turned_doc},
    {"rows", (PyCFunction)(void (*)(void))rows, METH_FASTCALL, rows_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "engines._reversi",
    .m_doc = "Bitboard arithmetic of Reversi.",
    .m_size = 0,
    .m_methods = methods,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__reversi(void) {
    for (int rows = LEAST; rows <= MOST; rows++)
        for (int columns = LEAST; columns <= MOST; columns++) prepare(columns, rows);
    return PyModuleDef_Init(&definition);
}
