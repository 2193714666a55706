import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openGitPlace, type Place } from '../support/place.ts';
import { ralph } from '../support/ralph.ts';

/** One known only by its variable name, one only by its form, and both with several lines. Assembled here, so that secret scanners do not report them. */
const NAMED = 'hunter2-correct-"horse"';
const KEY = ['sk', 'ant', 'api03', 'a1B2c3D4e5F6g7H8i9J0k1L2'].join('-');
const KEY_LINES = ['MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj', 'AgEAAoIBAQC7VJTUt9Us8cKj'];
const PEM = ['-----BEGIN PRIVATE KEY-----', ...KEY_LINES, '-----END PRIVATE KEY-----'].join('\n');
const SECRETS = [NAMED, 'correct-', KEY, KEY.slice(9), ...KEY_LINES, encodeURIComponent(NAMED), Buffer.from(`me:${NAMED}`).toString('base64').slice(4, -4)];
const ENV = { ANTHROPIC_API_KEY: NAMED };

/** Prints all of them: in its text, in a tool's input and output, on stderr, at once and in pieces. */
const AGENT = `
const fs = require('node:fs');
const [named, key, pem] = ${JSON.stringify([NAMED, KEY, PEM])};
const call = fs.readdirSync('.').filter((name) => name.startsWith('call.')).length + 1;
fs.writeFileSync('call.' + call, fs.readFileSync(0));
const print = (event) => process.stdout.write(JSON.stringify(event) + '\\n');
const say = (content) => print({ type: 'assistant', message: { role: 'assistant', model: 'm', content: [content] }, session_id: 's' });
const all = [named, key, pem, encodeURIComponent(named), Buffer.from('me:' + named).toString('base64')].join(' ');
print({ type: 'system', subtype: 'init', session_id: 's', model: 'm', tools: [] });
say({ type: 'text', text: 'It is ' + all });
say({ type: 'text', text: 'And again ' + named.slice(0, 12) });
say({ type: 'text', text: named.slice(12) + ', as I said.' });
say({ type: 'thinking', thinking: all });
say({ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'echo ' + all, description: all } });
print({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: all, is_error: true }] }, session_id: 's' });
process.stdout.write('no JSON: ' + all + '\\n');
process.stderr.write(all + '\\n');
if (call === 2) fs.writeFileSync('done.txt', '');
const result = call === 1 ? 'I give up: ' + all : all + '\\n<COMPLETE/>\\nDONE';
print({ type: 'result', subtype: 'success', is_error: false, result, session_id: 's', num_turns: 1, total_cost_usd: 0.01, usage: {} });
`;

/** Red the first time; prints all of them on both streams, one of them split. */
const GATE = `
const [named, key, pem] = ${JSON.stringify([NAMED, KEY, PEM])};
process.stdout.write('not yet: ' + named.slice(0, 9));
setTimeout(() => {
  process.stderr.write('while ' + key + ' is said\\n');
  setTimeout(() => {
    process.stdout.write(named.slice(9) + ' and ' + key + '\\n' + pem + '\\nthe end\\n');
    process.exitCode = require('node:fs').existsSync('done.txt') ? 0 : 1;
  }, 50);
}, 50);
`;

async function openStageOfSecrets(): Promise<Place> {
  const place = await openGitPlace();
  await place.write('agent.cjs', AGENT);
  await place.write('gate.cjs', GATE);
  place.git('add', '-A');
  place.git('commit', '-q', '-m', 'agent and gate');
  return place;
}

const AGENT_FLAGS = ['--agent', 'node agent.cjs', '--agent-kind', 'stream-json'];

/** The files in a folder that contain one of them, as relative paths. */
function leaksIn(folder: string): readonly string[] {
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile());
  return files.filter((name) => holdsASecret(readFileSync(join(folder, name), 'utf8'))).sort();
}

function holdsASecret(text: string): boolean {
  return SECRETS.some((secret) => text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1)));
}

/** The commands that show a run afterwards. */
async function toldAfterwards(place: Place, run: string): Promise<readonly string[]> {
  const tail = ['runs', 'tail', run, '-n', '1000'];
  const commands = [
    ['runs', 'list', '--json'],
    ['runs', 'show', run],
    ['runs', 'show', run, '--json'],
    tail,
    [...tail, '--json'],
    ['status', run],
    ['status', run, '--json'],
  ];
  const all = await Promise.all(commands.map((args) => ralph(args, { cwd: place.path, env: { HOME: place.beside, XDG_RUNTIME_DIR: place.beside, ...ENV } })));
  for (const { code, stderr } of all) expect(code, stderr).toBe(0);
  return all.map(({ stdout, stderr }) => stdout + stderr);
}

describe('secrets of agents and gates stay inside:', () => {
  it.each([
    ['run', ['run', '-p', 'Do the work.', '-m', '3', '--guardrail', 'node gate.cjs', ...AGENT_FLAGS]],
    ['run, told in full', ['run', '-p', 'Do the work.', '-m', '3', '--guardrail', 'node gate.cjs', '--verbose', ...AGENT_FLAGS]],
    ['loop', ['loop', 'Do the work.', '--max-iterations', '3', '--check', 'node gate.cjs', ...AGENT_FLAGS]],
  ])('ralph %s', async (_, args) => {
    await using place = await openStageOfSecrets();
    const run = await place.ralph(args, { env: ENV });

    expect(run.stdout + run.stderr).toContain('[redacted]');
    expect(holdsASecret(run.stdout)).toBe(false);
    expect(holdsASecret(run.stderr)).toBe(false);
    // Only the raw log of the agent contains them, and only its owner can read it.
    const runs = join(place.path, '.git/ralph/runs');
    const leaks = leaksIn(runs);
    expect(leaks.map((name) => name.replace(/^.*\//, ''))).toEqual(expect.arrayContaining(['agent.jsonl', 'agent.stderr']));
    expect(leaks.filter((name) => !/\/agent\.(jsonl|stderr)$/.test(name))).toEqual([]);
    for (const name of leaks) expect(statSync(join(runs, name)).mode & 0o777).toBe(0o600);
    expect(leaksIn(join(place.path, '.ralph')).filter((name) => !name.startsWith('runs/'))).toEqual([]);
    // The next prompt contains the red output without them.
    const second = readFileSync(join(place.path, 'call.2'), 'utf8');
    expect(second).toContain('the end');
    expect(second).toContain('[redacted]');
    expect(holdsASecret(second)).toBe(false);
    const [id = ''] = readdirSync(runs);
    for (const told of await toldAfterwards(place, id)) expect(holdsASecret(told), told).toBe(false);
  });

  it('ralph supervise, and the bus of its task', async () => {
    await using place = await openStageOfSecrets();
    const root = join(place.path, 'tasks');
    const run = await place.ralph(
      ['supervise', '--root', root, '--project', 'demo', '--task', 't-1', '-p', 'Do the work.', '--max-restarts', '1', '--restart-delay', '0s', ...AGENT_FLAGS],
      { env: ENV },
    );

    expect(existsSync(join(place.path, 'call.1')), run.stderr).toBe(true);
    expect(holdsASecret(run.stdout + run.stderr)).toBe(false);
    expect(leaksIn(root).filter((name) => !/\/agent\.(jsonl|stderr)$|\/prompt\.md$/.test(name))).toEqual([]);
  });
});

describe('only the owner can read prompts and output:', () => {
  it('every file and folder of a run', async () => {
    await using place = await openStageOfSecrets();
    await place.ralph(['loop', 'Do the work.', '--max-iterations', '3', '--check', 'node gate.cjs', ...AGENT_FLAGS], { env: ENV });
    const open = (folder: string) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isSymbolicLink() && (statSync(join(entry.parentPath, entry.name)).mode & 0o077) !== 0)
        .map((entry) => entry.name);

    expect(open(join(place.path, '.git/ralph'))).toEqual([]);
    expect(open(join(place.path, '.ralph')).filter((name) => !['.gitignore', 'settings.json', 'runs'].includes(name))).toEqual([]);
    expect(place.git('status', '--porcelain')).not.toContain('.ralph');
  });
});
