import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completed, openPlanStage } from '../../test/contracts/plan-store-stage.ts';
import { manyRuns } from '../../test/support/patience.ts';
import { taskOf } from '../../test/support/plan-of.ts';
import { openPlanStore } from './open-plan-store.ts';

const GRAPH = { kind: 'task-graph', path: 'plans/task-graph.yaml' } as const;
const SMALL = 'nodes:\n  - id: a\n    status: pending\n';
/** Contains something that only the YAML library reads. */
const large = (count: number) =>
  `nodes:\n${Array.from({ length: count }, (_, nth) => `  - id: T-${nth}\n    title: "Task \\x23${nth}"\n    status: pending\n`).join('')}edges:\n${Array.from({ length: count - 1 }, (_, nth) => `  - {from: T-${nth}, to: T-${nth + 1}}\n`).join('')}`;

describe('a plan in files', () => {
  it('that does not exist is null', async () => {
    await using plan = await openPlanStage(GRAPH);
    expect(await plan.open().read()).toBeNull();
    expect(await plan.open().write('x', [completed('a')])).toBe('changed');
    writeFileSync(join(plan.path, 'plans'), 'a file in the place of its folder');
    expect(await plan.open().read()).toBeNull();
  });

  it.each([
    ['a directory', (path: string) => mkdirSync(path), 'it is a directory'],
    ['a pipe', (path: string) => execFileSync('mkfifo', [path]), 'it is not a regular file'],
    ['no UTF-8', (path: string) => writeFileSync(path, Buffer.from('nodes: \xff\xfe', 'latin1')), 'it is not UTF-8 text'],
    ['UTF-16', (path: string) => writeFileSync(path, Buffer.from('\ufeffnodes: é', 'utf16le')), 'it is not UTF-8 text'],
    ['a link', (path: string) => symlinkSync('/etc/hostname', path), 'plans/task-graph.yaml is a link: the plan must be in the work tree itself'],
    ['a link to nothing', (path: string) => symlinkSync('nowhere', path), 'plans/task-graph.yaml is a link: the plan must be in the work tree itself'],
  ])('is reported as a problem when it is %s, and is not written to', async (_, put, message) => {
    await using plan = await openPlanStage(GRAPH);
    const path = join(plan.path, GRAPH.path);
    mkdirSync(dirname(path));
    put(path);
    const before = lstatSync(path);
    const reading = await plan.read();
    expect(reading).toMatchObject({ plan: null, problems: [{ file: GRAPH.path, line: null, message }] });
    await expect(plan.open().write(reading.digest, [completed('a')])).rejects.toThrow('cannot be written');
    expect(lstatSync(path)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
  });

  it('is not read through a link that leads elsewhere', async () => {
    await using plan = await openPlanStage(GRAPH);
    await using elsewhere = await openPlanStage(GRAPH, SMALL);
    symlinkSync(join(elsewhere.path, 'plans'), join(plan.path, 'plans'));
    expect(await plan.problems()).toEqual([`${GRAPH.path}:: plans is a link: the plan must be in the work tree itself`]);
  });

  it('is not written after its file became a link', async () => {
    await using plan = await openPlanStage(GRAPH, SMALL);
    const { digest } = await plan.read();
    writeFileSync(join(plan.path, 'victim'), SMALL);
    rmSync(join(plan.path, GRAPH.path));
    symlinkSync('../victim', join(plan.path, GRAPH.path));
    expect(await plan.open().write(digest, [completed('a')])).toBe('changed');
    expect(plan.text('victim')).toBe(SMALL);
  });

  it('keeps its mode, and no other file is left beside it', async () => {
    await using plan = await openPlanStage(GRAPH, SMALL);
    chmodSync(join(plan.path, GRAPH.path), 0o640);
    await plan.edit(completed('a'));
    expect(statSync(join(plan.path, GRAPH.path)).mode & 0o777).toBe(0o640);
    expect(readdirSync(join(plan.path, 'plans'))).toEqual(['task-graph.yaml']);
  });

  it('is not touched by an impossible edit', async () => {
    await using plan = await openPlanStage(GRAPH, SMALL);
    await expect(plan.edit(completed('a'), completed('nobody'))).rejects.toThrow('no task "nobody"');
    await expect(plan.edit({ kind: 'add', task: taskOf('a') })).rejects.toThrow('a task "a" already');
    await expect(plan.edit({ kind: 'add', task: taskOf('-rf') })).rejects.toThrow('lose the task -rf');
    expect(plan.text()).toBe(SMALL);
  });

  it('is named after its folder when it has no name of its own', async () => {
    await using plan = await openPlanStage(GRAPH, SMALL);
    expect((await plan.read()).plan?.project).toBe(plan.path.split('/').at(-1));
  });

  it('is written by many processes at once without losing an edit', async () => {
    const count = 12;
    await using plan = await openPlanStage(GRAPH, large(count).replaceAll('\\x23', '#'));
    const complete = async (id: string) => {
      const store = plan.open();
      for (let answer = 'changed'; answer === 'changed'; ) answer = await store.write((await store.read())?.digest ?? '', [completed(id)]);
    };
    await Promise.all(Array.from({ length: count }, (_, nth) => complete(`T-${nth}`)));
    expect((await plan.read()).plan?.tasks.filter(({ status }) => status === 'complete')).toHaveLength(count);
  });

  it('keeps any text it is given, in every form', async () => {
    const signs = fc.constantFrom(...'ab: #-\n"\'[]{}|>&*!%@`,?~01.\\ ');
    const words = fc
      .oneof(fc.string({ unit: 'binary', maxLength: 30 }), fc.string({ unit: signs, maxLength: 30 }))
      .map((text) => text.replaceAll(/[\p{Cs}\r]/gu, '').trim());
    const line = words.map((text) => text.replaceAll(/\s+/gu, ' ').trim());
    const shapes = fc.record({
      title: line.map((text) => text || 'x'),
      tags: fc.uniqueArray(line, { maxLength: 3 }),
      complexity: line,
      verify: fc.array(words, { maxLength: 2 }),
      description: words,
    });
    const kinds = [
      { kind: 'task-graph', path: 'g.yaml', begin: 'nodes: []\n', keepsBody: true },
      { kind: 'task-graph', path: 'f.yaml', begin: '{nodes: []}\n', keepsBody: true },
      { kind: 'stories', path: 's.json', begin: '{"userStories": []}\n', keepsBody: true },
      { kind: 'tickets', path: 't', begin: null, keepsBody: false },
    ] as const;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...kinds), shapes, shapes, async ({ kind, path, begin, keepsBody }, one, other) => {
        await using plan = await openPlanStage({ kind, path });
        if (begin === null) mkdirSync(join(plan.path, path));
        else plan.write(begin);
        const store = openPlanStore({ kind, path, top: plan.path, cacheFolder: null });
        const asRead = ({ title, description, ...rest }: typeof one) => ({
          ...rest,
          title,
          tags: rest.tags.filter((tag) => tag !== ''),
          ...(keepsBody ? { description } : {}),
        });
        await store.write((await store.read())?.digest ?? '', [{ kind: 'add', task: taskOf('a', { ...one, tags: asRead(one).tags }) }]);
        expect((await store.read())?.plan?.tasks[0]).toMatchObject(asRead(one));
        const { verify: _, ...fields } = asRead(other);
        await store.write((await store.read())?.digest ?? '', [{ kind: 'reword', id: 'a', fields }]);
        expect((await store.read())?.plan?.tasks[0]).toMatchObject({ ...fields, verify: one.verify });
      }),
      manyRuns(300),
    );
  });
});

describe('the cache of a large plan', () => {
  const cacheOf = (folder: string) => join(folder, readdirSync(folder).find((name) => name.endsWith('.json')) ?? 'none');

  it('gives the same as the plan, also to the next process', async () => {
    await using plan = await openPlanStage(GRAPH, large(500));
    const cold = await plan.read();
    const kept = statSync(cacheOf(plan.cacheFolder));
    expect(await plan.read()).toEqual(cold);
    expect(statSync(cacheOf(plan.cacheFolder)).ino).toBe(kept.ino);
    expect(await openPlanStore({ ...GRAPH, top: plan.path, cacheFolder: null }).read()).toEqual(cold);
  });

  it('is not used once any byte of the plan has changed, whatever its modification time', async () => {
    await using plan = await openPlanStage(GRAPH, large(500));
    const { digest } = await plan.read();
    plan.write(plan.text().replace('status: pending', 'status: blocked'));
    const after = await plan.read();
    expect(after.plan?.tasks[0]?.status).toBe('blocked');
    expect(after.digest).not.toBe(digest);
  });

  it('is made again when it is damaged, of another version, or not ours to write', async () => {
    await using plan = await openPlanStage(GRAPH, large(500));
    const good = await plan.read();
    const path = cacheOf(plan.cacheFolder);
    const kept = readFileSync(path, 'utf8');
    const damages = [
      '',
      '{',
      kept.slice(0, -5),
      kept.replace('T-7"', 'T-8"'),
      kept.replace('"format":1', '"format":0'),
      `${kept}x`,
      kept.replace(/\n.*/s, '\nnull'),
    ];
    for (const damage of damages) {
      writeFileSync(path, damage);
      expect(await plan.read()).toEqual(good);
      expect(readFileSync(path, 'utf8')).toBe(kept);
    }
    rmSync(plan.cacheFolder, { recursive: true });
    writeFileSync(plan.cacheFolder, 'a file in the way');
    expect(await plan.read()).toEqual(good);
  });

  it('does not contain the files a plan points to: those are looked up each time', async () => {
    await using plan = await openPlanStage(GRAPH, `${large(500)}stories: [{id: S-1, path: docs/S-1.md}]\n`);
    expect(await plan.problems()).toEqual([`${GRAPH.path}:2002: docs/S-1.md does not exist`]);
    plan.write('', 'docs/S-1.md');
    expect(await plan.problems()).toEqual([]);
  });

  it('is read and written at 10,000 tasks, by the quick reader and by the library', async () => {
    await using plan = await openPlanStage(GRAPH, large(10_000).replaceAll('\\x23', '#'));
    expect((await plan.read()).plan?.tasks).toHaveLength(10_000);
    expect(await plan.edit(completed('T-9999'))).toBe('written');
    expect((await plan.read()).plan?.tasks.at(-1)?.status).toBe('complete');
  });
});
