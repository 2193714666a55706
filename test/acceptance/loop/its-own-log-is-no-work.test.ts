import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { openGitPlace, type Place } from '../../support/place.ts';
import { CLI, cleanEnv } from '../../support/ralph.ts';

vi.setConfig({ maxConcurrency: 3 });

/** A command line of a shell with `ralph` in it, as a person types it. */
function typed({ path, beside }: Place, line: string): Promise<number> {
  const env = { ...cleanEnv(path, { HOME: beside, XDG_RUNTIME_DIR: beside }), NODE: process.execPath, CLI };
  return new Promise((resolve) => {
    execFile('bash', ['-o', 'pipefail', '-c', `ralph() { "$NODE" "$CLI" "$@"; }\n${line}`], { cwd: path, env }, (error) =>
      resolve(typeof error?.code === 'number' ? error.code : error === null ? 0 : -1),
    );
  });
}

async function openedPlace(): Promise<Place> {
  const place = await openGitPlace();
  place.git('config', 'user.name', 't');
  place.git('config', 'user.email', 't@example.com');
  return place;
}

const read = ({ path }: Place, name: string) => readFileSync(join(path, name), 'utf8');

/** An agent that does nothing, and a check that is always red: stuck after three iterations. */
const NOWHERE = `--agent 'sh -c "cat >/dev/null; echo thinking"' --check false --max-iterations 9 --stuck-after 3`;

describe.concurrent('a log of the loop in its own work tree', () => {
  it.for([
    ['of stdout', `ralph loop "Do it" ${NOWHERE} > o.txt`],
    ['of both, in a subfolder', `mkdir -p logs && ralph loop "Do it" ${NOWHERE} > logs/night.txt 2>&1`],
    ['of a tee', `ralph loop "Do it" ${NOWHERE} 2>&1 | tee o.txt`],
    ['in a workspace in place', `ralph loop "Do it" --workspace=place ${NOWHERE} > o.txt 2>&1`],
    ['that git knows', `echo old > o.txt; git add o.txt; git commit -qm log; ralph loop "Do it" ${NOWHERE} > o.txt 2>&1`],
  ] as const)('is no progress: %s', async ([, line]) => {
    await using place = await openedPlace();
    expect(await typed(place, `${line}; code=$?; ralph report --json > "$HOME/report.json" 2>/dev/null; exit $code`)).toBe(1);
    expect(JSON.parse(readFileSync(join(place.beside, 'report.json'), 'utf8'))).toMatchObject({ stop_reason: 'stuck' });
  });

  it('is neither committed nor a change after the gates', async () => {
    await using place = await openedPlace();
    await place.write('.ralph/settings.json', JSON.stringify({ scm: { command: 'git', tasks: ['commit'] }, guardrails: [{ command: 'true' }] }));
    place.git('add', '.');
    place.git('commit', '-qm', 'settings');
    expect(await typed(place, `ralph run -p x -m 2 --agent 'sh -c "cat >/dev/null; echo hi > made.txt; echo DONE"' > o.txt 2>&1`)).toBe(0);
    expect(place.git('show', '--name-only', '--format=', 'HEAD')).toBe('made.txt');
    expect(place.git('status', '--porcelain')).toBe('?? o.txt');
    expect(read(place, 'o.txt')).toContain('made.txt');
  });

  it('does not keep `ralph work` from starting', async () => {
    await using place = await openedPlace();
    await place.write('TODO.md', '- [ ] Write it down\n');
    place.git('add', '.');
    place.git('commit', '-qm', 'plan');
    const agent = `--agent 'sh -c "cat >/dev/null; echo hi > made.txt; ralph task complete write-it-down"'`;
    expect(await typed(place, `ralph work --plan TODO.md --check true ${agent} > o.txt 2>&1`)).toBe(0);
    expect(place.git('ls-tree', '--name-only', 'HEAD', '--', 'made.txt', 'o.txt')).toBe('made.txt');
  });
});
