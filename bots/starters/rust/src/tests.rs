//! Whether the bot answers with a legal move in each position of `positions.jsonl`: cargo test.

use crate::arena_bot::{Json, Request};

#[test]
fn it_answers_with_legal_moves() {
    let text = std::fs::read_to_string("positions.jsonl").unwrap();
    let mut lines = text.lines().map(|line| Json::read(line).unwrap());
    let hello = lines.next().unwrap();
    let mut asked = 0;
    for message in lines {
        let request = Request::new(&hello, &message);
        let found = crate::choose(&request);
        assert!(request.legal.contains(&found), "ply {}: {found} is not legal", request.ply);
        asked += 1;
    }
    assert!(asked > 0);
}
