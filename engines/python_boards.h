/* Boards that Python gives: bit `columns * row + column` is a square, and the number after the last one the pass. */
#ifndef ENGINES_PYTHON_BOARDS_H
#define ENGINES_PYTHON_BOARDS_H
#include <Python.h>
#include "reversi_search.h"

/* The squares of a board numbered row by row, in the place where they are searched. */
static uint64_t widened(const Search *search, uint64_t squares) {
    uint64_t board = 0, row = (1ULL << search->columns) - 1;
    for (int at = 0; at < search->rows; at++) board |= (squares >> search->columns * at & row) << WIDTH * at;
    return board;
}

static PyObject *move_of(const Search *search, int move) {
    if (move == NO_MOVE) Py_RETURN_NONE;
    if (move == PASS) return PyLong_FromLong(search->squares);
    return PyLong_FromLong(move / WIDTH * search->columns + move % WIDTH);
}

/* Read the discs of one side; 0 with an exception set where they are none of this board. */
static int read_discs(const Search *search, PyObject *from, uint64_t *board) {
    unsigned long long squares = PyLong_AsUnsignedLongLong(from);
    if (squares == (unsigned long long)-1 && PyErr_Occurred()) return 0;
    if (search->squares < SQUARES && squares >> search->squares) {
        PyErr_Format(PyExc_ValueError, "a disc is outside the board of %d squares", search->squares);
        return 0;
    }
    *board = widened(search, squares);
    return 1;
}

/* Read the discs of the mover and of the other side; 0 with an exception set where they are no position. */
static int read_position(const Search *search, PyObject *const *from, uint64_t *own, uint64_t *opp) {
    if (!read_discs(search, from[0], own) || !read_discs(search, from[1], opp)) return 0;
    if (*own & *opp) return PyErr_SetString(PyExc_ValueError, "a square has a disc of either side"), 0;
    return 1;
}

#endif
