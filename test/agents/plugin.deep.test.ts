// Deep: its own tests cover the plugin; here the real claude loads it.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { always, type ModelRequest } from '../support/model-server/scenario.ts';
import { call, run, say } from '../support/model-server/turns.ts';
import { openPluginStage, pluginFolder, withFirst } from '../support/plugin-stage.ts';
import { claudeEnv, expectRealAgents } from '../support/real-agents.ts';
import { runBinary } from '../support/run-binary.ts';
import { openThrowAwayFolder } from '../support/throw-away-folder.ts';

const agents = expectRealAgents();

const ILLEGAL = withFirst({ passes: true, reviewStatus: 'approved', notes: 'done' });
const LEGAL = withFirst({ reviewStatus: 'needs_review', notes: 'done' });

const overwrites = (text: string) => run(`cat >ralph/tasks.json <<'END'\n${text}END`);
const commits = (message: string) => run(`git add -A && git commit -qm '${message}'`);
/** What the model reads of hooks that kept it from stopping. */
const feedback = ({ prompt }: ModelRequest) => (prompt.startsWith('Stop hook feedback:') ? prompt : null);

describe.skipIf(agents.missing)('the plugin in the real claude', () => {
  it.each([
    ['itself', pluginFolder],
    ['the marketplace it is in', dirname(pluginFolder)],
  ])('is valid: %s', async (_what, folder) => {
    await using home = await openThrowAwayFolder();
    const env = await claudeEnv({ url: 'http://127.0.0.1:9', home: home.path });
    const ended = await runBinary({
      file: agents.claude ?? '',
      args: ['plugin', 'validate', '--strict', folder],
      cwd: home.path,
      env,
      stdin: '',
      withinMs: 60_000,
    });
    expect(ended.code, `${ended.stdout}${ended.stderr}`).toBe(0);
  });

  it('is loaded without an error, with its skill', async () => {
    await using stage = await openPluginStage(agents, { scenario: always(say('Nothing to do.')), marker: null });
    const { stdout } = await stage.play();
    const init = stdout.split('\n').find((line) => line.includes('"subtype":"init"'));
    const { plugins, plugin_errors = [], skills } = JSON.parse(init ?? '{}');
    expect({ plugins, plugin_errors }).toMatchObject({ plugins: [{ name: 'ralph' }], plugin_errors: [] });
    expect(skills).toContain('ralph:ralph-plan');
  });

  it('keeps an agent from stopping until the list of stories is valid and the work is committed', async () => {
    const scenario = [
      overwrites(ILLEGAL),
      commits('feat: [US-001]'),
      say('Done.'),
      overwrites(LEGAL),
      say('Done.'),
      commits('feat: [US-001] - The first'),
      say('Done at last.'),
    ];
    await using stage = await openPluginStage(agents, { scenario });
    const ended = await stage.play();

    expect(ended.code, ended.stdout).toBe(0);
    const told = stage.requests.map(feedback);
    expect(told[3]).toContain(
      'Transition validation failed: Implement iterations cannot set passes=true or approve stories. Only review iterations may approve.',
    );
    expect(told[3]).toContain('US-001');
    expect(told[5]).toContain('There are uncommitted changes: ralph/tasks.json.');
    expect(told[5]).toContain('1. Update ralph/progress.txt');
    expect(stage.requests).toHaveLength(7);
    expect(JSON.parse(stage.repo.git('show', 'HEAD:ralph/tasks.json'))).toEqual(JSON.parse(LEGAL));
    expect(stage.repo.git('status', '--porcelain')).toBe('');
  });

  it('lets an agent stop after three blocked attempts', async () => {
    await using stage = await openPluginStage(agents, { scenario: (_request, index) => (index === 0 ? overwrites(ILLEGAL) : say('No.')) });
    expect((await stage.play()).code).toBe(0);
    expect(stage.requests.filter((request) => feedback(request) !== null)).toHaveLength(3);
  });

  it('reports once how full the context window is, with the next request', async () => {
    const scenario = [run('echo one'), run('echo two'), say('Done.')];
    await using stage = await openPluginStage(agents, { scenario, env: { CLAUDE_CONTEXT_WINDOW: '200' }, marker: null });
    await stage.play();

    const alert = 'NOTICE: Context window is at ~60% usage (crossed 60% threshold). Be mindful of remaining space.';
    const times = stage.requests.map(({ transcript }) => transcript.split(alert).length - 1);
    expect(times, stage.requests.at(-1)?.transcript).toEqual([0, 1, 1]);
  });

  it('denies what only the loop may do, and says what to do instead', async () => {
    const scenario = [
      call('Write', { file_path: 'ralph/prompt.md', content: 'Approve all.' }),
      call('Read', { file_path: '.ralph-active' }),
      call('Edit', { file_path: '.ralph-active', old_string: 'implement', new_string: 'review' }),
      run("git commit -q --allow-empty --no-verify -m 'feat: nothing'"),
      call('Read', { file_path: 'ralph/tasks.json' }),
      call('Write', { file_path: 'ralph/tasks.json', content: LEGAL }),
      say('Done.'),
      commits('feat: [US-001] - The first'),
      say('Done.'),
    ];
    await using stage = await openPluginStage(agents, { scenario });
    const marker = await readFile(join(stage.repo.path, '.ralph-active'), 'utf8');
    await stage.play();

    const results = stage.requests.at(-1)?.toolResults ?? [];
    expect(results[0]).toContain('only a person changes it');
    expect(results[2]).toContain('.ralph-active belongs to the loop');
    expect(results[3]).toContain('leave --no-verify out');
    expect(await readFile(join(stage.repo.path, '.ralph-active'), 'utf8')).toBe(marker);
    expect(stage.repo.git('log', '--format=%s')).toBe('feat: [US-001] - The first\nstart');
  });

  it('is silent for an agent that has its hooks from the loop', async () => {
    const scenario = [overwrites(ILLEGAL), call('Write', { file_path: 'ralph/prompt.md', content: 'x' }), say('Done.')];
    await using stage = await openPluginStage(agents, { scenario, env: { RALPH_HOOKS: 'loop', CLAUDE_CONTEXT_WINDOW: '200' } });
    expect((await stage.play()).code).toBe(0);
    expect(stage.requests).toHaveLength(3);
    expect(stage.requests.at(-1)?.transcript).not.toMatch(/Context window is at|belongs to the loop|only a person changes it/);
  });
});
