//! A bot: it plays the legal move that it finds best. Make `value` think, and it plays better.

mod arena_bot;
#[cfg(test)]
mod tests;

use arena_bot::{run, Request};

/// So many seconds before the time is over it answers with the best that it has.
const SPARE: f64 = 0.05;

/// How good a move is: the higher, the better. Your search begins here.
///
/// `request.state` is the position, `request.seat` is you (0 or 1), and README.md shows an example.
fn value(_request: &Request, _move: &str) -> f64 {
    0.0
}

/// The legal move with the highest value, the first one of several.
fn choose(request: &Request) -> String {
    let mut best = &request.legal[0];
    let mut highest = f64::NEG_INFINITY;
    for each in &request.legal {
        if request.seconds_left() < SPARE {
            break;
        }
        let found = value(request, each);
        if found > highest {
            highest = found;
            best = each;
        }
    }
    best.clone()
}

fn main() -> std::io::Result<()> {
    run(choose)
}
