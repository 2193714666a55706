import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { emptyState } from '../../journal/state/state.ts';
import { type AgentSpec, NO_SANDBOX, type SandboxSpec } from '../../settings/schema/sandbox-spec.ts';
import { guardFor } from './guard-for.ts';

const bash = (cwd: string, command: string) => ({ session_id: 's', cwd, tool_name: 'Bash', tool_input: { command } });

async function asked(root: string, wall: SandboxSpec, input: object, worktrees?: string): Promise<unknown> {
  const guard = guardFor({
    wall,
    root,
    ...(worktrees === undefined ? {} : { worktrees }),
    door: '/run/x.sock',
    env: { HOME: '/home/u' },
    warn: () => undefined,
  });
  const answer = guard.openHooks(
    async () => true,
    () => emptyState,
  );
  return await answer('guard', input);
}

const denied = { hookSpecificOutput: { permissionDecision: 'deny' } };

it('a run denies by the lists it was started with', async () => {
  await using folder = await openThrowAwayFolder();
  const wall = { ...NO_SANDBOX, guard: { allow: ['git reset --hard'], deny: ['make deploy'], warn: [] } };
  expect(await asked(folder.path, wall, bash(folder.path, 'rm -rf /'))).toMatchObject(denied);
  expect(await asked(folder.path, wall, bash(folder.path, 'make deploy'))).toMatchObject(denied);
  expect(await asked(folder.path, wall, bash(folder.path, 'git reset --hard'))).toBeNull();
  expect(await asked(folder.path, wall, {})).toMatchObject(denied);
});

it('in a sandbox the guard gives advice and denies nothing', async () => {
  await using folder = await openThrowAwayFolder();
  const said = await asked(folder.path, { ...NO_SANDBOX, mode: 'os' }, bash(folder.path, 'rm -rf /'));
  expect(said).toEqual({ hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: expect.stringContaining('not inside the project') } });
});

it('an agent in a worktree has that worktree as its project, and nothing beside it', async () => {
  await using folder = await openThrowAwayFolder();
  const lane = join(folder.path, 'p.ralph', 'lane');
  await mkdir(lane, { recursive: true });
  await mkdir(join(folder.path, 'p'));
  const ask = (command: string, cwd = lane) => asked(join(folder.path, 'p'), NO_SANDBOX, bash(cwd, command), join(folder.path, 'p.ralph'));
  expect(await ask('git config core.hooksPath x')).toMatchObject(denied);
  expect(await ask('rm -rf node_modules')).toBeNull();
  expect(await ask('rm -rf .git')).toMatchObject(denied);
  expect(await ask('rm -rf *')).toMatchObject(denied);
});

it("only claude gets the guard, once, and not over the operator's settings", () => {
  const warnings: string[] = [];
  const { guarded } = guardFor({ wall: NO_SANDBOX, root: '/', door: '/run/x.sock', env: {}, warn: (text) => warnings.push(text) });
  const agent = { command: 'claude', kind: 'claude', flags: ['--model', 'x'], autonomy: 'full' } as unknown as AgentSpec;
  expect(guarded(agent).flags).toEqual(['--settings', expect.stringContaining('PreToolUse'), '--model', 'x']);
  expect(guarded({ ...agent, kind: 'codex' }).flags).toEqual(['--model', 'x']);
  expect(guarded({ ...agent, flags: ['--settings', 'own.json'] }).flags).toEqual(['--settings', 'own.json']);
  expect(warnings).toHaveLength(1);
});
