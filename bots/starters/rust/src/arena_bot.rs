//! The kit: it talks with the referee, so that your bot only has to choose. You need not change it.

#![allow(dead_code)] // a bot need not look at everything

use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::iter::Peekable;
use std::str::Chars;
use std::time::{Duration, Instant};

/// A value of JSON: what the referee sends is made of these.
#[derive(Clone, Debug)]
pub enum Json {
    Null,
    Truth(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(HashMap<String, Json>),
}

impl Json {
    /// A line of JSON.
    pub fn read(line: &str) -> Result<Json, String> {
        Reader(line.chars().peekable())
            .value()
            .ok_or_else(|| format!("this is no JSON: {line}"))
    }

    /// The item of that name; `Null` where there is none.
    pub fn get(&self, name: &str) -> &Json {
        match self {
            Json::Object(items) => items.get(name).unwrap_or(&Json::Null),
            _ => &Json::Null,
        }
    }

    /// The number; 0 of anything else.
    pub fn number(&self) -> f64 {
        match self {
            Json::Number(number) => *number,
            _ => 0.0,
        }
    }

    /// The text; an empty one of anything else.
    pub fn text(&self) -> &str {
        match self {
            Json::Text(text) => text,
            _ => "",
        }
    }

    /// The items of a list; none of anything else.
    pub fn items(&self) -> &[Json] {
        match self {
            Json::List(items) => items,
            _ => &[],
        }
    }
}

/// One question: what do you play here?
pub struct Request {
    /// The position, as README.md shows it.
    pub state: Json,
    /// The moves to choose from.
    pub legal: Vec<String>,
    /// All moves so far.
    pub history: Vec<String>,
    /// The parameters of the game.
    pub params: Json,
    /// 0 or 1: you.
    pub seat: usize,
    /// How many moves have been played.
    pub ply: usize,
    until: Instant,
}

impl Request {
    pub fn new(hello: &Json, message: &Json) -> Request {
        let texts = |list: &Json| list.items().iter().map(|each| each.text().to_string()).collect();
        let allowed = message.get("time").get("move_ms").number();
        Request {
            state: message.get("state").clone(),
            legal: texts(message.get("legal")),
            history: texts(message.get("history")),
            params: hello.get("game").get("params").clone(),
            seat: hello.get("seat").number() as usize,
            ply: message.get("ply").number() as usize,
            until: Instant::now() + Duration::from_millis(allowed as u64),
        }
    }

    pub fn seconds_left(&self) -> f64 {
        self.until.saturating_duration_since(Instant::now()).as_secs_f64()
    }
}

/// Plays a match with your bot.
pub fn run(choose: impl Fn(&Request) -> String) -> io::Result<()> {
    let mut hello = Json::Null;
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let message = Json::read(&line?).map_err(|wrong| io::Error::new(io::ErrorKind::InvalidData, wrong))?;
        match message.get("type").text() {
            "hello" => {
                hello = message;
                writeln!(out, "{{\"type\":\"ready\",\"protocol\":\"arena/1\"}}")?;
            }
            "move" => {
                let id = message.get("id").number() as u64;
                let found = choose(&Request::new(&hello, &message));
                writeln!(out, "{{\"type\":\"move\",\"id\":{id},\"move\":\"{found}\"}}")?;
            }
            "end" => break,
            _ => {}
        }
        out.flush()?;
    }
    Ok(())
}

struct Reader<'a>(Peekable<Chars<'a>>);

impl Reader<'_> {
    fn value(&mut self) -> Option<Json> {
        if self.take('"') {
            return self.text().map(Json::Text);
        }
        if self.take('[') {
            return self.list();
        }
        if self.take('{') {
            return self.object();
        }
        let mut word = String::new();
        while let Some(sign) = self.0.next_if(|sign| !",]} \t\r".contains(*sign)) {
            word.push(sign);
        }
        match word.as_str() {
            "null" => Some(Json::Null),
            "true" => Some(Json::Truth(true)),
            "false" => Some(Json::Truth(false)),
            number => number.parse().ok().map(Json::Number),
        }
    }

    fn list(&mut self) -> Option<Json> {
        let mut items = Vec::new();
        if self.take(']') {
            return Some(Json::List(items));
        }
        loop {
            items.push(self.value()?);
            if !self.take(',') {
                break;
            }
        }
        self.take(']').then_some(Json::List(items))
    }

    fn object(&mut self) -> Option<Json> {
        let mut items = HashMap::new();
        if self.take('}') {
            return Some(Json::Object(items));
        }
        loop {
            if !self.take('"') {
                return None;
            }
            let name = self.text()?;
            if !self.take(':') {
                return None;
            }
            items.insert(name, self.value()?);
            if !self.take(',') {
                break;
            }
        }
        self.take('}').then_some(Json::Object(items))
    }

    /// The text up to the closing quotation mark.
    fn text(&mut self) -> Option<String> {
        let mut found = String::new();
        loop {
            match self.0.next()? {
                '"' => return Some(found),
                '\\' => found.push(match self.0.next()? {
                    'b' => '\u{8}',
                    'f' => '\u{c}',
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    'u' => {
                        let code: String = self.0.by_ref().take(4).collect();
                        char::from_u32(u32::from_str_radix(&code, 16).ok()?).unwrap_or('?')
                    }
                    sign => sign,
                }),
                sign => found.push(sign),
            }
        }
    }

    fn take(&mut self, wanted: char) -> bool {
        while self.0.next_if(|sign| " \t\r".contains(*sign)).is_some() {}
        self.0.next_if_eq(&wanted).is_some()
    }
}
