// Deep: recorded streams cover the output of each agent.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addEvent, attemptVerdict, startSummary } from '../../src/agents/attempt/attempt-summary.ts';
import { definitionNamed } from '../../src/agents/find-definition.ts';
import { openCliAgent } from '../../src/agents/open-agent.ts';
import type { AgentEvent } from '../../src/journal/words/agent-event.ts';
import { always, type Scenario } from '../support/model-server/scenario.ts';
import { openModelServer } from '../support/model-server/server.ts';
import { apiError, run, say, usageLimit } from '../support/model-server/turns.ts';
import { nobody } from '../support/process-request.ts';
import { binFolder, claudeEnv, codexEnv, expectRealAgents } from '../support/real-agents.ts';
import { openThrowAwayFolder } from '../support/throw-away-folder.ts';

const agents = expectRealAgents();
const resetsAtMs = Date.UTC(2040, 0, 2, 3, 4);

type Name = 'claude' | 'codex';

/** One call through the port, in text mode, in a folder without git; only the model is scripted. */
async function askForText(name: Name, scenario: Scenario, { subscriber = false, flags = [] as readonly string[] } = {}) {
  await using folder = await openThrowAwayFolder();
  await using server = await openModelServer(scenario);
  const world = { url: server.url, home: join(folder.path, 'home'), bin: await binFolder(agents, folder.path) };
  const env = name === 'claude' ? await claudeEnv({ ...world, subscriber }) : await codexEnv(world);
  const agent = openCliAgent({
    definition: definitionNamed(name),
    command: name,
    flags,
    model: null,
    autonomy: 'full',
    env,
    asRoot: process.getuid?.() === 0,
    insideGit: false,
    enclosed: false,
    cacheFolder: join(folder.path, 'cache'),
    guardian: nobody,
    nowMs: Date.now,
  });
  const attempt = join(folder.path, 'attempt');
  await mkdir(attempt);
  const limits = { idleMs: 0, deadlineMs: 90_000, maxOutputBytes: 0, lingerMs: 0, budgetUsd: null };
  const request = { prompt: 'Provide a message.', output: 'text' as const, marker: `text/${process.pid}`, cwd: folder.path, folder: attempt, ...limits };
  const events: AgentEvent[] = [];
  const ending = await agent.run(request, { onSpawned() {}, onEvent: (event) => events.push(event) }, AbortSignal.timeout(120_000));
  const said = events.flatMap((event) => (event.type === 'message' ? [event.text] : []));
  const verdict = attemptVerdict(events.reduce(addEvent, startSummary()), ending);
  return { speaks: agent.outputFormat('text'), ending, events, said, verdict, prompts: server.requests.map(({ prompt }) => prompt) };
}

describe.skipIf(agents.missing).each<Name>(['claude', 'codex'])('the real %s, asked for text', (name) => {
  it('prints only its final message, line by line', async () => {
    const answer = 'Add the answer\n\nIt was missing: "$(rm -rf .)" ünïcödé.';
    const { speaks, said, ending, events, verdict, prompts } = await askForText(name, [run('echo seen', 'Let me look.'), say(answer)]);

    expect(speaks).toBe('lines');
    expect(said.join('\n')).toBe(answer);
    expect(events.at(-1)).toEqual({ type: 'turn.finished', ok: true, text: '', reason: 'exited' });
    expect(ending).toEqual({ kind: 'exited', code: 0 });
    expect(verdict).toBe('ok');
    expect(prompts).toEqual(['Provide a message.', 'Provide a message.']);
  });

  it('is limited at a usage limit until the end that it tells, so that its output does not count as an answer', async () => {
    const { ending, events, verdict } = await askForText(name, always(usageLimit(resetsAtMs)), { subscriber: true });

    expect(ending).toEqual({ kind: 'exited', code: 1 });
    expect(verdict).toBe('limited');
    const told = events.flatMap((event) => (event.type === 'rate_limit' ? [new Date(event.resetsAtMs ?? 0).toISOString()] : []));
    // Neither tells the seconds, so the end of that minute counts; claude tells no year either.
    expect(told).toEqual([expect.stringMatching(name === 'codex' ? /^2040-01-02T03:05:00/ : /-01-02T03:05:00/)]);
  });

  it('cannot go on when the provider refuses the key', async () => {
    const { ending, verdict } = await askForText(name, always(apiError(401)));

    expect(ending).toEqual({ kind: 'exited', code: 1 });
    expect(verdict).toBe('fatal');
  });

  it('prints nothing and fails if the model says nothing', async () => {
    const { ending, said, verdict } = await askForText(name, always(say('')));

    expect(said.join('').trim()).toBe('');
    expect(ending).toEqual({ kind: 'exited', code: 0 });
    expect(verdict).toBe('empty');
  });
});

describe.skipIf(agents.missing).each<[Name, string]>([
  ['claude', '--include-partial-messages'],
  ['codex', '--json'],
])('the real %s with %s of the operator', (name, flag) => {
  it('answers with events, the last of which is its answer', async () => {
    const { speaks, said, events, verdict } = await askForText(name, [say('Add the answer')], { flags: [flag] });

    expect(speaks).toBe('events');
    expect(said).toEqual(['Add the answer']);
    expect(events.some(({ type }) => type === 'usage')).toBe(true);
    expect(verdict).toBe('ok');
  });
});

describe.skipIf(agents.missing)('where a limit is told in text mode', () => {
  it('claude prints it on stdout, as if it were its answer', async () => {
    const { said } = await askForText('claude', always(usageLimit(resetsAtMs)), { subscriber: true });
    expect(said).toEqual([expect.stringMatching(/^You've hit your session limit · resets /)]);
  });

  it('codex prints nothing on stdout', async () => {
    expect((await askForText('codex', always(usageLimit(resetsAtMs)))).said).toEqual([]);
  });
});
