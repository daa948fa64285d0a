"""One and the same bot in every language: it answers with the first legal move, read in the plainest way."""

from __future__ import annotations

PYTHON = """
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello":
        answer = {"type": "ready", "protocol": "arena/1", "name": "first", "version": "1"}
    elif m["type"] == "move":
        answer = {"type": "move", "id": m["id"], "move": m["legal"][0]}
    else:
        break
    print(json.dumps(answer), flush=True)
"""

C = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[1 << 20];

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        if (strstr(line, "\"hello\"")) {
            puts("{\"type\":\"ready\",\"protocol\":\"arena/1\",\"name\":\"first\",\"version\":\"1\"}");
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

CPP = r"""
#include <iostream>
#include <string>

int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        auto id = line.find("\"id\":"), legal = line.find("\"legal\":[\"");
        if (line.find("\"hello\"") != std::string::npos) {
            std::cout << R"({"type":"ready","protocol":"arena/1","name":"first","version":"1"})" << std::endl;
        } else if (id != std::string::npos && legal != std::string::npos) {
            auto move = line.substr(legal + 10, line.find('"', legal + 10) - legal - 10);
            std::cout << "{\"type\":\"move\",\"id\":" << std::stol(line.substr(id + 5)) << ",\"move\":\""
                      << move << "\"}" << std::endl;
        }
    }
}
"""

JAVA = r"""
import java.io.*;
import java.util.regex.*;

public class Comet {
    public static void main(String[] arguments) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        var id = Pattern.compile("\"id\": ?(\\d+)");
        var legal = Pattern.compile("\"legal\": ?\\[\"([^\"]*)\"");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Matcher number = id.matcher(line), move = legal.matcher(line);
            if (line.contains("\"hello\"")) {
                System.out.println(
                    "{\"type\":\"ready\",\"protocol\":\"arena/1\",\"name\":\"first\",\"version\":\"1\"}");
            } else if (number.find() && move.find()) {
                System.out.println(
                    "{\"type\":\"move\",\"id\":" + number.group(1) + ",\"move\":\"" + move.group(1) + "\"}");
            }
        }
    }
}
"""

JAVASCRIPT = """
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const m = JSON.parse(line);
  const say = (value) => process.stdout.write(JSON.stringify(value) + "\\n");
  if (m.type === "hello") say({ type: "ready", protocol: "arena/1", name: "first", version: "1" });
  if (m.type === "move") say({ type: "move", id: m.id, move: m.legal[0] });
});
"""

TYPESCRIPT = """
declare const process: any;
declare function require(name: string): any;

interface Message {
  type: string;
  id?: number;
  legal?: string[];
}

require("readline").createInterface({ input: process.stdin }).on("line", (line: string) => {
  const m: Message = JSON.parse(line);
  const say = (value: object): void => process.stdout.write(JSON.stringify(value) + "\\n");
  if (m.type === "hello") say({ type: "ready", protocol: "arena/1", name: "first", version: "1" });
  if (m.type === "move") say({ type: "move", id: m.id, move: m.legal![0] });
});
"""

CSHARP = r"""
using System;
using System.Text.RegularExpressions;

static class First {
    static void Main() {
        string line;
        while ((line = Console.ReadLine()) != null) {
            Match id = Regex.Match(line, "\"id\": ?(\\d+)");
            Match legal = Regex.Match(line, "\"legal\": ?\\[\"([^\"]*)\"");
            if (line.Contains("\"hello\"")) {
                Console.WriteLine(
                    "{\"type\":\"ready\",\"protocol\":\"arena/1\",\"name\":\"first\",\"version\":\"1\"}");
            } else if (id.Success && legal.Success) {
                Console.WriteLine("{\"type\":\"move\",\"id\":" + id.Groups[1].Value
                    + ",\"move\":\"" + legal.Groups[1].Value + "\"}");
            }
        }
    }
}
"""

RUST = r"""
use std::io::{self, BufRead};

fn main() {
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        if line.contains("\"hello\"") {
            println!("{{\"type\":\"ready\",\"protocol\":\"arena/1\",\"name\":\"first\",\"version\":\"1\"}}");
        } else if let (Some(id), Some(legal)) = (line.find("\"id\":"), line.find("\"legal\":[\"")) {
            let id: String = line[id + 5..].chars().take_while(|c| c.is_ascii_digit()).collect();
            let moved: String = line[legal + 10..].chars().take_while(|c| *c != '"').collect();
            println!("{{\"type\":\"move\",\"id\":{},\"move\":\"{}\"}}", id, moved);
        }
    }
}
"""

GO = r"""
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var m struct {
			Type  string
			Id    int
			Legal []string
		}
		json.Unmarshal(line, &m)
		if m.Type == "hello" {
			fmt.Println(`{"type":"ready","protocol":"arena/1","name":"first","version":"1"}`)
		} else if m.Type == "move" {
			fmt.Printf("{\"type\":\"move\",\"id\":%d,\"move\":%q}\n", m.Id, m.Legal[0])
		}
	}
}
"""

SOURCES = {
    "python": ("first.py", PYTHON),
    "c": ("first.c", C),
    "cpp": ("first.cpp", CPP),
    "java": ("Comet.java", JAVA),
    "javascript": ("first.js", JAVASCRIPT),
    "typescript": ("first.ts", TYPESCRIPT),
    "rust": ("first.rs", RUST),
    "go": ("first.go", GO),
    "csharp": ("First.cs", CSHARP),
}
"""The file that is sent and its text, by language."""

PROJECTS = {
    "c": {
        "main.c": '#include "rules/first.h"\n' + C,
        "rules/first.h": "",
        "rules/first.c": '#include "first.h"\n',
    },
    "java": {"Comet.java": JAVA, "rules/First.java": "package rules;\n\npublic class First {}\n"},
    "typescript": {
        "tsconfig.json": '{"compilerOptions":{"target":"es2020","module":"commonjs","outDir":"out"}}\n',
        "src/main.ts": 'import { nothing } from "./rules";\n\nnothing();\n' + TYPESCRIPT,
        "src/rules.ts": "export function nothing(): void {}\n",
    },
    "csharp": {
        "Program.cs": CSHARP,
        "Rules/First.cs": "namespace Rules { class First { } }\n",
    },
    "rust": {
        "Cargo.toml": '[package]\nname = "comet"\nversion = "1.0.0"\nedition = "2021"\n',
        "Cargo.lock": "version = 99\n",
        "src/main.rs": "mod rules;\n" + RUST,
        "src/rules.rs": "",
    },
    "go": {
        "go.mod": "module example.org/comet\n\ngo 1.18\n",
        "main.go": GO.replace('"os"\n', '"os"\n\n\t_ "example.org/comet/rules"\n'),
        "rules/first.go": "package rules\n",
    },
}
"""Bots of several files and folders, as the tools of their languages lay them out."""
