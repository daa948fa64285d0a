"""A reference bot in C for tests: it plays the first legal move, and its name tells its level and weights."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from bots.reference import REFERENCE, ReferenceBot

MAIN = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "greeting.h"

#ifndef DEFAULT_LEVEL
#define DEFAULT_LEVEL 3
#endif

static char line[1 << 20], path[4096], weights[80];

int main(int argc, char **argv) {
    char *slash = strrchr(argv[0], '/');
    snprintf(path, sizeof path, "%.*s/few.weights", (int)(slash - argv[0]), argv[0]);
    FILE *file = fopen(path, "r");
    if (!file || !fgets(weights, sizeof weights, file)) return 1;
    int level = argc > 1 ? atoi(argv[1]) : DEFAULT_LEVEL;
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        if (strstr(line, "\"hello\"")) {
            printf(GREETING, level, weights);
            continue;
        }
        char *id = strstr(line, "\"id\":"), *legal = strstr(line, "\"legal\":[\"");
        if (!id || !legal) continue;
        legal += strlen("\"legal\":[\"");
        *strchr(legal, '"') = 0;
        printf("{\"type\":\"move\",\"id\":%ld,\"move\":\"%s\"}\n", strtol(id + 5, NULL, 10), legal);
    }
    return 0;
}
"""
GREETING = r"""
#pragma once
#include "more.h"
#include "rules.h"
#define NAMED "\"name\":\"tiny %d " MORE "%s\""
#define GREETING "{\"type\":\"ready\",\"protocol\":\"arena/1\"," NAMED ",\"version\":\"1\"}\n"
"""
PACKAGE = {
    "__init__.py": "",
    "main.c": MAIN,
    "few.weights": "forty-two",
    "notes.txt": "of no use to a program",
    "greeting.h": GREETING,
    "more.h": '#include "greeting.h"\n#define MORE "with "\n',
}


def tiny(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have `tiny`, of heap Nim with three levels, among the reference bots; the folder of its package."""
    package = f"tiny_in_{folder.name}"
    (folder / package).mkdir(parents=True)
    for name, text in PACKAGE.items():
        (folder / package / name).write_text(text)
    monkeypatch.syspath_prepend(folder)
    importlib.invalidate_caches()
    bot = ReferenceBot("tiny", "the first legal move", ("heap_nim",), package, levels=3)
    monkeypatch.setitem(REFERENCE, "tiny", bot)
    return folder / package
