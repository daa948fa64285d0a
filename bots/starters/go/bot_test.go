package main

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"
)

// Whether the bot answers with a legal move in each position of positions.jsonl: go test.
func TestItAnswersWithLegalMoves(t *testing.T) {
	text, err := os.ReadFile("positions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	var hello Hello
	if err := json.Unmarshal(lines[0], &hello); err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		request, err := NewRequest(hello, line)
		if err != nil {
			t.Fatal(err)
		}
		if move := choose(request); !contains(request.Legal, move) {
			t.Errorf("ply %d: %s is not legal", request.Ply, move)
		}
	}
}

func contains(moves []string, wanted string) bool {
	for _, move := range moves {
		if move == wanted {
			return true
		}
	}
	return false
}
