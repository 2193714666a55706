import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HookStage, openHookStage, silence } from '../../../test/support/hook-stage.ts';
import type { Repo } from '../../../test/support/repo.ts';

let stage: HookStage;
let repo: Repo;
beforeEach(async () => {
  stage = await openHookStage();
  ({ repo } = stage);
});
afterEach(() => stage[Symbol.asyncDispose]());

const call: HookStage['call'] = (...args) => stage.call(...args);

describe('the context hook', () => {
  const sized = async (bytes: number) => {
    const path = join(repo.beside, 't.jsonl');
    await writeFile(path, '');
    await truncate(path, bytes);
    return path;
  };
  const alertOf = async (transcript_path: string, env = {}, more: object = {}) =>
    (await call('context', { transcript_path, ...more }, env)).answer?.hookSpecificOutput?.additionalContext?.split('.')[0] ?? null;

  it("estimates from the transcript's size when there are no token counts, and alerts once for each threshold", async () => {
    await rm(join(repo.path, '.ralph-active'));
    const said: (string | null)[] = [];
    for (const bytes of [240_000, 400_001, 400_001, 480_001, 720_001, 560_001]) said.push(await alertOf(await sized(bytes)));
    expect(said).toEqual([
      null,
      'NOTICE: Context window is at ~50% usage (crossed 50% threshold)',
      null,
      'NOTICE: Context window is at ~60% usage (crossed 60% threshold)',
      'CRITICAL: Context window is at ~90% usage (crossed 90% threshold)',
      null,
    ]);
  });

  it('names its event, without which claude ignores the answer', async () => {
    expect((await call('context', { transcript_path: await sized(400_001) })).answer).toEqual({
      hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: expect.stringContaining('NOTICE') },
    });
  });

  it('uses the token counts, behind lines of any length', async () => {
    const path = join(repo.beside, 't.jsonl');
    const counted = JSON.stringify({ type: 'assistant', message: { model: 'm', usage: { input_tokens: 150_000 } } });
    await writeFile(path, `${counted}\n${JSON.stringify({ type: 'user', text: 'x'.repeat(300_000) })}\n`);
    expect(await alertOf(path)).toContain('~75%');
  });

  it('can be given the window size and the characters per token', async () => {
    expect(await alertOf(await sized(400_001), { CLAUDE_CONTEXT_WINDOW: '1000000' })).toBeNull();
    expect(await alertOf(await sized(400_001), { RALPH_CHARS_PER_TOKEN: '5' })).toBeNull();
    expect(await alertOf(await sized(400_001), { RALPH_CHARS_PER_TOKEN: 'x', CLAUDE_CONTEXT_WINDOW: '' })).toContain('~50%');
  });

  it('ignores sub-agents', async () => {
    expect(await alertOf(await sized(720_001), {}, { agent_id: 'a' })).toBeNull();
  });

  it('alerts again in a new session of the same id, and in no other', async () => {
    const path = await sized(400_001);
    await alertOf(path);
    expect(await call('session-start', { session_id: 'other' })).toEqual(silence);
    expect(await alertOf(path)).toBeNull();
    expect(await call('session-start', {})).toEqual(silence);
    expect(await alertOf(path)).toContain('~50%');
  });

  it.each([
    ['no transcript', {}],
    ['one that is not there', { transcript_path: '/nowhere/t.jsonl' }],
    ['a folder', { transcript_path: '/' }],
    ['a pipe that nobody writes to', { transcript_path: '/dev/stdin' }],
    ['no JSON', '{"session_id'],
    ['nothing', ''],
    ['a list', '[1]'],
    ['too much', `{"a":"${'x'.repeat(9_000_000)}"}`],
  ])('prints nothing with %s', async (_what, input) => {
    expect(await call('context', input)).toEqual(silence);
  });

  it('keeps its files safe in a shared folder: private names, no links, readable only by the owner', async () => {
    const path = await sized(400_001);
    const victim = await repo.write('victim', 'precious');
    await symlink(victim, join(repo.beside, 'claude-context-alerts-.._.._x'));
    expect(await alertOf(path, {}, { session_id: '../../x' })).toContain('~50%');
    expect(execFileSync('cat', [victim], { encoding: 'utf8' })).toBe('precious');
    const [kept] = readdirSync(repo.beside).filter((name) => name.startsWith('claude-context'));
    expect(execFileSync('stat', ['-c', '%a %F', join(repo.beside, kept ?? '')], { encoding: 'utf8' }).trim()).toBe('600 regular file');
  });

  it('gives no alert that it cannot store', async () => {
    expect(await call('context', { transcript_path: await sized(720_001) }, { TMPDIR: join(repo.beside, 'nowhere') })).toMatchObject({ code: 0, answer: null });
  });
});
