// Deep: scripted agents cover the same loops; whole-loops.test.ts has one of each real agent.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AttemptEnded } from '../../src/journal/events/attempt.ts';
import { nameAuthor } from '../support/committing-stage.ts';
import { judgedGates } from '../support/judged-gates.ts';
import { eventsOf, receiptOf } from '../support/loop-stage.ts';
import { type ModelRequest, perSession, type Scenario, type Turn } from '../support/model-server/scenario.ts';
import { openModelServer } from '../support/model-server/server.ts';
import { call, hang, run, say } from '../support/model-server/turns.ts';
import { processesOf } from '../support/processes-of.ts';
import { ralph, startRalph } from '../support/ralph.ts';
import { binFolder, claudeEnv, codexEnv, expectRealAgents } from '../support/real-agents.ts';
import { receiptFrom } from '../support/receipt-from.ts';
import { openRepo } from '../support/repo.ts';
import { type EndedRun, endOf, iterationsOf } from '../support/stage.ts';
import { until } from '../support/until.ts';
import { startOf } from '../support/worktree-stage.ts';

const agents = expectRealAgents();

type Name = 'claude' | 'codex';

const TASK = 'Write hello into greeting.txt.';
const CHECK = 'sh test/greeting.sh';
const TEST = 'grep -qsx hello greeting.txt && exit 0\necho "greeting.txt does not say hello"\nexit 1\n';
const WRITE = 'echo hello > greeting.txt';
const complete = say('It is there, and the check passes.\n\nCOMPLETE');
const notYet = say('Not there yet.');
const work = [run(WRITE, 'I write it.'), complete];

/** For an agent to start and to begin its work on a busy machine; all of it is waited for. */
const LONG_ENOUGH = '30s';
const CUT = /^the agent was stopped: still running after [\d.]+ s$/;

interface Loop extends EndedRun {
  /** The first request of each agent process. */
  readonly asked: readonly ModelRequest[];
}

/** A repository with a red check, and the real agent in a temporary home. */
async function openPlace(name: Name, settings: object = {}) {
  const repo = await openRepo({ 'test/greeting.sh': TEST, '.ralph/settings.json': JSON.stringify(settings) });
  nameAuthor(repo);
  const bin = await binFolder(agents, repo.beside);
  return {
    repo,
    /** The built `ralph loop`; only the model is scripted. */
    async loop(scenario: Scenario, ...args: readonly string[]): Promise<Loop> {
      await using server = await openModelServer(scenario);
      const world = { url: server.url, home: join(repo.beside, 'home'), bin };
      const env = name === 'claude' ? await claudeEnv(world) : await codexEnv(world);
      const command = ['loop', TASK, '--agent', name, '--check', CHECK, '--max-iterations', '4', '--json', ...args];
      const ended = await endOf(startRalph(command, { cwd: repo.path, env, withinMs: 150_000 }));
      await until('nothing runs any more', () => processesOf(repo.path, repo.beside).length === 0, 30_000);
      return { ...ended, asked: [...new Map(server.requests.map((request) => [request.session, request] as const)).values()] };
    },
    ralph: (...args: readonly string[]) => ralph(args, { cwd: repo.path }),
    changed: () => repo.git('status', '--porcelain', '--untracked-files=all').split('\n').filter(Boolean),
    [Symbol.asyncDispose]: () => repo[Symbol.asyncDispose](),
  };
}

/** The parts of a prompt by their headings; those of the progress file are below one of ours. */
function partsOf(prompt = ''): Readonly<Record<string, string>> {
  const parts = prompt
    .trimEnd()
    .split(/^## (?!Iteration \d)/m)
    .slice(1);
  return Object.fromEntries(parts.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n')).trim()]));
}

/** How each agent process ended, from the journal. */
const endingsOf = (loop: EndedRun) => eventsOf(loop, 'attempt.ended') as readonly unknown[] as readonly AttemptEnded[];

/** The remaining budget in each prompt. */
const budgetsOf = (loop: EndedRun) =>
  eventsOf(loop, 'attempt.spawned').map(({ command }) => (Array.isArray(command) ? command[command.indexOf('--max-budget-usd') + 1] : null));

/** A command that the end of the run prints, pasted into a shell. */
function paste({ stderr }: EndedRun, verb: string): string {
  const line = stderr.split('\n').find((each) => each.includes('git -C ') && each.includes(` ${verb} `)) ?? 'false';
  return execFileSync('sh', ['-c', line], { encoding: 'utf8' });
}

/** The test edited with the tool this agent has for that. */
function editsTheTest(name: Name, file: string): readonly Turn[] {
  if (name === 'codex') return [run(`apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: ${file}\n@@\n-exit 1\n+exit 0\n*** End Patch\nEOF`)];
  return [call('Read', { file_path: file }), call('Edit', { file_path: file, old_string: 'exit 1', new_string: 'exit 0' })];
}

describe.skipIf(agents.missing).each<Name>(['claude', 'codex'])('a loop of the real %s', (name) => {
  it('is not accepted while a check is red, gets the whole clean context, and ends when the check is green', async () => {
    await using place = await openPlace(name);
    const loop = await place.loop(perSession([run('echo hullo > greeting.txt', 'I write it.'), complete], work));

    expect(loop, loop.stderr).toMatchObject({ code: 0, result: { stop_reason: 'all_checks_passed', done: true, unproven: false, iterations: 2, attempts: 2 } });
    expect(iterationsOf(loop)).toEqual(['red', 'green']);
    const [first, second] = loop.asked.map(({ prompt }) => partsOf(prompt));
    expect(Object.keys(first ?? {})).toEqual(['Task', 'Iteration Instructions']);
    expect(Object.keys(second ?? {})).toEqual([
      'Task',
      'Iteration Instructions',
      'Changes from Previous Iterations',
      'Errors from Previous Iteration',
      'Accumulated Progress',
    ]);
    expect(second?.['Task']).toBe(TASK);
    expect(second?.['Iteration Instructions']).toMatch(
      /iteration 2\/4[\s\S]*- `sh test\/greeting\.sh` \(was red before the first iteration\)[\s\S]*`COMPLETE`/,
    );
    expect(second?.['Changes from Previous Iterations']).toMatch(/^ greeting\.txt \| 1 \+$[\s\S]*^\+\+\+ b\/greeting\.txt$[\s\S]*^\+hullo$/m);
    expect(second?.['Errors from Previous Iteration']).toBe(`### ${CHECK}\n\n\`\`\`\ngreeting.txt does not say hello\n\`\`\``);
    expect(second?.['Accumulated Progress']).toMatch(/^## Iteration 1 — FAIL\n[\s\S]*sh test\/greeting\.sh: FAIL — greeting\.txt does not say hello$/);
    // A fresh agent each time: nothing of the first one's words is in the second one's context.
    expect(loop.asked[1]?.transcript).not.toContain('It is there');
    expect(place.changed()).toEqual(['?? greeting.txt']);
  });

  it('in a worktree has every green iteration committed; what is printed shows and merges it, and its receipt is verified', async () => {
    await using place = await openPlace(name);
    const { repo } = place;
    const loop = await place.loop(perSession([run(WRITE), notYet], [run('echo again >> greeting.txt'), complete]), '--worktree');

    expect(loop, loop.stderr).toMatchObject({ code: 0, result: { stop_reason: 'all_checks_passed', iterations: 2, commits: 2 } });
    const { path, branch } = startOf(loop);
    expect(repo.git('log', '--reverse', '--format=%s', branch).split('\n')).toEqual(['start', `Iteration 1: ${TASK}`, `Iteration 2: ${TASK}`]);
    expect(repo.git('-C', path, 'status', '--porcelain')).toBe('');
    expect(place.changed()).toEqual([]);
    expect(paste(loop, 'diff')).toMatch(/^\+\+\+ b\/greeting\.txt$[\s\S]*^\+hello\n\+again$/m);

    const receipt = receiptFrom(repo.git('notes', '--ref=ralph', 'show', branch));
    expect(receipt).toEqual(receiptOf(loop));
    expect(receipt).toMatchObject({ run: loop.result?.run_id, commit: repo.git('rev-parse', branch), tree: repo.git('rev-parse', `${branch}^{tree}`) });
    expect(receipt).toMatchObject({ agent: expect.stringContaining(name), checks: [{ command: CHECK, exit_code: 0, was_red: true }] });
    // Codex tells only its tokens; Ralph has a list price for its model.
    expect(receipt.cost_usd).toEqual(expect.any(Number));

    paste(loop, 'merge');
    expect(readFileSync(join(repo.path, 'greeting.txt'), 'utf8')).toBe('hello\nagain\n');
    const verified = await place.ralph('verify');
    expect(verified, verified.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Verified: 1 check green in a fresh checkout') });
  });

  it('that edits a protected test has it reverted, and the next one is told', async () => {
    await using place = await openPlace(name);
    const file = join(place.repo.path, 'test', 'greeting.sh');
    const loop = await place.loop(perSession([...editsTheTest(name, file), complete], work), '--protect', 'test/**');

    expect(loop, loop.stderr).toMatchObject({ code: 0, result: { stop_reason: 'all_checks_passed', iterations: 2 } });
    const [restored] = eventsOf(loop, 'paths.restored');
    expect(restored?.['paths']).toEqual(['test/greeting.sh']);
    expect(place.repo.git('show', `${restored?.['kept']}:test/greeting.sh`)).toBe(TEST.trim().replace('exit 1', 'exit 0'));
    expect(partsOf(loop.asked[1]?.prompt)['Errors from Previous Iteration']).toMatch(
      /You changed what is protected, and it was put back: .*test\/greeting\.sh/,
    );
    expect(readFileSync(file, 'utf8')).toBe(TEST);
    expect(place.changed()).toEqual(['?? greeting.txt']);
  });

  it('that edits the same test without protection and claims it twice stops for a person', async () => {
    await using place = await openPlace(name);
    const loop = await place.loop(perSession([...editsTheTest(name, join(place.repo.path, 'test', 'greeting.sh')), complete], [complete]));

    expect(loop, loop.stderr).toMatchObject({ code: 3, result: { stop_reason: 'held', done: false, iterations: 2, receipt: null } });
    expect(loop.stderr).toContain('Held: green only because tests or settings were changed: test/greeting.sh');
    expect(loop.stderr).toContain(`ralph accept ${loop.result?.run_id}`);
    expect(place.changed()).toEqual(['M test/greeting.sh']);
  });
});

describe.skipIf(agents.missing).concurrent.each<Name>(['claude', 'codex'])('the real %s, when its time is up,', (name) => {
  it('is stopped with its tools; its files stay and are checked, and the run ends', async () => {
    await using place = await openPlace(name);
    const loop = await place.loop([run(`${WRITE}; sleep 618`), complete], '--max-time', LONG_ENOUGH);

    expect(loop, loop.stderr).toMatchObject({ code: 1, result: { stop_reason: 'timeout', done: false, iterations: 1, receipt: null } });
    expect(loop.result?.message).toBe(`Time limit of ${LONG_ENOUGH} reached`);
    expect(endingsOf(loop)).toMatchObject([{ verdict: 'failed', why: expect.stringMatching(CUT), ending: { kind: 'stopped', cause: 'deadline' } }]);
    expect(judgedGates(loop).at(-1)).toMatchObject([{ green: true }]);
    expect(iterationsOf(loop)).toEqual(['failed']);
    expect(place.changed()).toEqual(['?? greeting.txt']);
  });

  it('has a successor that gets the reason and sees its files', async () => {
    await using place = await openPlace(name);
    const loop = await place.loop(perSession([run('echo hullo > greeting.txt'), hang], work), '--iteration-timeout', LONG_ENOUGH);

    expect(loop, loop.stderr).toMatchObject({ code: 0, result: { stop_reason: 'all_checks_passed', iterations: 2, attempts: 2 } });
    expect(iterationsOf(loop)).toEqual(['failed', 'green']);
    const told = partsOf(loop.asked[1]?.prompt);
    expect(told['Execution Error']?.split('\n')[1]).toMatch(CUT);
    expect(told['Changes from Previous Iterations']).toMatch(/^\+hullo$/m);
  });
});

describe.skipIf(agents.missing)('a cost limit', () => {
  it('is passed to claude as the remaining budget; claude stops there by itself, its work is checked, and the run ends', async () => {
    await using place = await openPlace('claude');
    const endless = () => run(`${WRITE}; echo more >> notes.txt`);
    const loop = await place.loop(perSession([run('true'), notYet], endless), '--model', 'opus', '--max-cost', '0.02');

    expect(loop, loop.stderr).toMatchObject({ code: 1, result: { stop_reason: 'budget_exhausted', done: false, iterations: 2, cost_estimated: false } });
    expect(loop.result?.message).toMatch(/^Cost limit of \$0\.02 reached: \$0\.02\d\d spent$/);
    const [first, last] = endingsOf(loop);
    const left = 0.02 - (first?.spent?.cost_usd ?? 0);
    expect(budgetsOf(loop)).toEqual(['0.0200', left.toFixed(4)]);
    expect([first?.verdict, last?.verdict]).toEqual(['ok', 'failed']);
    expect(last?.why).toMatch(/^Reached maximum budget/);
    expect(last?.spent?.cost_usd).toBeCloseTo(left, 2);
    expect(judgedGates(loop).at(-1)).toMatchObject([{ green: true }]);
    expect(place.changed()).toEqual(['?? greeting.txt', '?? notes.txt']);
  });

  it('is enforced for codex with the prices in the settings, and the total is marked as estimated', async () => {
    // Each request takes 100 tokens at 100 dollars a million and gives 20 at 1000: 3 cents.
    await using place = await openPlace('codex', { prices: { 'gpt-5*': { input: 100, output: 1000 } } });
    const loop = await place.loop(perSession([run('true'), notYet], [run('true'), notYet]), '--model', 'gpt-5.4', '--max-cost', '0.1');

    expect(loop, loop.stderr).toMatchObject({ code: 1, result: { stop_reason: 'budget_exhausted', done: false, iterations: 2, cost_estimated: true } });
    expect(loop.result?.cost_usd).toBeCloseTo(0.12);
    expect(loop.stderr).toContain('  spent       $0.12 (estimated)');
  });

  it.each([
    ['its model is not named', []],
    ['the operator has no price for its model', ['--model', 'gpt-5.4']],
  ])('is enforced for codex with list prices when %s', async (_case, args) => {
    await using place = await openPlace('codex', { prices: { 'gpt-4*': { input: 1, output: 1 } } });
    const loop = await place.loop(perSession([run('true'), notYet], [run('true'), notYet]), '--max-cost', '0.0005', ...args);

    expect(loop, loop.stderr).toMatchObject({ code: 1, result: { stop_reason: 'budget_exhausted', cost_estimated: true, cost_limit_unseen: false } });
    expect(loop.stderr).toContain('"codex": estimated from tokens by list prices of');
  });
});
