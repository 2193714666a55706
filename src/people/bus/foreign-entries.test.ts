import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { openFileBus } from './file-bus.ts';

let folder: ThrowAwayFolder;
let path = '';
let count = 0;
beforeAll(async () => {
  folder = await openThrowAwayFolder();
});
beforeEach(() => {
  count += 1;
  path = join(folder.path, `${count}.md`);
});
afterAll(() => folder[Symbol.asyncDispose]());

const all = () => openFileBus(path).last(99);

const BY_ANOTHER_TOOL = `---
msg_id: MSG-20260223-191710-184887000-PID67946-0001
ts: 2026-02-23T19:17:10.184887Z
type: RUN_START
project_id: demo
task_id: task-20260223-214858-docs
run_id: 20260223-2048580000-66789-1
parents:
    - MSG-1
    - msg_id: MSG-2
      kind: reply
      meta:
        why: 'it''s so'
links:
- url: https://example.com/#top # the page
  label: "a \\"page\\""
meta:
    kind: x
unknown: [1, 2]
---
run started
run_dir: /runs/2026

---
msg_id: MSG-2
ts: 2026-02-23T19:17:11Z
type: FACT
project_id: demo
parents: [MSG-1, MSG-9]
---
line

after a blank one
`;

describe('entries of other tools', () => {
  it('are read completely, up to the line before the next entry', async () => {
    await writeFile(path, BY_ANOTHER_TOOL);
    expect(await all()).toEqual([
      {
        msg_id: 'MSG-20260223-191710-184887000-PID67946-0001',
        ts: '2026-02-23T19:17:10.184887Z',
        type: 'RUN_START',
        project_id: 'demo',
        task_id: 'task-20260223-214858-docs',
        run_id: '20260223-2048580000-66789-1',
        parents: [{ msg_id: 'MSG-1' }, { msg_id: 'MSG-2', kind: 'reply', meta: { why: "it's so" } }],
        links: [{ url: 'https://example.com/#top', label: 'a "page"' }],
        meta: { kind: 'x' },
        body: 'run started\nrun_dir: /runs/2026',
      },
      {
        msg_id: 'MSG-2',
        ts: '2026-02-23T19:17:11Z',
        type: 'FACT',
        project_id: 'demo',
        parents: [{ msg_id: 'MSG-1' }, { msg_id: 'MSG-9' }],
        body: 'line\n\nafter a blank one',
      },
    ]);
  });

  it('are read with Windows line ends', async () => {
    await writeFile(path, '---\r\nmsg_id: MSG-1\r\ntype: FACT\r\nproject_id: demo\r\n---\r\nbody\r\n');
    expect(await all()).toMatchObject([{ msg_id: 'MSG-1', type: 'FACT', project_id: 'demo', body: 'body' }]);
  });

  it('end where ours begin, and ours end where they begin', async () => {
    await writeFile(path, BY_ANOTHER_TOOL);
    const bus = openFileBus(path);
    await bus.post({ type: 'INFO', project_id: 'demo', body: 'ours' });
    await appendFile(path, `\n${BY_ANOTHER_TOOL}`);
    expect((await all()).map(({ type }) => type)).toEqual(['RUN_START', 'FACT', 'INFO', 'RUN_START', 'FACT']);
    expect((await all())[1]?.body).toBe('line\n\nafter a blank one');
  });

  it('may have a line of three dashes in their bodies', async () => {
    await writeFile(path, '---\nmsg_id: MSG-1\ntype: FACT\nproject_id: demo\n---\nabove\n\n---\n\nbelow\n');
    expect(await all()).toMatchObject([{ body: 'above\n\n---\n\nbelow' }]);
  });

  it('are not read while their last line is incomplete', async () => {
    await writeFile(path, '---\nmsg_id: MSG-1\ntype: FACT\nproject_id: demo\n---\nbo');
    expect(await all()).toEqual([]);
  });
});

describe('lines from before there were headers', () => {
  it('are messages named after their line number; a line without a type is INFO', async () => {
    await writeFile(path, '# Bus\n[2026-02-01 10:00:00] FACT: text\n\n[2026-02-01 10:00:01] said without a type: so\nnothing\n');
    expect(await all()).toEqual([
      { msg_id: 'LEGACY-LINE-000000002', ts: '2026-02-01T10:00:00Z', type: 'FACT', project_id: '', body: 'text' },
      { msg_id: 'LEGACY-LINE-000000004', ts: '2026-02-01T10:00:01Z', type: 'INFO', project_id: '', body: 'said without a type: so' },
    ]);
  });

  it('are read between entries too, with the same name however far back one reads', async () => {
    const bus = openFileBus(path);
    await bus.post({ type: 'INFO', project_id: 'demo', body: 'x\n'.repeat(100_000) });
    await appendFile(path, '[2026-02-01 10:00:00] FACT: in between\n');
    await bus.post({ type: 'INFO', project_id: 'demo', body: 'after' });
    const [found] = (await bus.last(2)) ?? [];
    expect(found).toMatchObject({ type: 'FACT', body: 'in between' });
    expect(await bus.since(found?.msg_id ?? '')).toMatchObject([{ body: 'after' }]);
    expect((await all())[1]).toEqual(found);
  });
});
