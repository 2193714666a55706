import { fixes } from './fixes.ts';

/** The names of the tests that the guardrail's output calls failed, as Node's reporters print them: TAP, or a cross before the name. */
export function failingTests(prompt: string): readonly string[] {
  const lines = prompt.replaceAll(COLOURS, '').split('\n');
  const failures = lines.filter((line) => /^\s*(not ok \d+ - |✖ )/.test(line));
  return fixes.map((fix) => fix.test).filter((name) => failures.some((line) => line.includes(name)));
}

const COLOURS = new RegExp(`${'\u001b'}\\[[0-9;]*m`, 'g');
