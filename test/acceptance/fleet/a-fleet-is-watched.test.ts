import { describe, expect, it } from 'vitest';
import { axeViolations, openBrowser, openUi, whyNoBrowser } from '../../support/browser.ts';
import { doneOnce, openFleetStage, resultOf } from '../../support/fleet-stage.ts';
import { openPostgres, whyNoPostgres } from '../../support/postgres.ts';
import { openPty } from '../../support/pty.ts';
import { ralph, startRalph } from '../../support/ralph.ts';
import { skipLoudly } from '../../support/skip-loudly.ts';
import { openThrowAwayFolder } from '../../support/throw-away-folder.ts';
import { until } from '../../support/until.ts';

const SCRIPT = `case "$id" in
  asks) [ -e "$here/asked" ] || { : >"$here/asked"; echo '<promise>BLOCKED: Which account?</promise>'; exit; } ;;
  long) await go ;;
esac
work; claim`;
/** The push of the result waits, so that the merge seat is taken for as long as the test wants. */
const PUSH_THAT_WAITS = 'grep -q refs/heads/main || exit 0\nwhile [ ! -e land ]; do sleep 0.05; done';

describe.skipIf(skipLoudly(whyNoPostgres()))('ralph watch --store', () => {
  it('shows workers, tasks, the merge seat and what waits for a person, from a folder without a clone, to somebody who may only look', async () => {
    await using server = await openPostgres();
    await using stage = await openFleetStage(server, ['asks', 'long'], SCRIPT, { machines: 1 });
    await stage.hook('pre-receive', PUSH_THAT_WAITS);
    expect(await stage.ralph(1, 'fleet', 'roles')).toMatchObject({ code: 0 });
    await server.ask(stage.url, "create role page login password 'not shown' in role ralph_reader");
    const reader = Object.assign(new URL(stage.url), { username: 'page', password: 'not shown' }).href;
    await using folder = await openThrowAwayFolder();
    const place = { cwd: folder.path, env: { RALPH_STORE: reader, TERM: 'xterm' } };
    const look = async () => JSON.parse((await ralph(['watch', '--store', '--json'], place)).stdout).fleets[0];

    const lines = startRalph(['watch', '--store'], place);
    let printed = '';
    lines.child.stdout?.on('data', (chunk) => {
      printed += chunk;
    });
    const prints = (text: string) => until(`a line with ${text}`, () => printed.includes(text), 60_000);
    await using pty = openPty(['watch', '--store', reader], { ...place, beside: folder.path, columns: 120 });
    const shows = (text: string) => until(`the screen shows ${text}`, () => pty.screen().includes(text), 60_000);
    await prints('Nobody has worked on a plan yet.');

    const worker = stage.begin(1, '--workers', '2');
    await prints('asks of task-graph.yaml asks: Which account?');
    await prints('Plan task-graph.yaml on main: 0 done, 1 in progress, 1 need you');
    const [run = ''] = (await look()).workers.map((one: { run: string }) => one.run);
    await shows(`long  ${run}/`);
    await shows('ralph fleet answer asks');
    await stage.make('go');
    await prints(`merging: ${run}/`);
    expect(await look()).toMatchObject({
      ...{ fleet: 'the fleet', mode: 'running', budget: { limit_usd: null, spent_usd: 0 }, workers: [{ run, state: 'working', plan: 'task-graph.yaml' }] },
      plans: [
        { plan: 'task-graph.yaml', base: 'main', merging: { alive: true }, held: [{ task: 'long' }], left: [{ task: 'asks', question: 'Which account?' }] },
      ],
    });
    await stage.make('remote.git/land');
    expect((await worker.ended).code).toBe(3);
    await prints('1 done, 0 in progress, 1 need you');
    await shows('1 done, 0 in progress, 1 need you');

    expect(await stage.ralph(1, 'fleet', 'answer', 'asks', 'The second one.')).toMatchObject({ code: 0 });
    expect((await stage.begin(1).ended).code).toBe(0);
    expect(resultOf(stage)).toEqual(doneOnce('asks', 'long'));
    await prints('2 done, 0 in progress, 0 need you');
    const ofRun = await ralph(['watch', run, '--store', '--json'], place);
    expect(JSON.parse(ofRun.stdout).runs).toMatchObject([{ run_id: run, recipe: 'work', standing: 'stopped', progress: { done: 1, total: 2 } }]);
    const printedOfRun = await ralph(['watch', run, '--store', '--plain'], place);
    expect([printedOfRun.code, printedOfRun.stdout]).toEqual([0, expect.stringContaining(`run ${run} (ralph work)`)]);
    expect(await ralph(['watch', 'nobody', '--store'], place)).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no run "nobody" here') });
    await server.crash();
    await prints('Trying again: the store ');
    pty.type('q');
    expect(await pty.exitCode()).toBe(0);
    lines.child.kill('SIGTERM');
    expect(await lines.ended).toMatchObject({ code: 143 });
    expect(printed + pty.screen()).not.toContain('not shown');
  });

  it.skipIf(skipLoudly(whyNoBrowser))('is a page with ralph ui --store, which keeps what it has seen while the store is away', async () => {
    await using server = await openPostgres();
    await using stage = await openFleetStage(server, ['asks', 'long'], SCRIPT, { machines: 1 });
    await using folder = await openThrowAwayFolder();
    const worker = stage.begin(1, '--workers', '2');
    const ui = startRalph(['ui', '--store', stage.url, '--port', '0'], { cwd: folder.path });
    let printed = '';
    ui.child.stdout?.on('data', (chunk) => {
      printed += chunk;
    });
    await until('the address is printed', () => /http:\S+\n/.test(printed));
    const browser = await openBrowser();
    try {
      const { page, troubles } = await openUi(browser, /http:\S+/.exec(printed)?.[0] ?? '');
      const shows = (text: string | RegExp) => page.locator('.fleet').filter({ hasText: text }).first().waitFor();
      await shows(/asks\s*parked\s*Which account\?/);
      await shows(/long\s*in progress/);
      await shows('task-graph.yaml on main: 0 done, 1 in progress, 1 need you');
      await shows(/1 at work/);
      await page.locator('.fleet .link').click();
      await page.locator('.why').getByText('Which account?').first().waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await stage.make('go');
      await shows('1 done, 0 in progress, 1 need you');
      expect((await worker.ended).code).toBe(3);
      await server.crash();
      await page.getByText(/^As last seen: the store /).waitFor();
      await shows('1 done, 0 in progress, 1 need you');
      expect(troubles).toEqual([]);
    } finally {
      await browser.close();
    }
    ui.child.kill('SIGTERM');
    expect(await ui.ended).toMatchObject({ code: 143 });
  });

  it('scrolls what is longer than the screen, wraps a question, hides secrets, and can be left while the store hangs', async () => {
    await using server = await openPostgres();
    await using folder = await openThrowAwayFolder();
    const url = await server.database();
    expect(await ralph(['fleet', 'migrate', '--store', url], { cwd: folder.path })).toMatchObject({ code: 0 });
    const secret = 'not-for-your-eyes-4711';
    const question = { kind: 'blocked', text: `Which of these accounts ${'or maybe another one '.repeat(8)}may I use?` };
    const parked = { state: 'parked', holder: null, key: '', at: 1, branch: null, base: null, tries: 1, feedback: '', question };
    await server.ask(
      url,
      `insert into ralph.fleets (id, name, lease_ms) values ('f', 'f', 30000);
       insert into ralph.plans (fleet, path, base) values ('f', 'p.yaml', 'main');
       insert into ralph.registers (fleet, name, n, value, nonce) values ('f', 'task/p.yaml/asks', 1, '${JSON.stringify(parked)}', gen_random_uuid());
       insert into ralph.sessions (fleet, id, run, host, about, lease_until)
       select 'f', n::text, 'run-' || n, 'here', '{"agent": "${secret}"}', now() + '1 day' from generate_series(1, 40) n`,
    );
    const place = { cwd: folder.path, env: { MY_TOKEN: secret, TERM: 'xterm' } };
    for (const how of ['--once', '--json']) {
      const { stdout } = await ralph(['watch', '--store', url, how], place);
      expect([stdout.includes('run-7'), stdout.includes(secret)], how).toEqual([true, false]);
    }
    await using pty = openPty(['watch', '--store', url], { ...place, beside: folder.path, columns: 60, rows: 14 });
    const shows = (text: string | RegExp) => until(`the screen shows ${text}`, () => pty.screen().search(text) >= 0, 60_000);
    await shows('may I use?');
    await shows('0 more above');
    pty.type('\u001b[B');
    await shows('1 more above');
    pty.type('\u001b[6~'.repeat(9));
    await shows('run-1 ');
    await shows('0 more below');
    const locking = server.ask(url, 'begin; lock table ralph.migrations in access exclusive mode; select pg_sleep(600)').catch(() => undefined);
    await until('the store hangs', async () => (await server.ask(url, 'select 1 from pg_locks where not granted')).length > 0, 60_000);
    pty.type('q');
    expect(await pty.exitCode()).toBe(0);
    // Nobody has waited until the look had failed.
    expect(pty.screen()).not.toContain('Trying again');
    await server.ask(url, "select pg_cancel_backend(pid) from pg_stat_activity where query like '%pg_sleep%' and pid <> pg_backend_pid()");
    await locking;
  });

  it('refuses what it cannot show, in one line', async () => {
    await using server = await openPostgres();
    await using folder = await openThrowAwayFolder();
    const refused = async (...args: readonly string[]) => {
      const { code, stderr } = await ralph(['watch', ...args], { cwd: folder.path });
      return `${code} ${stderr.split('\n')[0]}`;
    };
    const url = await server.database();
    expect(await refused('--store')).toBe('2 error: no store is named');
    expect(await refused('--store', url)).toMatch(/^2 error: the store \S+ has no tables of Ralph$/);
    expect(await ralph(['fleet', 'migrate', '--store', url], { cwd: folder.path })).toMatchObject({ code: 0 });
    expect(await refused('--store', url)).toMatch(/^2 error: the store \S+ has no fleet$/);
    const exported = await ralph(['ui', '--store', url, '--export', 'page.html'], { cwd: folder.path });
    expect([exported.code, exported.stderr.split('\n')[0]]).toEqual([2, 'error: --export writes one run, and --store shows whole fleets']);
    expect(await refused('a-run', '--store', url)).toMatch(/^2 error: the store \S+ has no fleet$/);
  });
});
