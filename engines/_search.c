/* `engines.solvers.reversi_search`, compiled: the search of `reversi_solve.h` as a type of Python's. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdatomic.h>
#include "python_boards.h"
#include "reversi_solve.h"

typedef struct {
    PyObject_HEAD
    Search *search;
    atomic_flag busy;
} SearchObject;

static PyObject *create(PyTypeObject *type, PyObject *args, PyObject *named) {
    int rows, columns, reversed;
    unsigned long long memory;
    static char *names[] = {"rows", "columns", "reversed", "memory", NULL};
    if (!PyArg_ParseTupleAndKeywords(args, named, "iipK", names, &rows, &columns, &reversed, &memory)) return NULL;
    if (rows < 2 || rows > WIDTH || columns < 2 || columns > WIDTH)
        return PyErr_Format(PyExc_ValueError, "a board has 2 to %d rows and columns here", WIDTH);
    if (!table_bytes(memory))
        return PyErr_Format(PyExc_ValueError, "a search needs at least %zu bytes", sizeof(Bucket));
    SearchObject *self = (SearchObject *)type->tp_alloc(type, 0);
    if (!self) return NULL;
    atomic_flag_clear(&self->busy);
    self->search = new_search(rows, columns, reversed, memory);
    if (!self->search) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    return (PyObject *)self;
}

static void dispose(SearchObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    free_search(self->search);
    type->tp_free(self);
    Py_DECREF(type);
}

PyDoc_STRVAR(solve_doc, "solve(own, opp, alpha, beta, most, stop) -> (low, high, move, nodes, done)");

static PyObject *solved(SearchObject *self, PyObject *const *args, Py_ssize_t given) {
    Search *search = self->search;
    uint64_t own, opp;
    if (given != 6) return PyErr_Format(PyExc_TypeError, "6 arguments are needed, not %zd", given);
    if (!read_position(search, args, &own, &opp)) return NULL;
    long alpha = PyLong_AsLong(args[2]);
    if (alpha == -1 && PyErr_Occurred()) return NULL;
    long beta = PyLong_AsLong(args[3]);
    if (beta == -1 && PyErr_Occurred()) return NULL;
    if (alpha >= beta) return PyErr_Format(PyExc_ValueError, "the window from %ld to %ld is empty", alpha, beta);
    alpha = alpha < -SQUARES - 1 ? -SQUARES - 1 : alpha > SQUARES ? SQUARES : alpha;
    beta = beta > SQUARES + 1 ? SQUARES + 1 : beta < -SQUARES ? -SQUARES : beta;
    unsigned long long most = UINT64_MAX;
    if (args[4] != Py_None) {
        most = PyLong_AsUnsignedLongLong(args[4]);
        if (most == (unsigned long long)-1 && PyErr_Occurred()) return NULL;
    }
    Py_buffer stop = {0};
    if (args[5] != Py_None && PyObject_GetBuffer(args[5], &stop, PyBUF_WRITABLE) < 0) return NULL;
    if (stop.obj && stop.len < 1) {
        PyBuffer_Release(&stop);
        return PyErr_Format(PyExc_ValueError, "what tells to stop has a byte");
    }
    if (atomic_flag_test_and_set(&self->busy)) {
        PyBuffer_Release(&stop);
        return PyErr_Format(PyExc_RuntimeError, "this search is at work in another thread; make one for each");
    }
    Found found;
    Py_BEGIN_ALLOW_THREADS
    found = solve(search, own, opp, (int)alpha, (int)beta, most, stop.buf);
    Py_END_ALLOW_THREADS
    atomic_flag_clear(&self->busy);
    PyBuffer_Release(&stop);
    PyObject *move = move_of(search, found.move), *done = found.done ? Py_True : Py_False;
    return move ? Py_BuildValue("iiNKO", found.low, found.high, move, (unsigned long long)found.nodes, done) : NULL;
}

static PyObject *memory(SearchObject *self, void *Py_UNUSED(closure)) {
    return PyLong_FromUnsignedLongLong((self->search->mask + 1) * sizeof(Bucket));
}

static PyMethodDef methods[] = {
    {"solve", (PyCFunction)(void (*)(void))solved, METH_FASTCALL, solve_doc},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef properties[] = {
    {"memory", (getter)memory, NULL, "The bytes of the table.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot type_slots[] = {
    {Py_tp_new, create}, {Py_tp_dealloc, dispose}, {Py_tp_methods, methods}, {Py_tp_getset, properties}, {0, NULL},
};

static PyType_Spec type_spec = {
    .name = "engines._search.Search",
    .basicsize = sizeof(SearchObject),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = type_slots,
};

static int add_type(PyObject *module) {
    PyObject *type = PyType_FromSpec(&type_spec);
    int failed = PyModule_AddObjectRef(module, "Search", type);
    Py_XDECREF(type);
    return failed;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)add_type}, {0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "engines._search",
    .m_doc = "Reversi searched to its end.",
    .m_size = 0,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__search(void) {
    prepare();
    return PyModuleDef_Init(&definition);
}
