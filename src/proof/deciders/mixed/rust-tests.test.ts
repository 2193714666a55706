import { expect, it } from 'vitest';
import { rustParts } from './rust-tests.ts';

const source = 'pub fn add() -> i32 { 1 }\n';
const tests = `#[cfg(test)]
mod tests {
    use super::*;
    // a brace } in a comment
    /* and } here */
    #[test]
    fn adds<'a>() { assert_eq!(add(), 3, "not }} {}", '}', r#"raw " }"#, '\\''); }
}`;

it('tests in a Rust source end with their block, whatever braces its strings contain', () => {
  expect(rustParts(`${source}\n${tests}\n\nfn more() {}\n`)).toEqual({ tests, rest: `${source}\n\n\nfn more() {}\n` });
  expect(rustParts(source)).toEqual({ tests: '', rest: source });
  expect(rustParts('#[cfg(test)]\nmod tests {\n  fn a() {').tests).toBe('#[cfg(test)]\nmod tests {\n  fn a() {');
});
