// The kit: it talks with the referee, so that your bot only has to choose. You need not change it.

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"
)

// Hello begins a match.
type Hello struct {
	Seat int
	Game struct {
		Name   string
		Params map[string]any
	}
}

// Request is one question: what do you play here?
type Request struct {
	State   map[string]any // the position, as README.md shows it
	Legal   []string       // the moves to choose from
	History []string       // all moves so far
	Params  map[string]any // the parameters of the game
	Seat    int            // 0 or 1: you
	Ply     int            // how many moves have been played

	id    int64
	until time.Time
}

// SecondsLeft tells how long the time for this move lasts.
func (request *Request) SecondsLeft() float64 {
	return time.Until(request.until).Seconds()
}

// NewRequest reads a question.
func NewRequest(hello Hello, line []byte) (*Request, error) {
	var message struct {
		Request
		ID   int64
		Time struct {
			MoveMs int64 `json:"move_ms"`
		}
	}
	if err := json.Unmarshal(line, &message); err != nil {
		return nil, err
	}
	request := message.Request
	request.Seat, request.Params = hello.Seat, hello.Game.Params
	request.id = message.ID
	request.until = time.Now().Add(time.Duration(message.Time.MoveMs) * time.Millisecond)
	return &request, nil
}

// Run plays a match with your bot.
func Run(choose func(*Request) string) error {
	in := bufio.NewReader(os.Stdin)
	var hello Hello
	for {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		var message struct{ Type string }
		if err := json.Unmarshal(line, &message); err != nil {
			return err
		}
		switch message.Type {
		case "hello":
			if err := json.Unmarshal(line, &hello); err != nil {
				return err
			}
			fmt.Println(`{"type":"ready","protocol":"arena/1"}`)
		case "move":
			request, err := NewRequest(hello, line)
			if err != nil {
				return err
			}
			fmt.Printf("{\"type\":\"move\",\"id\":%d,\"move\":%q}\n", request.id, choose(request))
		case "end":
			return nil
		}
	}
}
