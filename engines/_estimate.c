/* `engines.solvers.reversi_estimate`, compiled: the search of `reversi_midgame.h` to a fixed depth as a type of Python's. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdatomic.h>
#include "python_boards.h"
#include "reversi_midgame.h"

enum { MEMORY = 1 << 23 };  /* of the tables of what was searched and solved; the first is emptied for each position */

typedef struct {
    PyObject_HEAD
    Patterns *patterns;
    Weights *weights;
    Midgame *midgame;
    atomic_flag busy;
} EstimatorObject;

static void dispose(EstimatorObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    free_midgame(self->midgame), free_weights(self->weights), free_patterns(self->patterns);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyObject *create(PyTypeObject *type, PyObject *args, PyObject *named) {
    int size, reversed;
    Py_buffer bytes;
    static char *names[] = {"size", "reversed", "weights", NULL};
    if (!PyArg_ParseTupleAndKeywords(args, named, "ipy*", names, &size, &reversed, &bytes)) return NULL;
    EstimatorObject *self = NULL;
    if (size != 4 && size != 6 && size != 8)
        PyErr_Format(PyExc_ValueError, "patterns are those of boards with 4, 6 or 8 rows, not %d", size);
    else if ((self = (EstimatorObject *)type->tp_alloc(type, 0))) {
        atomic_flag_clear(&self->busy);
        self->patterns = new_patterns(size);
        if (self->patterns) self->weights = weights_in(self->patterns, reversed, bytes.buf, (size_t)bytes.len);
        if (self->weights) self->midgame = new_midgame(size, reversed, self->patterns, self->weights, MEMORY);
        if (self->patterns && !self->weights)
            PyErr_SetString(PyExc_ValueError, "these are no weights for this board and rule, or they are damaged");
        else if (!self->midgame)
            PyErr_NoMemory();
        if (PyErr_Occurred()) Py_CLEAR(self);
    }
    PyBuffer_Release(&bytes);
    return (PyObject *)self;
}

typedef struct {
    int value, move, played;
} Estimate;

/* The value of a position, its best move, and the value of the move `square`, if one is given, never more than the best one's: that
   no move has more is what the search for it has found out. */
static Estimate estimated(Midgame *midgame, uint64_t own, uint64_t opp, int depth, int square) {
    Estimate found;
    forget(midgame);
    found.value = found.played = midgame_value(midgame, own, opp, depth, &found.move);
    if (square == NO_MOVE || square == found.move) return found;
    Stand stand = stand_of(midgame, own, opp), after;
    follow_plain(midgame, &stand, square, &after);
    int value = -deep(midgame, &after, (depth < stand.left ? depth : stand.left) - 1, -found.value, FAR);
    if (value < found.value) found.played = value;
    return found;
}

PyDoc_STRVAR(value_doc, "value(own, opp, depth, played) -> (value, best move, value of the move played), in discs");

static PyObject *value(EstimatorObject *self, PyObject *const *args, Py_ssize_t given) {
    const Search *search = self->midgame->search;
    uint64_t own, opp;
    if (given != 4) return PyErr_Format(PyExc_TypeError, "4 arguments are needed, not %zd", given);
    if (!read_position(search, args, &own, &opp)) return NULL;
    long depth = PyLong_AsLong(args[2]);
    if (depth == -1 && PyErr_Occurred()) return NULL;
    if (depth < 1) return PyErr_Format(PyExc_ValueError, "a search is at least 1 ply deep, not %ld", depth);
    if (depth > SQUARES) depth = SQUARES;
    Stand stand = stand_of(self->midgame, own, opp);
    if (!stand.places) return PyErr_Format(PyExc_ValueError, "the side to move has no move");
    int square = NO_MOVE;
    if (args[3] != Py_None) {
        long at = PyLong_AsLong(args[3]);
        if (at == -1 && PyErr_Occurred()) return NULL;
        int inside = 0 <= at && at < search->squares;
        if (inside) square = (int)at / search->columns * WIDTH + (int)at % search->columns;
        if (!inside || !(stand.places >> square & 1))
            return PyErr_Format(PyExc_ValueError, "a disc cannot be placed on square %ld", at);
    }
    if (atomic_flag_test_and_set(&self->busy))
        return PyErr_Format(PyExc_RuntimeError, "this search is at work in another thread; make one for each");
    Estimate found;
    Py_BEGIN_ALLOW_THREADS
    found = estimated(self->midgame, own, opp, (int)depth, square);
    Py_END_ALLOW_THREADS
    atomic_flag_clear(&self->busy);
    PyObject *move = move_of(search, found.move);
    if (!move) return NULL;
    return Py_BuildValue("dNd", (double)found.value / POINT, move, (double)found.played / POINT);
}

static PyMethodDef methods[] = {
    {"value", (PyCFunction)(void (*)(void))value, METH_FASTCALL, value_doc},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot type_slots[] = {
    {Py_tp_new, create}, {Py_tp_dealloc, dispose}, {Py_tp_methods, methods}, {0, NULL},
};

static PyType_Spec type_spec = {
    .name = "engines._estimate.Estimator",
    .basicsize = sizeof(EstimatorObject),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = type_slots,
};

static int add_type(PyObject *module) {
    PyObject *type = PyType_FromSpec(&type_spec);
    int failed = PyModule_AddObjectRef(module, "Estimator", type);
    Py_XDECREF(type);
    return failed;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)add_type}, {0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "engines._estimate",
    .m_doc = "Reversi positions judged by patterns after a search of some plies.",
    .m_size = 0,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__estimate(void) {
    prepare();
    return PyModuleDef_Init(&definition);
}
