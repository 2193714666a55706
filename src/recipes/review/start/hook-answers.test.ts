import { existsSync } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deepIt } from '../../../../test/support/deep.ts';
import { STORIES, withFirst } from '../../../../test/support/plugin-stage.ts';
import { openRepo, type Repo } from '../../../../test/support/repo.ts';
import type { AnswerHooks } from '../../../door/door-context.ts';
import type { PlanText } from '../../../engine/ports/story-workspace.ts';
import type { EventBody } from '../../../journal/events/journal-event.ts';
import { emptyState, type RunState } from '../../../journal/state/state.ts';
import type { StoryMode, StoryPlan } from '../../../journal/words/story.ts';
import { NO_SANDBOX } from '../../../settings/schema/sandbox-spec.ts';
import type { StoriesSpec } from '../../../settings/schema/stories-spec.ts';
import { openHookAnswers } from './open-stories.ts';

let repo: Repo;
let state: RunState;
let form: PlanText;
let told: EventBody[];
let warnings: string[];
let ask: AnswerHooks;
beforeEach(async () => {
  repo = await openRepo({ 'ralph/tasks.json': withFirst({}), 'src/a.ts': '' });
  state = during('implement');
  form = { kind: 'text', text: withFirst({ reviewStatus: 'needs_review', notes: 'done' }) };
  told = [];
  warnings = [];
  ask = openHookAnswers({
    state: () => state,
    tell: async (event) => {
      told.push(event);
      return true;
    },
    spec: {
      home: repo.path,
      folder: 'ralph',
      plan: 'ralph/tasks.json',
      skipReview: false,
      reviewCap: 5,
      stopBlocks: 2,
      reviewAgent: null,
    } as unknown as StoriesSpec,
    wall: NO_SANDBOX,
    readPlan: async () => form,
    env: { PATH: process.env['PATH'] ?? '' },
    ours: [join(repo.beside, 'ours')],
    warn: (text) => warnings.push(text),
  });
});
afterEach(() => repo[Symbol.asyncDispose]());

function during(mode: StoryMode): RunState {
  const open = [{ number: 3, turn: { mode, story: 'US-001' } }];
  return { ...emptyState, open, stories: { ...emptyState.stories, plan: STORIES as StoryPlan } } as unknown as RunState;
}

const stop = (more: object = {}) => ask('stop', { session_id: 's', ...more });
const illegal = { passes: true, reviewStatus: 'approved', notes: 'done' };

describe('a loop whose agent wants to stop', () => {
  it('allows it when everything is in order', async () => {
    expect(await stop()).toEqual({ decision: 'approve' });
    expect(told).toEqual([]);
  });

  it('judges by its own state: a marker with another state changes nothing', async () => {
    form = { kind: 'text', text: withFirst(illegal) };
    const forged = {
      iterationMode: 'review',
      skipReview: true,
      preIterationSnapshot: { 'US-001': { passes: true, reviewStatus: 'approved', reviewCount: 0 } },
    };
    await writeFile(join(repo.path, '.ralph-active'), JSON.stringify(forged));
    expect(await stop()).toMatchObject({ decision: 'block', reason: expect.stringMatching(/Implement iterations cannot set passes=true/) });
  });

  it('runs nothing that an agent planted for git', async () => {
    const ran = join(repo.beside, 'ran');
    for (const key of ['core.fsmonitor', 'filter.x.clean', 'alias.status']) repo.git('config', key, `touch ${ran}; cat`);
    await repo.write('.git/info/attributes', '* filter=x\n');
    await utimes(join(repo.path, 'src/a.ts'), 1, 1);
    expect(await stop()).toEqual({ decision: 'approve' });
    expect(existsSync(ran)).toBe(false);
  });

  it('asks the hook of an agent with its own repository what is uncommitted there', async () => {
    await repo.write('src/b.ts', 'committed in the other repository');
    expect(await stop({ ralph_dirty_paths: [] })).toEqual({ decision: 'approve' });
    expect(await stop({ ralph_dirty_paths: ['src/c.ts', 7] })).toMatchObject({ decision: 'block', reason: expect.stringContaining('src/c.ts') });
    expect(await stop()).toMatchObject({ decision: 'block', reason: expect.stringContaining('src/b.ts') });
  });

  it('counts refused stops, records them, and finally allows one', async () => {
    form = { kind: 'missing' };
    expect(await stop()).toMatchObject({ decision: 'block' });
    expect(await stop({ stop_hook_active: true })).toMatchObject({ decision: 'block' });
    expect(await stop({ stop_hook_active: true })).toEqual({ decision: 'approve' });
    expect(told).toEqual([
      { type: 'stop.refused', session: 's', reason: expect.stringContaining('tasks.json is missing'), blocks: 1, let_go: false },
      { type: 'stop.refused', session: 's', reason: expect.any(String), blocks: 2, let_go: false },
      { type: 'stop.refused', session: 's', reason: expect.any(String), blocks: 2, let_go: true },
    ]);
  });

  it('counts for every session separately', async () => {
    form = { kind: 'missing' };
    for (const session_id of ['a', 'b', 'c']) expect(await stop({ session_id, stop_hook_active: true })).toMatchObject({ decision: 'block' });
    expect(told).toMatchObject([{ blocks: 1 }, { blocks: 1 }, { blocks: 1 }]);
  });

  deepIt('a hundred questions take ten seconds')('limits the entries in its journal', async () => {
    form = { kind: 'missing' };
    for (let n = 0; n < 120; n += 1) await stop({ session_id: `${n}${'x'.repeat(1_000)}` });
    expect(told).toHaveLength(100);
    expect(JSON.stringify(told[0]).length).toBeLessThan(2_000);
  });

  it('does not answer between two turns', async () => {
    form = { kind: 'missing' };
    state = { ...state, open: [] };
    expect(await stop()).toBeNull();
  });

  it('allows the stop when the check itself fails, and warns the operator', async () => {
    form = undefined as unknown as PlanText;
    expect(await stop()).toBeNull();
    expect(warnings).toEqual([expect.stringContaining('the hook stop failed: ')]);
  });
});

describe('a loop that is asked whether its agent may use a tool', () => {
  const write = (file_path: string) => ask('guard', { cwd: repo.path, tool_name: 'Write', tool_input: { file_path } });

  it('denies what this turn does not allow', async () => {
    expect(await write('src/a.ts')).toBeNull();
    expect(await write('ralph/prd.md')).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
    expect(await write(join(repo.beside, 'ours/hook.mjs'))).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
    state = during('review');
    expect(await write('src/a.ts')).toMatchObject({ hookSpecificOutput: { permissionDecisionReason: expect.stringContaining('This is a review') } });
  });

  it('denies when the check itself fails', async () => {
    state = undefined as unknown as RunState;
    expect(await write('src/a.ts')).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
  });
});

it('a loop knows the size of the context window from the model it asked for', async () => {
  const transcript_path = join(repo.beside, 't.jsonl');
  await writeFile(transcript_path, JSON.stringify({ type: 'assistant', message: { model: 'm', usage: { input_tokens: 150_000 } } }));
  const large = { ...state, run: { settings: { agent: { model: 'sonnet[1m]' } } } } as unknown as RunState;
  const small = state;
  state = large;
  expect(await ask('context', { session_id: 's', transcript_path })).toBeNull();
  state = small;
  expect(await ask('context', { session_id: 's', transcript_path })).toMatchObject({
    hookSpecificOutput: { additionalContext: expect.stringContaining('~75%') },
  });
  expect(await ask('context', { session_id: 's', transcript_path })).toBeNull();
  await ask('session-start', { session_id: 's' });
  expect(await ask('context', { session_id: 's', transcript_path })).not.toBeNull();
});
