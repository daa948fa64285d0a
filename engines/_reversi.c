/* The bitboard arithmetic of `engines.games.reversed_reversi`, compiled, for boards of at most 64 squares.

   The same functions stand there in Python, for machines where this was not built and for larger boards; see
   them for what they mean. Squares beyond the board are the caller's mistake, and shift nothing. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include "rules.h"

enum { MOST = 8 };

typedef struct {
    uint64_t full;
    int shifts[4];
    uint64_t masks[4];
} Geometry;

static Geometry geometries[MOST + 1];

static void prepare(int size) {
    Geometry *geometry = &geometries[size];
    uint64_t first = 0;
    for (int row = 0; row < size; row++) first |= 1ULL << row * size;
    geometry->full = size == MOST ? ~0ULL : (1ULL << size * size) - 1;
    uint64_t inner = geometry->full & ~first & ~(first << (size - 1));
    int shifts[4] = {1, size, size - 1, size + 1};
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

/* The two boards and the numbers after them; 0 with an exception set where they cannot be. */
static int boards(PyObject *const *args, Py_ssize_t given, Py_ssize_t wanted, uint64_t *own, uint64_t *opp,
                  int *last) {
    if (given != wanted) {
        PyErr_Format(PyExc_TypeError, "%zd arguments are needed, not %zd", wanted, given);
        return 0;
    }
    *own = PyLong_AsUnsignedLongLong(args[0]);
    if (*own == (uint64_t)-1 && PyErr_Occurred()) return 0;
    *opp = PyLong_AsUnsignedLongLong(args[1]);
    if (*opp == (uint64_t)-1 && PyErr_Occurred()) return 0;
    long size = PyLong_AsLong(args[wanted - 1]);
    if (size == -1 && PyErr_Occurred()) return 0;
    if (size < 2 || size > MOST) {
        PyErr_SetString(PyExc_ValueError, "a board has 2 to 8 squares a side here");
        return 0;
    }
    *last = (int)size;
    return 1;
}

PyDoc_STRVAR(places_doc, "places(own, opp, size) -> tuple of the squares where a disc may be placed, ascending");

static PyObject *places(PyObject *Py_UNUSED(self), PyObject *const *args, Py_ssize_t given) {
    uint64_t own, opp;
    int size;
    if (!boards(args, given, 3, &own, &opp, &size)) return NULL;
    uint64_t free = placements(own, opp, &geometries[size]);
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

PyDoc_STRVAR(turned_doc, "turned(own, opp, square, size) -> the discs of opp that a disc on square turns over");

static PyObject *turned(PyObject *Py_UNUSED(self), PyObject *const *args, Py_ssize_t given) {
    uint64_t own, opp;
    int size;
    if (!boards(args, given, 4, &own, &opp, &size)) return NULL;
    long square = PyLong_AsLong(args[2]);
    if (square == -1 && PyErr_Occurred()) return NULL;
    if (square < 0 || square >= size * size) return PyLong_FromLong(0);
    return PyLong_FromUnsignedLongLong(flips(own, opp, (int)square, &geometries[size]));
}

static char cell(uint64_t cross, uint64_t nought, int square) {
    return cross >> square & 1 ? 'X' : nought >> square & 1 ? 'O' : '.';
}

PyDoc_STRVAR(rows_doc, "rows(cross, nought, size) -> list of a string a row, X, O or . a square");

static PyObject *rows(PyObject *Py_UNUSED(self), PyObject *const *args, Py_ssize_t given) {
    uint64_t cross, nought;
    int size;
    if (!boards(args, given, 3, &cross, &nought, &size)) return NULL;
    PyObject *list = PyList_New(size);
    for (int row = 0; list && row < size; row++) {
        PyObject *text = PyUnicode_New(size, 127);
        if (!text) {
            Py_CLEAR(list);
            break;
        }
        Py_UCS1 *cells = PyUnicode_1BYTE_DATA(text);
        for (int column = 0; column < size; column++)
            cells[column] = (Py_UCS1)cell(cross, nought, row * size + column);
        PyList_SET_ITEM(list, row, text);
    }
    return list;
}

/* The same rules without Python in between; a pass is the move `size * size`. */

static int legal(const Position *at, int size, uint8_t *moves, int *pass) {
    uint64_t free = placements(at->own, at->opp, &geometries[size]);
    int count = 0;
    *pass = !free && placements(at->opp, at->own, &geometries[size]);
    if (*pass) moves[count++] = (uint8_t)(size * size);
    for (; free; free &= free - 1) moves[count++] = (uint8_t)__builtin_ctzll(free);
    return count;
}

static void play(Position *at, int size, int move) {
    uint64_t own = at->own, opp = at->opp;
    if (move < size * size) {
        uint64_t turned = flips(own, opp, move, &geometries[size]);
        own |= turned | 1ULL << move;
        opp ^= turned;
    }
    *at = (Position){.own = opp, .opp = own, .seat = 1 - at->seat};
}

static char *name(int move, int size, char *text) {
    if (move == size * size) return memcpy(text, "pass", 4), text + 4;
    *text++ = (char)('a' + move % size);
    *text++ = (char)('1' + move / size);
    return text;
}

static char *state(const Position *at, int size, char *text) {
    static const char before[] = "{\"board\":[", after[] = "],\"to_move\":\"";
    uint64_t cross = at->seat ? at->opp : at->own, nought = at->seat ? at->own : at->opp;
    text = (char *)memcpy(text, before, sizeof before - 1) + sizeof before - 1;
    for (int square = 0; square < size * size; square++) {
        if (square % size == 0) *text++ = '"';
        *text++ = cell(cross, nought, square);
        if (square % size == size - 1) *text++ = '"', *text++ = ',';
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
    for (int size = 2; size <= MOST; size++) prepare(size);
    return PyModuleDef_Init(&definition);
}
