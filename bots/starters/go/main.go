// A bot: it plays the legal move that it finds best. Make value think, and it plays better.

package main

import (
	"fmt"
	"math"
	"os"
)

// So many seconds before the time is over it answers with the best that it has.
const spare = 0.05

// How good a move is: the higher, the better. Your search begins here.
//
// request.State is the position, request.Seat is you (0 or 1), and README.md shows an example.
func value(request *Request, move string) float64 {
	return 0
}

// The legal move with the highest value, the first one of several.
func choose(request *Request) string {
	best, highest := request.Legal[0], math.Inf(-1)
	for _, move := range request.Legal {
		if request.SecondsLeft() < spare {
			break
		}
		if found := value(request, move); found > highest {
			best, highest = move, found
		}
	}
	return best
}

func main() {
	if err := Run(choose); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
