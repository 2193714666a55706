import { execFileSync } from 'node:child_process';
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { endsAnAgentThatStays, honoursTheAgentContract, keepsToItsEvents, printsTextWhenAsked } from '../../test/contracts/agent.ts';
import type { AgentAtHand, Behaviour } from '../../test/contracts/agent-at-hand.ts';
import { openStandIn, type Script } from '../../test/contracts/agent-stand-in.ts';
import { nobody } from '../../test/support/process-request.ts';
import { recordedAt } from '../../test/support/recorded-streams.ts';
import type { AgentEvent } from '../journal/words/agent-event.ts';
import type { ProcessIdentity } from '../process/process-request.ts';
import type { AgentDefinition } from './agent-definition.ts';
import { definitions } from './definitions.ts';
import { definitionNamed } from './find-definition.ts';
import { type CliAgentOptions, openCliAgent } from './open-agent.ts';

/** A successful and a failed run of each agent. Formats without recordings of their own use claude's. */
const streams: Readonly<Record<string, readonly [good: string, failed: string]>> = {
  claude: ['claude/tool-ok', 'claude/401'],
  codex: ['codex/tool-ok', 'codex/401'],
  amp: ['claude/tool-ok', 'claude/401'],
  opencode: ['opencode/tool-ok', 'opencode/401'],
  gemini: ['gemini/plain-text', 'gemini/429-persistent'],
  'stream-json': ['claude/tool-ok', 'claude/401'],
  command: ['codex/plain-text', 'codex/401'],
};

/** The flag that makes the real agents stream; without it they print text. */
const streamsWith: Readonly<Record<string, string>> = {
  claude: ' stream-json ',
  codex: ' --json ',
  amp: ' --stream-json ',
  opencode: ' --format json ',
  gemini: ' stream-json ',
};

const path = process.env['PATH'] ?? '';
const optionsFor = (definition: AgentDefinition, command: string, folder: string): CliAgentOptions => ({
  definition,
  command,
  flags: [],
  model: null,
  autonomy: 'full',
  env: { PATH: path, HOME: folder, TZ: 'UTC' },
  asRoot: false,
  insideGit: true,
  enclosed: false,
  cacheFolder: join(folder, 'cache'),
  nowMs: recordedAt.nowMs,
  guardian: nobody,
});

function scriptOf(agent: string, behaviour: Behaviour): Script {
  const [good = null, failed = null] = streams[agent] ?? [];
  const form = { streamsWith: streamsWith[agent] ?? '' };
  if (behaviour === 'fails') return { ...form, stream: failed, exitCode: 1, stays: false };
  const speaks = behaviour === 'answers' || behaviour === 'stays';
  return { ...form, stream: speaks ? good : null, exitCode: 0, stays: behaviour === 'stays' || behaviour === 'hangs' };
}

const openerOf =
  (definition: AgentDefinition) =>
  async (behaviour: Behaviour): Promise<AgentAtHand> => {
    const standIn = await openStandIn(definition.name, scriptOf(definition.name, behaviour));
    const folder = join(standIn.folder, 'attempt');
    await mkdir(folder);
    const command = behaviour === 'is-missing' ? `${standIn.command}-not-there` : standIn.command;
    return {
      agent: openCliAgent(optionsFor(definition, command, standIn.folder)),
      folder,
      promptReceived: () => readFile(standIn.given('stdin'), 'utf8'),
      [Symbol.asyncDispose]: () => standIn[Symbol.asyncDispose](),
    };
  };

describe.each(definitions.map((definition) => [definition.name, definition] as const))('%s as an agent', (_name, definition) => {
  honoursTheAgentContract(openerOf(definition));
  // A plain command ends its turn only by its exit.
  if (definition.outputFormat === 'events') endsAnAgentThatStays(openerOf(definition));
  const printsText = ['claude', 'codex', 'amp', 'command'].includes(definition.name);
  (printsText ? printsTextWhenAsked : keepsToItsEvents)(openerOf(definition));
});

describe('a CLI agent', () => {
  const request = (folder: string) => ({
    prompt: 'Go.',
    output: 'events' as const,
    marker: `test/${folder.split('/').at(-1)}`,
    cwd: folder,
    folder,
    idleMs: 0,
    deadlineMs: 30_000,
    maxOutputBytes: 0,
    lingerMs: 0,
    budgetUsd: null,
  });
  const quiet = { onSpawned() {}, onEvent(_event: AgentEvent) {} };
  const never = new AbortController().signal;
  const answers: Script = { stream: 'claude/stdin-prompt', exitCode: 0, stays: false };

  /** Recorded with opencode 1.18.33, whose provider answered 429 with `retry-after: 3600`. */
  const REFUSED =
    'timestamp=2026-11-20T00:17:03.326Z level=ERROR run=8480868c message="stream error" providerID=fake modelID=fake-model session.id=ses_e0 small=false agent=build mode=primary error.error="AI_APICallError: Rate limit reached for requests: 5-hour usage limit reached."';
  const REFUSED_TITLE = REFUSED.replace('small=false agent=build', 'small=true agent=title');

  async function opencodeThat(logs: string, then: string) {
    const standIn = await openStandIn('opencode', { stream: null, exitCode: 0, stays: false });
    await writeFile(standIn.command, `#!/bin/sh\ncat >/dev/null\ncat >&2 <<'LOG'\n${logs}\nLOG\n${then}\n`);
    const events: AgentEvent[] = [];
    const agent = openCliAgent({ ...optionsFor(definitionNamed('opencode'), standIn.command, standIn.folder), silentLimitMs: 300 });
    const ending = await agent.run(request(standIn.folder), { onSpawned() {}, onEvent: (event) => void events.push(event) }, never);
    await standIn[Symbol.asyncDispose]();
    return { ending, events };
  }

  it('that waits for a usage limit without a word is given up, with the limit that its log names', async () => {
    const { ending, events } = await opencodeThat(REFUSED, 'exec sleep 60');
    expect(ending).toMatchObject({ kind: 'stopped', cause: 'cancelled' });
    const words = 'Rate limit reached for requests: 5-hour usage limit reached.';
    expect(events).toEqual([
      { type: 'rate_limit', status: 'rejected' },
      { type: 'error', kind: 'limit', message: words },
      { type: 'turn.finished', ok: false, text: '', reason: 'limit' },
    ]);
  });

  it.each([
    ['goes on after a short limit', REFUSED, `echo '{"type":"text","part":{"text":"hi"}}'; sleep 1`],
    ['could not name its session', REFUSED_TITLE, 'sleep 1'],
  ])('that %s is left alone', async (_name, logs, then) => {
    const { ending, events } = await opencodeThat(logs, then);
    expect(ending).toEqual({ kind: 'exited', code: 0 });
    expect(events.filter(({ type }) => type === 'rate_limit')).toEqual([]);
  });

  it("puts its own words, then ours, then the operator's flags on the command line", async () => {
    await using standIn = await openStandIn('claude', answers);
    const options = optionsFor(definitionNamed('claude'), `env ${standIn.command}`, standIn.folder);
    const agent = openCliAgent({ ...options, flags: ['--model opus', '--append-system-prompt "be brief"'] });
    const line = [
      standIn.command,
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--dangerously-skip-permissions',
      '--model',
      'opus',
      '--append-system-prompt',
      'be brief',
    ];
    expect(await agent.describe(request(standIn.folder))).toEqual(['env', ...line]);
    await agent.run(request(standIn.folder), quiet, never);
    expect((await readFile(standIn.given('args'), 'utf8')).trimEnd().split('\n')).toEqual(line.slice(1));
  });

  it.each([
    ['claude', 'claude', ['--output-format json']],
    ['claude', 'claude', ['--output-format=stream-json']],
    ['claude', 'claude', ['--include-partial-messages']],
    ['claude', 'claude --output-format stream-json --verbose', []],
    ['codex', 'codex', ['--json']],
    ['codex', 'codex', ['--experimental-json']],
    ['amp', 'amp', ['--stream-json-thinking']],
  ])('does not ask %s for text where the operator chose a format: %s %j', async (name, command, flags) => {
    const agent = openCliAgent({ ...optionsFor(definitionNamed(name), `not-there/${command}`, '.'), flags });
    expect(agent.outputFormat('text')).toBe('events');
    expect(await agent.describe({ ...request('.'), output: 'text' })).toEqual(await agent.describe(request('.')));
  });

  it('passes the environment it was opened with, without the markers of a session around us', async () => {
    await using standIn = await openStandIn('claude', answers);
    const options = optionsFor(definitionNamed('claude'), standIn.command, standIn.folder);
    const env = { ...options.env, CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli', CLAUDE_CODE_MAX_RETRIES: '1', MINE: 'yes' };
    await openCliAgent({ ...options, env }).run(request(standIn.folder), quiet, never);
    const given = (await readFile(standIn.given('env'), 'utf8')).split('\n').map((line) => line.split('=', 1)[0]);
    expect(given).toEqual(expect.arrayContaining(['CLAUDE_CODE_MAX_RETRIES', 'MINE', 'RALPH_MARKER']));
    expect(given).not.toContain('CLAUDECODE');
    expect(given).not.toContain('CLAUDE_CODE_ENTRYPOINT');
  });

  it('passes the file of the prompt to a plain command', async () => {
    await using standIn = await openStandIn('my-agent', answers);
    await openCliAgent(optionsFor(definitionNamed('command'), standIn.command, standIn.folder)).run(request(standIn.folder), quiet, never);
    expect(await readFile(standIn.given('env'), 'utf8')).toContain(`RALPH_PROMPT_FILE=${join(standIn.folder, 'prompt.md')}\n`);
  });

  it('reports every process it starts, and its end', async () => {
    await using standIn = await openStandIn('codex', answers);
    const watched: string[] = [];
    const watch = (what: string) => (identity: ProcessIdentity) => watched.push(`${what} ${typeof identity.pid}`);
    const options = {
      ...optionsFor(definitionNamed('codex'), standIn.command, standIn.folder),
      guardian: { ...nobody, watch: watch('started'), forget: watch('ended') },
    };
    await openCliAgent(options).run(request(standIn.folder), quiet, never);
    // Asking for its flags is a process too.
    expect(watched).toEqual(['started number', 'ended number', 'started number', 'ended number']);
  });

  it('does not start without its prompt on disk', async () => {
    await using standIn = await openStandIn('claude', answers);
    const agent = openCliAgent(optionsFor(definitionNamed('claude'), standIn.command, standIn.folder));
    const nowhere = join(standIn.folder, 'not-there');
    expect(await agent.run({ ...request(standIn.folder), folder: nowhere }, quiet, never)).toMatchObject({ kind: 'never-started', reason: 'other' });
    await expect(stat(standIn.given('stdin'))).rejects.toThrow('ENOENT');
  });

  it('replaces existing files by its prompt and output, and writes through no link', async () => {
    await using standIn = await openStandIn('claude', answers);
    const precious = join(standIn.folder, 'precious');
    await writeFile(precious, 'precious');
    await symlink(precious, join(standIn.folder, 'prompt.md'));
    for (const name of ['agent.jsonl', 'agent.stderr']) execFileSync('mkfifo', [join(standIn.folder, name)]);
    const agent = openCliAgent(optionsFor(definitionNamed('claude'), standIn.command, standIn.folder));
    expect(await agent.run(request(standIn.folder), quiet, never)).toEqual({ kind: 'exited', code: 0 });
    expect(await readFile(precious, 'utf8')).toBe('precious');
    expect(await agent.replay(request(standIn.folder), () => undefined)).toBe('replayed');
  });

  it.each([
    ['its complaint on stderr', 'claude', 'echo "error: unknown option" >&2; exit 1', ['the agent exited with code 1: unknown option']],
    ['nothing of a complaint after which it went well', 'claude', 'echo "error: odd" >&2; exit 0', []],
    ['nothing where it left no word', 'claude', 'exit 1', []],
    [
      'what its stream says, and not its stderr',
      'codex',
      `echo '{"type":"turn.failed","error":{"message":"no room"}}'; echo "error: odd" >&2; exit 1`,
      ['no room'],
    ],
  ])('says why it failed: %s', async (_what, name, script, complaints) => {
    await using standIn = await openStandIn(name, answers);
    await writeFile(standIn.command, `#!/bin/sh\n${script}\n`);
    const told: string[] = [];
    const onEvent = (event: AgentEvent) => void (event.type === 'error' && told.push(event.message));
    await openCliAgent(optionsFor(definitionNamed(name), standIn.command, standIn.folder)).run(request(standIn.folder), { ...quiet, onEvent }, never);
    expect(told).toEqual(complaints);
  });

  it('takes a local time relative to the time of writing, however late it is replayed', async () => {
    await using standIn = await openStandIn('codex', { stream: 'codex/usage-limit', exitCode: 1, stays: false });
    const options = optionsFor(definitionNamed('codex'), standIn.command, standIn.folder);
    await openCliAgent({ ...options, nowMs: Date.now }).run(request(standIn.folder), quiet, never);
    const late = openCliAgent({ ...options, nowMs: () => Date.now() + 40 * 86_400_000 });
    const resets: number[] = [];
    await late.replay(request(standIn.folder), (event) => {
      if (event.type === 'rate_limit') resets.push(event.resetsAtMs ?? 0);
    });
    expect(resets).toHaveLength(1);
    expect(Math.abs((resets[0] ?? 0) - Date.now())).toBeLessThan(2 * 86_400_000);
  });

  it.each([
    ['an empty command', { command: ' ' }, 'agent-missing'],
    ['a quote that is never closed', { command: "'claude" }, 'unterminated-word'],
    ['a flag with such a quote', { flags: ['--x "y'] }, 'unterminated-word'],
    ['root without a sandbox', { asRoot: true }, 'claude-as-root'],
  ])('is refused at once for %s', (_what, more, code) => {
    expect(() => openCliAgent({ ...optionsFor(definitionNamed('claude'), 'claude', '.'), ...more })).toThrow(expect.objectContaining({ code }));
  });
});
