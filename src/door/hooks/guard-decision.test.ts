import { describe, expect, it } from 'vitest';
import { type GuardedPlace, guardDecision } from './guard-decision.ts';

const place: GuardedPlace = { root: '/p', folder: 'ralph', mode: 'implement', ours: ['/plugins/ralph', '/p/.git/ralph/runs/r'] };

const write = (path: string, change: Partial<GuardedPlace> = {}) => guardDecision({ tool: 'Write', paths: [path], command: null }, { ...place, ...change });

describe('a file', () => {
  it.each([
    ['/p/ralph/prd.md', 'ralph/progress.txt'],
    ['/p/ralph/PRD.MD', '<promise>DECIDE:'],
    ['/p/ralph/prompt.md', 'Go on with your story.'],
    ['/p/.ralph-active', 'Leave it alone'],
    ['/plugins/ralph/hooks/hooks.json', 'belongs to Ralph itself'],
    ['/p/.git/ralph/runs/r/journal.jsonl', 'belongs to Ralph itself'],
    ['/elsewhere/.git/ralph/registers/x', 'belongs to Ralph itself'],
    ['/elsewhere/bare.git/ralph/runs/x', 'belongs to Ralph itself'],
  ])('that belongs to the loop may not be written, with the reason: %s', (path, why) => {
    expect(write(path)).toContain(why);
  });

  it.each([
    '/p/src/a.ts',
    '/p/ralph/tasks.json',
    '/p/ralph/progress.txt',
    '/p/src/prd.md',
    '/p/sub/.ralph-active',
    '/plugins/ralphs/x',
    '/p/.github/ralph/x',
    '/tmp/x',
  ])('that does not belong to the loop may be written: %s', (path) => {
    expect(write(path)).toBeNull();
  });

  it('is recognised under every name it has', () => {
    expect(guardDecision({ tool: 'Edit', paths: ['/p/innocent.txt', '/p/ralph/prd.md'], command: null }, place)).toContain('read-only');
  });

  it('must be named by a tool that writes', () => {
    for (const tool of ['Write', 'Edit', 'MultiEdit', 'NotebookEdit'])
      expect(guardDecision({ tool, paths: [], command: null }, place)).toContain(`${tool} does not say which file`);
  });

  it('may always be read', () => {
    expect(guardDecision({ tool: 'Read', paths: ['/p/ralph/prd.md'], command: null }, place)).toBeNull();
  });
});

describe('a review', () => {
  it('may write nothing: its verdict is its last message', () => {
    for (const path of ['/p/ralph/tasks.json', '/p/src/a.ts', '/p/CLAUDE.md', '/p/ralph', '/tmp/x'])
      expect(write(path, { mode: 'review' })).toContain('This is a review: it writes no file at all');
  });
});

it('a shell command is judged by the rules for commands', () => {
  expect(guardDecision({ tool: 'Bash', paths: [], command: 'git commit -n' }, place)).toContain('--no-verify');
  expect(guardDecision({ tool: 'Bash', paths: [], command: 'rm -rf /' }, place)).toBeNull();
});
