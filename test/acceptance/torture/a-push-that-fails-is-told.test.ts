import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bash, CLAIM, ends, turn } from '../../support/claude-script.ts';
import { type CommittingStage, giveRemote, goesOn, MESSAGE, messageCalls, names, openCommittingStage, works } from '../../support/committing-stage.ts';
import { deepIt } from '../../support/deep.ts';
import { iterationsOf, journalOf, WORK } from '../../support/stage.ts';

const pushes = { tasks: ['commit', 'push'] };

const remoteLog = ({ repo }: CommittingStage) => repo.git('-C', '../beside/origin.git', 'log', '--reverse', '--format=%s', 'main').split('\n');

/** Somebody else pushes first. */
const overtake =
  'git clone -q ../beside/origin.git ../beside/other && cd ../beside/other && git -c user.name=o -c user.email=o@example.com commit -q --allow-empty -m "by another" && git push -q';

describe.concurrent('a push', () => {
  it('comes after each commit, and the remote has them all', async () => {
    await using stage = await openCommittingStage([goesOn, names('First'), goesOn, names('Second')], pushes);
    giveRemote(stage);
    const run = await stage.run('-m', '2');

    expect(run.code).toBe(1);
    expect(remoteLog(stage)).toEqual(['start', 'First', 'Second']);
    expect(run.stderr.match(/SCM start: git push\nSCM end: git push \(exit 0\)/g)).toHaveLength(2);
    expect(run.result).toMatchObject({ commits: 2, scm_problem: null });
  });

  it('that is rejected is reported with its error, and the loop continues and pushes again later', async () => {
    const overtaken = turn(bash(`${WORK}; (${overtake})`), ...ends('Not there yet.'));
    const pulls = turn(bash('git pull -q --rebase; date > more.txt'), ...ends(CLAIM));
    await using stage = await openCommittingStage([overtaken, names('First'), pulls, names('Second')], pushes);
    giveRemote(stage);
    const run = await stage.run('-m', '2');

    expect(run.code).toBe(0);
    expect(iterationsOf(run)).toEqual(['green', 'green']);
    expect(run.stderr).toMatch(/SCM end: git push \(exit 1\)\n.*\S/);
    expect(journalOf(run).find(({ type }) => type === 'command.ended')).toMatchObject({
      ending: { kind: 'exited', code: 1 },
      last_line: expect.stringContaining('failed to push'),
    });
    expect(run.result).toMatchObject({ commits: 2, scm_problem: null });
    expect(remoteLog(stage)).toEqual(['start', 'by another', 'First', 'Second']);
  });

  it('that is rejected at the end is reported in the summary and in --json, with exit code 1', async () => {
    await using stage = await openCommittingStage([turn(bash(`${WORK}; (${overtake})`), ...ends(CLAIM)), names(MESSAGE)], {
      tasks: ['commit', 'push', 'tag pushed'],
    });
    giveRemote(stage);
    const run = await stage.run();

    expect(run.code).toBe(1);
    expect(run.result).toMatchObject({ done: true, commits: 1 });
    expect(run.result?.scm_problem).toBe("git push: exit 1: error: failed to push some refs to '../beside/origin.git'");
    expect(stage.repo.git('tag')).toBe('');
    expect(stage.subjects()).toEqual(['start', MESSAGE]);
    expect(remoteLog(stage)).toEqual(['start', 'by another']);
  });

  deepIt('each task is a command that is run in one place')('that needs a password fails at once', async () => {
    const server = createServer((_request, response) => response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await using stage = await openCommittingStage([works, names(MESSAGE)], pushes);
    stage.repo.git('remote', 'add', 'origin', `http://127.0.0.1:${(server.address() as AddressInfo).port}/repo.git`);
    stage.repo.git('config', 'push.default', 'current');
    const run = await stage.run();
    server.close();

    expect(run.code).toBe(1);
    expect(run.ms).toBeLessThan(25_000);
    expect(run.result?.scm_problem).toMatch(/could not read Username|terminal prompts disabled|Authentication failed/);
    expect(stage.after()).toEqual({ calls: 2, commits: 2, changed: [], processes: [] });
  });

  deepIt('each task is a command that is run in one place')('that fails after much output is reported with its last lines', async () => {
    await using stage = await openCommittingStage([works, names(MESSAGE)], pushes);
    giveRemote(stage);
    await stage.hook('pre-push', 'yes "all is well" | head -n 100000; echo "the last test failed" >&2; exit 1');
    const run = await stage.run();

    expect(run.code).toBe(1);
    expect(run.result?.scm_problem).toMatch(/^git push: exit 1: .*failed/);
  });

  it('that hangs is stopped after scm.timeout, with all its processes', async () => {
    await using stage = await openCommittingStage([works, names(MESSAGE)], { ...pushes, timeout: '3s' });
    giveRemote(stage);
    await stage.hook('pre-push', 'sleep 600 & setsid sleep 600 & wait');
    const run = await stage.run();

    expect(run.code).toBe(1);
    expect(run.result?.scm_problem).toMatch(/^git push: .*timed out/);
    expect(remoteLog(stage)).toEqual(['start']);
    expect(stage.after()).toEqual({ calls: 2, commits: 2, changed: [], processes: [] });
  });
});

describe.concurrent('tasks', () => {
  it('run in their order with their arguments, and without a shell', async () => {
    const tasks = ['commit', 'status --short --branch', 'push', 'tag "a tag; touch pwned"', 'tag later'];
    await using stage = await openCommittingStage([works, names(MESSAGE)], { tasks });
    giveRemote(stage);
    const run = await stage.run();

    expect(run.code).toBe(1);
    const ended = journalOf(run).flatMap(({ type, argv }) => (type === 'command.ended' ? [(argv as readonly string[]).slice(1).join(' ')] : []));
    expect(ended).toEqual(['status --short --branch', 'push', 'tag a tag; touch pwned']);
    expect(run.result?.scm_problem).toMatch(/^git tag .*exit 128: .*not a valid tag name/);
    const log = journalOf(run).find(({ type, argv }) => type === 'command.ended' && (argv as readonly string[])[1] === 'status')?.['log'] as string;
    expect(readFileSync(join(log), 'utf8')).toMatch(/^## main\.\.\.origin\/main \[ahead 1\]/);
    expect(stage.repo.git('tag')).toBe('');
    expect(stage.after()).toMatchObject({ commits: 2, changed: [] });
  });

  deepIt('each task is a command that is run in one place')('without a commit need no message', async () => {
    await using stage = await openCommittingStage([works], { tasks: ['status --short', 'tag made'] });
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(messageCalls(stage)).toEqual([]);
    expect(stage.repo.git('tag')).toBe('made');
    expect(stage.after()).toMatchObject({ calls: 1, commits: 1, changed: ['?? work.txt'] });
  });

  deepIt('each task is a command that is run in one place')('of another SCM get the message as an argument', async () => {
    const scm = { command: 'sh ../beside/other-scm', tasks: ['commit --quiet', 'push now'] };
    await using stage = await openCommittingStage([works, names('Add $(touch pwned)')], { settings: { scm } });
    await stage.repo.write('../beside/other-scm', `printf '<%s>' "$@" >> ../beside/argv; echo >> ../beside/argv`);
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(readFileSync(join(stage.repo.beside, 'argv'), 'utf8')).toBe('<commit><--quiet><-am><Add $(touch pwned)>\n<push><now>\n');
    expect(run.result).toMatchObject({ commits: 0, scm_problem: null });
    expect(stage.after()).toMatchObject({ calls: 2, commits: 1, changed: ['?? work.txt'] });
  });

  it('do not run after a red iteration or a failed agent', async () => {
    const red = turn(...ends('Not there yet.'));
    const crashed = turn(bash(WORK), { exit: 1 });
    await using stage = await openCommittingStage([red, crashed], { tasks: ['commit', 'tag made'] });
    const run = await stage.run('-m', '2');

    expect(run.code).toBe(1);
    expect(iterationsOf(run)).toEqual(['red', 'failed']);
    expect(stage.repo.git('tag')).toBe('');
    expect(stage.after()).toMatchObject({ calls: 2, commits: 1, changed: ['?? work.txt'] });
  });
});
