import { describe, expect, it } from 'vitest';
import { toolInput } from './tool-lines.ts';

describe('the input of a tool', () => {
  it.each([
    ['Read', { file_path: '/a/b.ts' }, '/a/b.ts'],
    ['Write', { file_path: '/a/b.ts', content: 'x' }, '/a/b.ts'],
    ['Edit', { old_string: 'a', file_path: '/a/b.ts' }, '/a/b.ts'],
    ['Bash', { command: 'make test', description: 'Run tests' }, 'make test'],
    ['Bash', { description: 'Run tests' }, 'Run tests'],
    ['Bash', { command: 'first\nsecond' }, 'first'],
    ['Glob', { pattern: '**/*.ts' }, '**/*.ts'],
    ['Grep', { pattern: 'TODO', path: '/a' }, 'TODO'],
    ['Task', { description: 'find it', prompt: 'long' }, 'find it'],
    ['WebFetch', { url: 'https://example.org', prompt: 'x' }, 'https://example.org'],
    ['WebSearch', { query: 'ralph' }, 'ralph'],
    ['read_file', { path: 'a.txt' }, 'a.txt'],
    ['run_command', { command: 'ls' }, 'ls'],
    ['search', { query: 'x' }, 'x'],
    ['Unknown', { file_path: '/a' }, ''],
    ['Read', null, ''],
    ['Read', 'text', ''],
    ['Read', { file_path: 7 }, ''],
  ])('of %s: %o is summarised as "%s', (name, input, expected) => {
    expect(toolInput(name, input)).toBe(expected);
  });

  it.each([
    ['Bash', { command: 'x'.repeat(100) }, 60],
    ['Grep', { pattern: 'x'.repeat(100) }, 40],
    ['Task', { description: 'x'.repeat(100) }, 40],
    ['WebFetch', { url: 'x'.repeat(100) }, 50],
    ['Read', { file_path: 'x'.repeat(5_000_000) }, 80],
  ])('of %s is cut to its limit', (name, input, limit) => {
    expect(toolInput(name, input)).toBe(`${'x'.repeat(limit - 3)}...`);
  });
});
