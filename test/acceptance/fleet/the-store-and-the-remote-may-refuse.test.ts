import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FleetStage, openFleetStage, resultOf, runsOf } from '../../support/fleet-stage.ts';
import { openPostgres, type TestServer, whyNoPostgres } from '../../support/postgres.ts';
import { ralph } from '../../support/ralph.ts';
import { skipLoudly } from '../../support/skip-loudly.ts';
import { openThrowAwayFolder } from '../../support/throw-away-folder.ts';

const WORKS = 'work; claim';
/** Somebody has built a ralph of tomorrow. */
const NEWER = "insert into ralph.migrations (version, name) values (9999, '9999-tomorrow.sql')";

describe.skipIf(skipLoudly(whyNoPostgres()))('a worker of a fleet starts only where it can work', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const refusal = async (stage: FleetStage, ...more: readonly string[]) => {
    const { code, stderr, stdout } = await stage.ralph(1, 'work', '--agent', 'true', ...more);
    expect(stdout).toBe('');
    expect(stderr.trim().split('\n'), stderr).toHaveLength(2);
    expect(runsOf(stage, 1)).toEqual([]);
    return `${code} ${stderr.split('\n')[0]}`;
  };

  it('and says in one line what is wrong with the database', async () => {
    await using stage = await openFleetStage(server, ['a'], WORKS, { machines: 1 });
    const at = (change: (url: URL) => void) => {
      const url = new URL(stage.url);
      change(url);
      return url.href;
    };
    const wrong = at((url) => {
      url.password = 'guessed it';
    });
    expect(await refusal(stage, '--store', wrong)).toMatch(
      /^4 error: the store postgres:\/\/ralph@\S+ refuses: password authentication failed for user "ralph"$/,
    );
    const nobody = at((url) => {
      url.port = '1';
    });
    expect(await refusal(stage, '--store', nobody)).toMatch(/^4 error: the store \S+ cannot be reached: connect ECONNREFUSED 127\.0\.0\.1:1$/);
    const noSuch = at((url) => {
      url.pathname = '/nowhere';
    });
    expect(await refusal(stage, '--store', noSuch)).toMatch(/^4 error: the store \S+ refuses: database "nowhere" does not exist$/);
    expect(await refusal(stage, '--store', 'mysql://localhost/x')).toBe('2 error: the address of the store does not begin with postgres://');
    expect(await refusal(stage, '--store', await server.database())).toMatch(/^2 error: the store \S+ has no tables of Ralph$/);
    await server.ask(stage.url, NEWER);
    expect(await refusal(stage)).toMatch(/^2 error: the tables of \S+ are of version 9999, and this ralph knows \d+$/);
    expect(await stage.ralph(1, 'fleet', 'init')).toMatchObject({ code: 2, stderr: expect.stringContaining('Update ralph on this machine.') });
    await server.ask(stage.url, 'delete from ralph.migrations');
    expect(await refusal(stage)).toMatch(/^2 error: the tables of \S+ are of version 0, and this ralph needs \d+$/);
    await server.ask(stage.url, `do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$`);
    expect(await refusal(stage)).toMatch(/^4 error: the store \S+ can only be read$/);
  });

  it('and with the remote, the branch and the plan', async () => {
    await using stage = await openFleetStage(server, ['a'], WORKS, { machines: 2, isReady: false });
    await stage.ralph(2, 'fleet', 'init', '--store', await server.database());
    expect(await stage.ralph(1, 'fleet', 'init')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: the remote origin belongs to a fleet that \S+ does not know\n/),
    });
    expect(await refusal(stage)).toMatch(/^2 error: the remote origin belongs to a fleet that \S+ does not know$/);
    stage.remote('update-ref', '-d', 'refs/ralph/fleet');
    expect(await refusal(stage)).toBe('2 error: the remote origin belongs to no fleet');
    expect(await stage.ralph(1, 'fleet', 'init')).toMatchObject({ code: 0 });
    expect(await refusal(stage, '--prompt-command', 'true')).toBe('2 error: --prompt-command claims tasks by itself, and that does not work with a store');
    stage.git(1, 'commit', '-q', '--allow-empty', '-m', 'mine alone');
    expect(await refusal(stage)).toBe('2 error: main has a commit that origin does not have');
    stage.git(1, 'reset', '-q', '--hard', 'origin/main');
    writeFileSync(join(stage.git(1, 'rev-parse', '--show-toplevel'), 'task-graph.yaml'), `${stage.git(1, 'show', 'HEAD:task-graph.yaml')}\n# mine\n`);
    expect(await refusal(stage, '--allow-dirty')).toBe('2 error: the plan task-graph.yaml has changes that the other machines do not have');
    stage.git(1, 'checkout', '-q', '.');
    stage.git(1, 'config', 'remote.origin.receivepack', 'echo "this key may only read" >&2; false');
    expect(await refusal(stage)).toMatch(/^4 error: the remote origin does not let this machine push: .*this key may only read/);
    stage.git(1, 'config', '--unset', 'remote.origin.receivepack');
    stage.git(1, 'remote', 'set-url', 'origin', '/nowhere/at/all.git');
    expect(await refusal(stage)).toMatch(
      /^4 error: the remote origin cannot be reached: fatal: '\/nowhere\/at\/all\.git' does not appear to be a git repository$/,
    );
    stage.git(1, 'remote', 'remove', 'origin');
    expect(await refusal(stage)).toBe('2 error: the machines of a fleet share a remote, and this repository has none called origin');
  });

  it('and a worker that is refused binds no plan to its branch; a person can free one that nobody has begun', async () => {
    await using stage = await openFleetStage(server, ['a'], WORKS, { machines: 1 });
    const plans = () => server.ask(stage.url, 'select path, base from ralph.plans');
    const branch = (name: string) => stage.git(1, 'checkout', '-q', name);
    for (const words of [
      ['branch', 'side'],
      ['push', '-q', 'origin', 'side'],
      ['branch', '-q', '-u', 'origin/side', 'side'],
    ])
      stage.git(1, ...words);
    branch('side');
    expect(await stage.ralph(1, 'fleet', 'join')).toMatchObject({ code: 0, stdout: expect.stringContaining('side is up to date') });
    const joined = await stage.ralph(1, 'fleet', 'join', '--store', stage.url);
    expect(joined.stdout).toMatch(/Next: ralph work --store postgres:\/\/ralph@127\.0\.0\.1:\d+\/\w+ --plan … --agent …$/m);
    expect(await refusal(stage, '--agent', 'nobody-has-this')).toMatch(/^4 error: .*nobody-has-this/);
    expect(await refusal(stage, '--require-proof')).toMatch(/^2 error: some tasks would be proven by nothing/);
    expect(await plans()).toEqual([]);
    await server.ask(stage.url, "insert into ralph.plans (fleet, path, base) select id, 'task-graph.yaml', 'main' from ralph.fleets");
    const elsewhere = await stage.ralph(1, 'work', '--agent', 'true');
    expect(elsewhere).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the owner of the store can free the plan: ralph fleet forget task-graph.yaml\n'),
    });
    const forget = (plan: string) => stage.ralph(1, 'fleet', 'forget', plan);
    expect(await forget('other.yaml')).toMatchObject({ code: 2, stderr: expect.stringContaining('the fleet does not know a plan other.yaml') });
    const session = "insert into ralph.sessions (fleet, id, run, host, about, lease_until) select id, 's', 'r', 'h', '{}', now() + '1h' from ralph.fleets";
    await server.ask(stage.url, session);
    expect(await forget('task-graph.yaml')).toMatchObject({ code: 2, stderr: expect.stringContaining('somebody works on task-graph.yaml') });
    await server.ask(stage.url, 'delete from ralph.sessions');
    expect(await forget('task-graph.yaml')).toMatchObject({ code: 0 });
    const worker = await stage.begin(1).ended;
    expect(worker, worker.stderr).toMatchObject({ code: 0 });
    expect(await plans()).toEqual([{ path: 'task-graph.yaml', base: 'side' }]);
    expect(await forget('task-graph.yaml')).toMatchObject({ code: 2, stderr: expect.stringContaining('tasks of task-graph.yaml were begun on its branch') });
  });

  it('and of two fleets that want one remote at the same time, one gets it', async () => {
    await using stage = await openFleetStage(server, ['a'], WORKS, { machines: 2, isReady: false });
    const stores = [await server.database(), await server.database()];
    const made = await Promise.all(stores.map((store, index) => stage.start(index + 1, 'fleet', 'init', '--store', store).ended));
    expect(made.map(({ code }) => code).toSorted(), made.map(({ stderr }) => stderr).join('\n')).toEqual([0, 2]);
    expect(made.map(({ stderr }) => stderr).join('')).toMatch(/^error: the remote origin belongs to a fleet that \S+ does not know$/m);
    const own = stores[made.findIndex(({ code }) => code === 0)] ?? '';
    for (const store of stores) expect(await stage.ralph(1, 'fleet', 'status', '--store', store)).toMatchObject({ code: store === own ? 0 : 2 });
  });

  it('and its tables are brought up to date from any folder, by their owner', async () => {
    const url = await server.database();
    await using folder = await openThrowAwayFolder();
    const migrate = async () => JSON.parse((await ralph(['fleet', 'migrate', '--json', '--store', url], { cwd: folder.path })).stdout).migrations;
    expect(await migrate()).toContain('0001-fleet.sql');
    expect(await migrate()).toEqual([]);
  });

  it('and a remote that refuses the result ends it with what the remote says; nothing is lost', async () => {
    await using stage = await openFleetStage(server, ['a'], WORKS, { machines: 1 });
    await stage.hook('update', '[ "$1" != refs/heads/main ] || { echo "main is frozen"; exit 1; }');
    const refused = await stage.begin(1).ended;
    expect(refused, refused.stderr).toMatchObject({ code: 4 });
    expect(refused.stderr).toMatch(/^error: the remote origin refuses what this worker pushes: .*main is frozen/m);
    expect(resultOf(stage).merged).toEqual([]);
    await stage.hook('update', 'exit 0');
    const journal = () => readFileSync(join(stage.git(1, 'rev-parse', '--absolute-git-dir'), 'ralph/runs', runsOf(stage, 1)[0] ?? '', 'journal.jsonl'), 'utf8');
    const before = journal();
    const notYet = async () => (await stage.ralph(1, 'runs', 'resume')).stderr.split('\n')[0];
    await server.ask(stage.url, NEWER);
    expect(await notYet()).toMatch(/^error: the tables of \S+ are of version 9999, and this ralph knows \d+$/);
    await server.ask(stage.url, 'delete from ralph.migrations where version = 9999');
    stage.git(1, 'config', 'remote.origin.receivepack', 'false');
    expect(await notYet()).toMatch(/^error: the remote origin does not let this machine push: /);
    stage.git(1, 'config', '--unset', 'remote.origin.receivepack');
    await server.ask(stage.url, "update ralph.plans set base = 'side'");
    expect(await notYet()).toBe('error: the fleet works off task-graph.yaml on the branch side, and this is main');
    await server.ask(stage.url, "update ralph.plans set base = 'main'");
    expect(journal()).toBe(before);
    const resumed = await stage.start(1, 'runs', 'resume').ended;
    expect(resumed, resumed.stderr).toMatchObject({ code: 0 });
    expect(resultOf(stage)).toMatchObject({ merged: ['a'], open: 0, refs: ['refs/heads/main'] });
  });

  it('and its agents never see the address, nor does a settings file keep a password', async () => {
    await using stage = await openFleetStage(server, ['a'], `env >"$here/seen"; ${WORKS}`, { machines: 1 });
    const run = await stage.begin(1).ended;
    expect(run, run.stderr).toMatchObject({ code: 0 });
    const secret = decodeURIComponent(new URL(stage.url).password);
    const journals = stage.git(1, 'rev-parse', '--absolute-git-dir');
    for (const text of [secret, encodeURIComponent(secret)]) {
      expect(await filesWith(text, journals)).toEqual([]);
      expect(await filesWith(text, join(stage.git(1, 'rev-parse', '--show-toplevel'), '..', 'seen'))).toEqual([]);
    }
    writeFileSync(join(stage.git(1, 'rev-parse', '--show-toplevel'), '.ralph/settings.local.json'), JSON.stringify({ store: { url: stage.url } }));
    const refused = await stage.start(1, 'fleet', 'status', '--store', '').ended;
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/^error: store\.url has a password, and agents can read the settings files\n/) });
  });
});

async function filesWith(text: string, folder: string): Promise<readonly string[]> {
  const { spawnSync } = await import('node:child_process');
  return spawnSync('grep', ['-rlF', text, folder], { encoding: 'utf8' }).stdout.split('\n').filter(Boolean);
}
