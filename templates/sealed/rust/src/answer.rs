use std::io::{stdin, BufRead};

/// Answers every question on standard input: "<nonce> <list of whole numbers>" with "<nonce> <value as JSON>".
/// For other inputs, add serde_json to Cargo.toml, if your project has it already: nothing is fetched here.
pub fn answer(ask: impl Fn(&[i64]) -> String) {
    for line in stdin().lock().lines().map_while(Result::ok) {
        let (nonce, given) = line.split_once(' ').expect("a nonce and an input");
        let numbers: Vec<i64> = given
            .trim_matches(['[', ']'])
            .split(',')
            .filter_map(|number| number.trim().parse().ok())
            .collect();
        println!("\n{nonce} {}", ask(&numbers));
    }
}
