import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openInitPlace } from '../support/init-place.ts';
import { refused } from '../support/refused.ts';

/** Files of a project, and the guardrails that init finds in them. */
const PROJECTS: readonly (readonly [string, Readonly<Record<string, string>>, readonly string[]])[] = [
  ['npm', { 'package.json': '{"scripts":{"test":"vitest","lint":"biome"}}', 'package-lock.json': '{}' }, ['npm run lint', 'npm test']],
  ['pnpm', { 'package.json': '{"scripts":{"test":"vitest"}}', 'pnpm-lock.yaml': '' }, ['pnpm test']],
  ['yarn', { 'package.json': '{"scripts":{"build":"tsc"}}', 'yarn.lock': '' }, ['yarn run build']],
  ['bun', { 'package.json': '{"scripts":{"test":"x"}}', 'bun.lock': '' }, ['bun run test']],
  ['npm init', { 'package.json': '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' }, []],
  ['make', { Makefile: 'lint:\n\ttrue\ntest: lint\n\ttrue\n' }, ['make lint', 'make test']],
  ['python', { 'pyproject.toml': '[tool.ruff]\nline-length = 100\n[tool.pytest.ini_options]\n' }, ['ruff check .', 'pytest']],
  ['go', { 'go.mod': 'module x\n' }, ['go vet ./...', 'go test ./...']],
  ['rust', { 'Cargo.toml': '[package]\n' }, ['cargo clippy', 'cargo test']],
  ['nothing', {}, []],
];

describe.concurrent('ralph init --yes', () => {
  it.each(PROJECTS)('uses the checks of a project with %s', async (_name, files, commands) => {
    await using place = await openInitPlace(['gemini', 'codex']);
    for (const [name, content] of Object.entries(files)) await place.write(name, content);
    const { code, stdout } = await place.ralph(['init', '--yes'], { env: place.env });
    expect([code, stdout]).toEqual([0, 'Settings written to .ralph/settings.json\n']);
    expect(place.settings()).toEqual({
      $schema: './settings.schema.json',
      maximumIterations: 10,
      completionResponse: 'DONE',
      outputTruncateChars: 5000,
      streamAgentOutput: true,
      includeIterationCountInPrompt: false,
      agent: { command: 'codex', flags: [] },
      guardrails: commands.map((command) => ({ command, failAction: 'APPEND' })),
    });
  });

  it('prints the source of everything', async () => {
    await using place = await openInitPlace(['claude']);
    await place.write('Makefile', 'test:\n');
    await place.write('go.mod', 'module x\n');
    const { stderr } = await place.ralph(['init', '--yes'], { env: place.env });
    expect(stderr).toBe('Agent: claude (from PATH)\nCheck: make test (from Makefile)\nCheck: go vet ./... (from go.mod)\n');
  });

  it('warns if nothing would prove the work', async () => {
    await using place = await openInitPlace(['claude']);
    const { stderr } = await place.ralph(['init', '--yes'], { env: place.env });
    expect(stderr).toMatch(/^Agent: claude \(from PATH\)\nwarning: there is no check[^\n]+\n$/);
  });

  it('obeys its flags', async () => {
    await using place = await openInitPlace(['claude']);
    await place.write('Makefile', 'test:\n');
    const flags = ['--agent', 'amp', '--flag', '--model', '--flag', 'opus', '--guardrail', 'true', '--guardrail', 'make all', '-m', '3', '-c', 'OK'];
    const { code } = await place.ralph(['init', '-y', ...flags, '--scm', 'commit,push'], { env: place.env });
    expect(code).toBe(0);
    expect(place.settings()).toMatchObject({
      maximumIterations: 3,
      completionResponse: 'OK',
      agent: { command: 'amp', flags: ['--model', 'opus'] },
      guardrails: [
        { command: 'true', failAction: 'APPEND' },
        { command: 'make all', failAction: 'APPEND' },
      ],
      scm: { command: 'git', tasks: ['commit', 'push'] },
    });
  });

  it('prints one object with --json', async () => {
    await using place = await openInitPlace(['claude']);
    await place.write('Cargo.toml', '');
    const { stdout, stderr } = await place.ralph(['init', '--yes', '--json'], { env: place.env });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      file: '.ralph/settings.json',
      written: true,
      agent: { command: 'claude', from: 'PATH' },
      guardrails: [
        { command: 'cargo clippy', from: 'Cargo.toml' },
        { command: 'cargo test', from: 'Cargo.toml' },
      ],
      settings: place.settings(),
    });
  });

  it('prints the file and writes nothing with --dry-run', async () => {
    await using place = await openInitPlace();
    const before = place.everything();
    const { code, stdout } = await place.ralph(['init', '--yes', '--agent', 'amp', '--dry-run'], { env: place.env });
    expect([code, place.everything()]).toEqual([0, before]);
    const json = await place.ralph(['init', '--yes', '--agent', 'amp', '--dry-run', '--json'], { env: place.env });
    expect(JSON.parse(json.stdout)).toMatchObject({ written: false, settings: JSON.parse(stdout) });
    await place.ralph(['init', '--yes', '--agent', 'amp'], { env: place.env });
    expect(stdout).toBe(readFileSync(join(place.path, '.ralph/settings.json'), 'utf8'));
  });

  it('replaces settings only with --force', async () => {
    await using place = await openInitPlace();
    await place.write('.ralph/settings.json', '{"maximumIterations": 4}');
    const again = ['init', '--yes', '--agent', 'amp'];
    expect(await refused(place, again)).toEqual({ code: 2, error: '.ralph/settings.json already exists', hint: 'Add --force to replace it.' });
    const { code } = await place.ralph([...again, '--force']);
    expect([code, place.settings()]).toEqual([0, expect.objectContaining({ maximumIterations: 10 })]);
  });

  it('writes settings that a run accepts, in a folder with a strange name', async () => {
    await using place = await openInitPlace();
    const agent = `${place.agent} 'ünï $x'`;
    await place.ralph(['init', '--yes', '--agent', agent, '--guardrail', 'true', '--scm', 'commit']);
    place.git('init', '-q');
    const { code, stderr } = await place.ralph(['run', '-p', 'hello', '--dry-run']);
    expect([code, stderr]).toEqual([0, '']);
  });

  it('names the agents it looked for if it finds none', async () => {
    await using place = await openInitPlace();
    const before = place.everything();
    const { code, stderr } = await place.ralph(['init', '--yes'], { env: place.env });
    expect([code, stderr]).toEqual([4, expect.stringMatching(/^error: no agent was found on PATH: claude, codex, amp, opencode, gemini\nhint: .*--agent/)]);
    expect(place.everything()).toEqual(before);
  });

  it.each<[string[], string]>([
    [['--yes', '-m', 'ten'], 'maximumIterations must be a positive integer, got "ten"'],
    [['--yes', '-c', ''], 'completionResponse must not be empty'],
    [['--yes', '--guardrail', ' '], 'guardrails[0].command must not be empty'],
    [['--yes', '--scm', ''], '--scm needs at least one task'],
    [['--dry-run'], '--dry-run needs --yes'],
    [['--maximum-iterations', '3'], '--max-iterations needs --yes'],
    [['--yes', 'now'], "too many arguments for 'init'. Expected 0 arguments but got 1."],
  ])('refuses %j', async (args, error) => {
    await using place = await openInitPlace();
    const named = args.includes('--yes') ? [...args, '--agent', 'x'] : args;
    expect(await refused(place, ['init', ...named])).toMatchObject({ code: 2, error });
  });
});
