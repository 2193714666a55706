import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRepo } from '../../../test/support/repo.ts';
import { buildProgram, commandNames, loadCommands } from '../program.ts';
import { candidates } from './complete.ts';

const PLAN = 'nodes:\n  - id: T-1\n    title: One\n  - id: T-2\n    title: Two\n  - id: "$(rm -rf x)"\n    title: Hostile\nedges: []\n';

describe('the completion', () => {
  it.each<[string, readonly string[]]>([
    ['su', ['supervise']],
    ['runs st', ['stop']],
    ['run --max', ['--max-cost', '--max-cost-per-day', '--max-iterations', '--maximum-iterations', '--max-limit-wait']],
    ['runs list --ro', ['--root']],
    ['run --agent cl', ['claude']],
    ['completion ', ['bash', 'zsh', 'fish']],
    ['run --model x', []],
    ['loop ', []],
    ['nonsense --', []],
    ['supervise -- --he', []],
    ['run -p x --dry', ['--dry-run']],
  ])('of "ralph %s" knows what fits', async (line, expected) => {
    expect((await candidates(line.split(' '), '/')).toSorted()).toEqual([...expected].toSorted());
  });

  it('knows every command and every option of every command', async () => {
    const program = buildProgram(await loadCommands());
    expect([...commandNames].toSorted()).toEqual(program.commands.map((command) => command.name()).toSorted());
    for (const command of program.commands.filter(({ commands }) => commands.length === 0)) {
      const longs = command.options.map(({ long }) => long);
      expect(await candidates([command.name(), '--'], '/')).toEqual(expect.arrayContaining(longs));
    }
  });

  it('offers run ids and task ids in a subfolder, but nothing that a shell would run', async () => {
    await using repo = await openRepo();
    const sub = join(repo.path, 'sub');
    await mkdir(sub);
    for (const run of ['20260101-000000-aaaaaa', '20260102-000000-bbbbbb']) await mkdir(join(repo.path, '.git', 'ralph', 'runs', run), { recursive: true });
    await writeFile(join(repo.path, 'task-graph.yaml'), PLAN);

    expect(await candidates(['status', ''], sub)).toEqual(['20260102-000000-bbbbbb', '20260101-000000-aaaaaa']);
    expect(await candidates(['runs', 'resume', '20260101'], sub)).toEqual(['20260101-000000-aaaaaa']);
    expect(await candidates(['run', '--resume', ''], sub)).toHaveLength(2);
    expect(await candidates(['task', 'show', ''], sub)).toEqual(['T-1', 'T-2']);
    expect(await candidates(['accept', '--task', 'T-2'], sub)).toEqual(['T-2']);
    expect(await candidates(['runs', 'show', 'x', ''], sub)).toEqual([]);
  });
});
