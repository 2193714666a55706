import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deepIt } from '../support/deep.ts';
import { type InstalledPackage, installPackage } from '../support/installed-package.ts';
import { cleanEnv } from '../support/ralph.ts';
import { runBinary } from '../support/run-binary.ts';

const root = join(import.meta.dirname, '../..');

/** The size of the tarball. */
const MOST_KB = 1260;

/** A user of the library in plain JavaScript. */
const SCRIPT = `
import { OperatorError, runStatus, startRun } from 'ralph-proof';

const seen = [];
const around = { cwd: process.argv[2], projections: () => [{ onEvent: ({ body }) => seen.push(body.type) }], obeySignals: false, signal: new AbortController().signal };
const prompt = { from: 'text', text: 'Do the work.' };
const { outcome, view } = await startRun({ ...around, prompt, requireProof: true, over: { agent: { command: 'echo DONE' }, guardrails: [{ command: 'true' }] } });
const status = await runStatus(around.cwd, null);
const refusal = await startRun({ ...around, prompt, requireProof: true, over: { agent: { command: 'echo' } } }).catch((error) => error);
console.log(JSON.stringify({ exitCode: outcome.exit_code, done: view.done, status: status.stop_reason, first: seen[0], last: seen.at(-1), refused: refusal instanceof OperatorError && refusal.code }));
`;

/** A loop with an agent that is a function, in plain JavaScript. */
const LOOP = `
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanupProgress, runLoop } from 'ralph-proof';

const loop = runLoop({
  task: 'Do the work.',
  checks: ['test -e work.txt'],
  workspaceRoot: process.argv[2],
  agentFactory: async ({ workspaceRoot }) => {
    await writeFile(join(workspaceRoot, 'work.txt'), '');
    return { text: 'COMPLETE', cost: 0.5 };
  },
});
const seen = [];
for await (const { type } of loop) seen.push(type);
const { success, stopReason, totalCost, iterations } = await loop;
console.log(JSON.stringify({ success, stopReason, totalCost, iterations: iterations.length, first: seen[0], last: seen.at(-1), cleaned: await cleanupProgress(await loop) }));
`;

/** The same with types. A line that must not compile proves that there are types. */
const TYPED = `
import { OperatorError, type Projection, resumeRun, runStatus, type StartOptions, startRun } from 'ralph-proof';

const seen: string[] = [];
const watching: Projection = { onEvent: ({ body }) => void seen.push(body.type) };
const around = { cwd: '.', projections: () => [watching], obeySignals: false, signal: new AbortController().signal };
const options: StartOptions = {
  ...around,
  prompt: { from: 'text', text: 'Do the work.' },
  over: { agent: { command: 'claude' }, guardrails: [{ command: 'npm test' }], maximumIterations: 3 },
  requireProof: true,
};
export const code: Promise<number> = startRun(options).then(({ outcome }) => outcome.exit_code);
export const again: Promise<boolean> = resumeRun({ ...around, run: null }).then(({ view }) => view.done);
export const reason: Promise<string | null> = runStatus('.', null).then(({ stop_reason }) => stop_reason);
export const hint = (error: unknown): string | null => (error instanceof OperatorError ? error.hint : null);
// @ts-expect-error There is no such setting.
export const misspelt: StartOptions['over'] = { maximumIteration: 3 };
// @ts-expect-error An outcome is no number.
export const wrong: Promise<number> = startRun(options).then(({ outcome }) => outcome);
`;

const TYPED_LOOP = `
import { type AgentFactory, cleanupProgress, cleanupWorktree, type LoopConfig, type LoopEvent, type LoopIteration, type LoopResult, runLoop } from 'ralph-proof';

const agents: readonly AgentFactory[] = [
  async ({ prompt, signal }) => (signal.aborted ? undefined : { text: prompt, cost: 0.1, steps: 2, tokens: { input: 1, output: 2 } }),
  ({ model, iteration }) => ({ run: async (prompt, signal) => \`\${model} \${iteration} \${prompt} \${signal.aborted}\` }),
  () => async (prompt) => prompt,
  async () => {},
];
const config: LoopConfig = { task: 'Do the work.', checks: ['npm test'], maxCost: null, agentFactory: agents[0]!, onEvent: (event: LoopEvent) => void event.type };
export const result: Promise<LoopResult> = runLoop(config);
export const iterations: Promise<readonly LoopIteration[]> = result.then((ended) => ended.iterations);
export const cleaned: Promise<boolean> = result.then((ended) => cleanupWorktree(ended)).then(() => cleanupProgress('folder'));
export async function commits(): Promise<string[]> {
  const made: string[] = [];
  for await (const event of runLoop({ ...config, useWorktree: true })) if (event.type === 'commit.made') made.push(event.commit);
  return made;
}
// @ts-expect-error There is no such setting.
export const misspelt: LoopConfig = { maxIteration: 3 };
// @ts-expect-error It is no number.
export const wrong: Promise<number> = runLoop(config).then(({ stopReason }) => stopReason);
// @ts-expect-error No such reason.
export const never: Promise<boolean> = runLoop(config).then(({ stopReason }) => stopReason === 'tired');
`;

/** The program, its documents, its templates and the plugin. */
const OURS = new RegExp(
  [
    'dist/.+\\.(js|d\\.ts)',
    'dist/licenses\\.txt',
    'dist/web/(index\\.html|app\\.css|icon\\.svg)',
    'dist/cli/help\\.txt',
    'dist/(cli|chunks)/package\\.json',
    'docs/.+\\.(md|yml)',
    'templates/(justfile|prd\\.md|progress\\.txt|prompt\\.md|tasks\\.json)',
    'templates/sealed/.+',
    'sandbox/setup\\.sh',
    'deploy/(?:kubernetes/)?[\\w@.-]+',
    'migrations/\\d{4}-[\\w-]+\\.sql',
    'torture/(set\\.json|(blind/)?[\\w-]+\\.yaml)',
    'plugin/.+\\.(json|cjs|md|sh)',
    '\\.claude-plugin/marketplace\\.json',
    '(README|SECURITY)\\.md',
    'LICENSE',
    'package\\.json',
  ]
    .map((path) => `^${path}$`)
    .join('|'),
);

describe('the published package', () => {
  let installed: InstalledPackage;
  beforeAll(async () => {
    installed = await installPackage();
    await mkdir(join(installed.path, 'tmp'));
  });
  afterAll(() => installed[Symbol.asyncDispose]());

  const runIn = (file: string, ...args: readonly string[]) =>
    runBinary({ file, args, cwd: installed.path, env: cleanEnv(installed.path, { TMPDIR: join(installed.path, 'tmp') }), stdin: '', withinMs: 100_000 });

  it(`contains only the program and its documents, in at most ${MOST_KB} kB`, () => {
    const strangers = installed.files.filter((path) => !OURS.test(path));
    expect(strangers).toEqual([]);
    expect(installed.files.filter((path) => path.includes('.test.'))).toEqual([]);
    expect(installed.files).toEqual(
      expect.arrayContaining([
        'dist/cli/main.js',
        'dist/cli/help.txt',
        'dist/index.js',
        'dist/index.d.ts',
        'templates/justfile',
        'templates/prompt.md',
        'sandbox/setup.sh',
        'SECURITY.md',
        '.claude-plugin/marketplace.json',
        'plugin/.claude-plugin/plugin.json',
        'plugin/hooks/ralph-hook.cjs',
        'plugin/skills/ralph-plan/SKILL.md',
        'README.md',
        'LICENSE',
      ]),
    );
    expect(installed.bytes).toBeLessThanOrEqual(MOST_KB * 1000);
  });

  it('has a bin that runs', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    expect(await runIn(installed.bin, '--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('shows its demo', async () => {
    const { code, stderr } = await runIn(installed.bin, 'demo', '--fast');
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('proven by: node --test');
  });

  it('can be imported from plain JavaScript', async () => {
    await mkdir(join(installed.path, 'work'));
    await writeFile(join(installed.path, 'script.mjs'), SCRIPT);
    const { code, stdout, stderr } = await runIn(process.execPath, 'script.mjs', join(installed.path, 'work'));
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ exitCode: 0, done: true, status: 'completed', first: 'run.started', last: 'run.stopped', refused: 'proof-required' });
    expect(stderr).toBe('');
  });

  it('runs a loop with an agent that is a function', async () => {
    await mkdir(join(installed.path, 'looped'));
    await writeFile(join(installed.path, 'loop.mjs'), LOOP);
    const { code, stdout, stderr } = await runIn(process.execPath, 'loop.mjs', join(installed.path, 'looped'));
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      success: true,
      stopReason: 'all_checks_passed',
      totalCost: 0.5,
      iterations: 1,
      first: 'run.started',
      last: 'run.finished',
      cleaned: true,
    });
    expect(stderr).toBe('');
  });

  deepIt('the library is compiled with the rest; here its types alone are, for twenty seconds')(
    'has types for its runs and loops that compile without other packages',
    async () => {
      await writeFile(join(installed.path, 'runs.mts'), TYPED);
      await writeFile(join(installed.path, 'loops.mts'), TYPED_LOOP);
      const typeRoots = ['--types', 'node', '--typeRoots', join(root, 'node_modules', '@types')];
      const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', ...typeRoots];
      const { code, stdout } = await runIn(process.execPath, join(root, 'node_modules', 'typescript', 'bin', 'tsc'), ...options, 'runs.mts', 'loops.mts');
      expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    },
  );

  it('has loop types that do not depend on the settings checker', async () => {
    const library = join(installed.path, 'node_modules', 'ralph-proof', 'dist', 'library');
    const files = ['loop-config.d.ts', 'loop-event.d.ts', 'loop-result.d.ts', 'run-loop.d.ts', 'cleanup.d.ts'];
    const texts = await Promise.all(files.map((file) => readFile(join(library, file), 'utf8')));
    expect(texts.filter((text) => /zod|settings-file|run-settings/.test(text))).toEqual([]);
  });
});
