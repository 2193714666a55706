// Deep: the wall is held against a hostile agent; here the real ones work behind it.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../support/bubblewrap.ts';
import { CHECK, complete, type EnclosedAgent, filesWith, MODEL_KEY, openEnclosedAgent, TASK } from '../support/enclosed-agent.ts';
import { runningWithCommand } from '../support/live-processes.ts';
import { eventsOf } from '../support/loop-stage.ts';
import { perSession, type Turn } from '../support/model-server/scenario.ts';
import { call, run, say } from '../support/model-server/turns.ts';
import { expectRealAgents } from '../support/real-agents.ts';
import { type EndedRun, iterationsOf } from '../support/stage.ts';
import { approval, commits, expectTidy, handsIn, messages, openStoriesAgent, writes } from '../support/stories-agent.ts';
import { story } from '../support/stories-stage.ts';
import { until } from '../support/until.ts';

const agents = expectRealAgents();
const missing = [agents.missing, bubblewrapIsMissing()].includes(true);

type Name = 'claude' | 'codex';

const OS = '--sandbox=os';
const WRITE = run('echo hello > greeting.txt');

const told = (agent: EnclosedAgent, { stderr }: EndedRun) => `${stderr}\n${agent.toolResults().join('\n---\n')}`;

/** Which model claude talks to is told by a variable. Codex has it in a file of its own, and the operator has to allow it. */
const reaching = (name: Name, { modelHost }: EnclosedAgent) => (name === 'claude' ? [] : ['--allow-host', modelHost]);

/** The same file written wrong, then mended, each with what this agent has for that. */
function wrongThenRight(name: Name, file: string): readonly [readonly Turn[], readonly Turn[]] {
  if (name === 'claude')
    return [
      [call('Write', { file_path: file, content: 'hullo\n' })],
      [call('Read', { file_path: file }), call('Edit', { file_path: file, old_string: 'hullo', new_string: 'hello' })],
    ];
  const patch = (lines: string) => run(`apply_patch <<'EOF'\n*** Begin Patch\n${lines}\n*** End Patch\nEOF`);
  return [[patch(`*** Add File: ${file}\n+hullo`)], [patch(`*** Update File: ${file}\n@@\n-hullo\n+hello`)]];
}

describe.skipIf(missing).each<Name>(['claude', 'codex'])('the real %s in the os sandbox', (name) => {
  it('edits, runs, is told what is red, and is done; its loop commits, and nobody had to call this machine a sandbox', async () => {
    await using agent = await openEnclosedAgent(agents, name, {
      scenario: ({ repo }) => {
        const [wrong, right] = wrongThenRight(name, join(repo.path, 'greeting.txt'));
        return perSession([...wrong, run(CHECK), complete], [...right, run(`${CHECK} && echo green`), complete]);
      },
    });
    const loop = await agent.loop(OS, ...reaching(name, agent), '--commit');

    expect(loop, told(agent, loop)).toMatchObject({
      code: 0,
      result: { stop_reason: 'all_checks_passed', done: true, unproven: false, iterations: 2, attempts: 2, commits: 1 },
    });
    expect(loop.result?.sandbox).toMatchObject({ mode: 'os', forced: true, gates: 'inside', refused_count: 0, refused: [] });
    expect(iterationsOf(loop)).toEqual(['red', 'green']);
    expect(agent.asked()[1]?.transcript).toContain('greeting.txt does not say hello');
    expect(agent.toolResults().at(-1)).toMatch(/^green$/m);
    expect(agent.repo.git('log', '--reverse', '--format=%s').split('\n')).toEqual(['start', `Iteration 2: ${TASK}`]);
    expect(agent.repo.git('status', '--porcelain')).toBe('');
    // Two walls would be in each other's way: its own is off.
    const commands = eventsOf(loop, 'attempt.spawned').map(({ command }) => JSON.stringify(command));
    expect(commands.every((command) => command.includes(WITHOUT_ITS_OWN[name]))).toBe(true);
    // What it remembers of its sessions is in the home.
    expect(filesWith('hullo', join(agent.home, SESSIONS[name]))).not.toEqual([]);
  });

  it('gets nowhere with what a shell outside can do, and the report says what was refused', async () => {
    await using elsewhere = await openService();
    const attempts = attemptsFor(elsewhere.port);
    await using agent = await openEnclosedAgent(agents, name, {
      scenario: () => [...attempts.map(({ tries }) => run(`(${tries}) && echo GOT IN`)), WRITE, complete],
      files: { '.ssh/id_x': 'a private key\n', '.profile': '' },
    });
    const loop = await agent.loop(OS, ...reaching(name, agent));

    expect(loop, told(agent, loop)).toMatchObject({ code: 0, result: { stop_reason: 'all_checks_passed', iterations: 1 } });
    const answers = agent.toolResults();
    for (const [at, { tries, fails }] of attempts.entries()) {
      expect(answers[at], tries).toMatch(fails);
      expect(answers[at], tries).not.toContain('GOT IN');
    }
    expect(elsewhere.visits()).toBe(0);
    const { sandbox } = loop.result ?? {};
    const refused = sandbox?.refused.map(({ what, target }) => `${what} ${target}`).join('\n') ?? '';
    for (const what of REFUSED) expect(refused).toMatch(what);
    expect(sandbox?.refused_count).toBe(sandbox?.refused.length);
    expect(JSON.parse(readFileSync(join(loop.result?.run_folder ?? '', 'run.json'), 'utf8')).sandbox).toEqual(sandbox);
    expect(loop.stderr).toContain(' by the sandbox: ');

    for (const { tries } of attempts.filter(({ fails }) => fails !== NO_SUCH_HOST)) {
      const { stdout } = await inAShellOutside(`(${tries}) && echo GOT IN`, agent);
      expect(stdout, tries).toContain('GOT IN');
    }
  });
});

const WITHOUT_ITS_OWN = { claude: '"--dangerously-skip-permissions"', codex: '"--dangerously-bypass-approvals-and-sandbox"' };
const SESSIONS = { claude: '.claude/projects', codex: '.codex/sessions' };

/** In small letters, it is zsh that says so: claude takes it where it is installed. */
const READ_ONLY = /Read-only file system/i;
const NO_SUCH_HOST = /403|refused/i;

/** What an agent could do to the machine, and how it comes to nothing. */
const attemptsFor = (port: number) => [
  { tries: 'cat ~/.profile', fails: /No such file/ },
  { tries: 'cat ~/.ssh/id_x', fails: /No such file/ },
  { tries: "printf '#!/bin/sh\\n' >.git/hooks/pre-commit", fails: READ_ONLY },
  { tries: 'echo {} | tee -a .git/ralph/runs/*/journal.jsonl', fails: READ_ONLY },
  { tries: `curl -sS --max-time 10 http://127.0.0.1:${port}/`, fails: /refused|connect/i },
  { tries: `curl -sSf --max-time 10 --noproxy '' http://127.0.0.1:${port}/`, fails: /403|refused/i },
  { tries: 'curl -sSf --max-time 10 http://elsewhere.invalid/', fails: NO_SUCH_HOST },
];

/** The kernel tells nobody whom it refuses a read: only what complains is seen. */
const REFUSED = [/^write .*pre-commit/m, /^write .*journal\.jsonl/m, /^network elsewhere\.invalid/m, /^network 127\.0\.0\.1/m];

async function inAShellOutside(command: string, { repo, env }: EnclosedAgent) {
  return await promisify(execFile)('sh', ['-c', command], { cwd: repo.path, env });
}

/** Something on this machine that is not the model. */
async function openService() {
  let visits = 0;
  const server = createServer((_request, response) => {
    visits += 1;
    response.end('inside of the intranet');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    visits: () => visits,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

describe.skipIf(missing)('the login of the real claude in the sandbox', () => {
  const LOGIN = '{"login":"of a test"}';

  it('can be used and renewed; nothing can be left in it that runs outside', async () => {
    const plants = [
      'echo evil >~/.claude/settings.json',
      'echo evil >~/.claude/CLAUDE.md',
      'mkdir -p ~/.claude/commands && echo evil >~/.claude/commands/x.md',
    ];
    await using agent = await openEnclosedAgent(agents, 'claude', {
      scenario: () => [
        run('cat ~/.claude/.credentials.json && echo renewed >>~/.claude/.credentials.json'),
        ...plants.map((command) => run(command)),
        WRITE,
        complete,
      ],
      files: { '.claude/.credentials.json': `${LOGIN}\n`, '.claude/settings.json': '{}\n' },
    });
    const loop = await agent.loop(OS);

    expect(loop, told(agent, loop)).toMatchObject({ code: 0, result: { stop_reason: 'all_checks_passed' } });
    const [read, settings] = agent.toolResults();
    expect(read).toContain(LOGIN);
    expect(settings).toMatch(READ_ONLY);
    const inLogin = (file: string) => join(agent.home, '.claude', file);
    expect(readFileSync(inLogin('.credentials.json'), 'utf8')).toBe(`${LOGIN}\nrenewed\n`);
    expect(readFileSync(inLogin('settings.json'), 'utf8')).toBe('{}\n');
    expect(existsSync(inLogin('CLAUDE.md'))).toBe(false);
    expect(existsSync(inLogin('commands/x.md'))).toBe(false);
    const planted = loop.result?.sandbox?.refused.filter(({ what }) => what === 'planted').map(({ target }) => target);
    expect(planted).toEqual([inLogin('CLAUDE.md'), inLogin('commands')]);
  });
});

describe.skipIf(missing)('the key of the model', () => {
  it('is used by the real claude, and stands nowhere in what is shown or kept of the run', async () => {
    await using agent = await openEnclosedAgent(agents, 'claude', { scenario: () => [run('env; echo "my key is $ANTHROPIC_API_KEY"'), WRITE, complete] });
    const loop = await agent.loop(OS, '--verbose', '--commit', '--report-file', 'report.md');

    expect(loop, loop.stderr).toMatchObject({ code: 0, result: { stop_reason: 'all_checks_passed' } });
    expect(agent.toolResults()[0]).toContain(`my key is ${MODEL_KEY}`);
    expect(agent.asked()[0]?.headers['x-api-key']).toBe(MODEL_KEY);
    expect(loop.stderr + loop.stdout).not.toContain(MODEL_KEY);
    expect(loop.stderr).toContain('my key is ');
    // What it printed is kept as it came, for nobody but the operator.
    const raw = join(loop.result?.run_folder ?? '', 'iterations', '001', '1-work', 'agent.jsonl');
    expect(filesWith(MODEL_KEY, agent.repo.path)).toEqual([raw]);
    expect(statSync(raw).mode & 0o777).toBe(0o600);
  });
});

describe.skipIf(missing)('Ctrl-C at a loop of the real claude in the sandbox', () => {
  /** One that nobody else on this machine sleeps. */
  const SLEEP = `sleep 6190${process.pid}`;

  it('ends it in time, by a SIGINT of which it hears, and nothing is left running', async () => {
    await using agent = await openEnclosedAgent(agents, 'claude', { scenario: () => [run(SLEEP), complete] });
    const running = agent.begin('loop', TASK, '--agent', 'claude', '--check', CHECK, '--json', OS);
    await until('its tool runs', () => runningWithCommand(SLEEP.replace(' ', '\0')).length > 0, 60_000);
    const pressedMs = performance.now();
    process.kill(-(running.child.pid ?? Number.NaN), 'SIGINT');
    const loop = await agent.over(running);

    expect(loop, loop.stderr).toMatchObject({ code: 130, result: { stop_reason: 'interrupted', done: false } });
    // It has ended itself: nobody had to kill it.
    expect(eventsOf(loop, 'attempt.ended')).toMatchObject([{ ending: { kind: 'stopped', cause: 'cancelled', signal: null }, tools: 1, tool_errors: 1 }]);
    expect(performance.now() - pressedMs).toBeLessThan(20_000);
    expect(runningWithCommand(SLEEP.replace(' ', '\0'))).toEqual([]);
  });
});

describe.skipIf(missing)('a story that the real claude works on in the sandbox', () => {
  it('is implemented, reviewed and approved; its hooks reach the door of the loop, and keep it from approving itself', async () => {
    const { implement, approved } = messages('US-001');
    const boasts = [
      run([writes('US-001'), approval('US-001'), commits(implement)].join(' && ')),
      say('US-001 is done and approved.'),
      run([handsIn('US-001'), commits('fix: leave the approval to a review')].join(' && ')),
      say('Done.'),
    ];
    await using crew = await openStoriesAgent(agents, { name: 'claude', stories: [story('US-001')], parts: { 'implement US-001': [boasts] } });
    const ended = await crew.work(OS);

    expect(
      ended,
      `${ended.stderr}
${crew.told()}`,
    ).toMatchObject({
      code: 0,
      result: { stop_reason: 'completed', done: true, iterations: 2, attempts: 2, stories: { approved: 1 }, sandbox: { mode: 'os', refused_count: 0 } },
    });
    expect(eventsOf(ended, 'stop.refused')).toMatchObject([{ blocks: 1, let_go: false }]);
    expect(crew.turns().map(({ turn }) => turn)).toEqual(['implement US-001', 'review US-001']);
    expect(crew.subjects()).toEqual([implement, 'fix: leave the approval to a review', approved]);
    expectTidy(crew);
  });
});
