import { chmod, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../support/bubblewrap.ts';
import { openRepo } from '../support/repo.ts';
import { openSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { ralphWithoutPowers } from '../support/without-powers.ts';

const DISK_BYTES = 4_000_000;

/** Claims to be done from its second iteration on; runs `trouble.sh` once, in its first call. */
const AGENT = `#!/bin/sh
here=$(dirname "$0")
attempt=\${RALPH_MARKER##*/}
echo "$attempt" >>"$here/calls"
echo $$ >"$here/agent.pid"
cat >/dev/null
mv "$here/trouble.sh" "$here/trouble-made.sh" 2>/dev/null && . "$here/trouble-made.sh"
[ "\${attempt%.*}" = 1 ] && text='more to do' || text='<response>DONE</response>'
echo '{"type":"system","subtype":"init","session_id":"s","model":"m"}'
echo '{"type":"result","subtype":"success","is_error":false,"result":"'"$text"'","total_cost_usd":0.25,"usage":{"input_tokens":10,"output_tokens":5}}'
`;
const RUN = `run -p 'Do the work.' --agent "$beside/agent.sh" --agent-kind stream-json --guardrail "sh $beside/gate.sh" --json`;
const FILL = 'dd if=/dev/zero of=filler bs=4k 2>/dev/null';

/** Prints more than fits into the last page of a file. Fills the disk once its output is in its log. */
const LONG_WINDED_GATE = `
head -c 5000 /dev/zero | tr '\\0' x; echo
mv "$(dirname "$0")/fill" "$(dirname "$0")/filled" 2>/dev/null || exit 0
until [ "$(cat .ralph/guardrail_001_*.log | wc -c)" -ge 5000 ]; do sleep 0.05; done
${FILL}
exit 0
`;

/** One line with the error, one with the hint, no stack. */
function expectOneLine(stderr: string, what: RegExp): void {
  const lines = stderr.trimEnd().split('\n');
  expect(lines.at(-2)).toMatch(what);
  expect(lines.at(-1)).toMatch(/^hint: \S/);
  expect(stderr).not.toMatch(/^ {4}at |bug in ralph/m);
}

/** The first process stopped because the disk was full, and the resumed run continued from everything it had written. */
function expectStoppedThenResumed(disk: SmallDisk, what: RegExp): void {
  const full = disk.told('full');
  expect(full).toMatchObject({ code: 4 });
  expectOneLine(full.stderr, what);
  expect(JSON.parse(full.stdout)).toEqual({ stop_reason: 'fatal', message: expect.any(String), exit_code: 4, done: false, run_folder: expect.any(String) });
  const resumed = disk.told('resumed');
  expect(resumed).toMatchObject({ code: 0 });
  const whole = full.journal.slice(0, full.journal.lastIndexOf('\n') + 1);
  expect(whole).toContain('"type":"effect.begun"');
  expect(resumed.journal.slice(0, whole.length)).toBe(whole);
  const lines = resumed.journal
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1));
  expect(JSON.parse(resumed.stdout)).toMatchObject({ done: true, iterations: 2 });
}

const missing = bubblewrapIsMissing();

describe.skipIf(missing)('a disk that fills up', () => {
  it('while gates are journaled stops the run with one line and exit code 4, and loses nothing', async () => {
    await using disk = await openSmallDisk(DISK_BYTES, { 'agent.sh': AGENT, 'gate.sh': LONG_WINDED_GATE, fill: '' });
    await disk.tell(`ralph full ${RUN}; make_room; ralph resumed run --resume --json`);
    expectStoppedThenResumed(disk, /^error: The journal .* cannot be written \(ENOSPC/);
    expect(disk.told('full').journal, 'it was torn by the full disk').not.toMatch(/\n$/);
    expect(disk.found('calls')).toBe('1.1\n2.1\n');
    expect(JSON.parse(disk.told('resumed').stdout)).toMatchObject({ cost_usd: 0.5 });
  });

  it('while an agent is running stops the agent, with one line and exit code 4, and loses nothing', async () => {
    // The agent fills the disk, then a message of many bytes arrives that must be journaled.
    const trouble = `
      inbox=$(echo .git/ralph/runs/*/inbox)
      printf '{"ask":"drain","by":"%05000d"}' 0 >"$inbox/message"
      ln "$inbox/message" "$inbox/its-room-is-not-freed"
      ${FILL}
      mv "$inbox/message" "$inbox/message.json"
      while :; do sleep 0.05; done
    `;
    await using disk = await openSmallDisk(DISK_BYTES, { 'agent.sh': AGENT, 'gate.sh': 'exit 0', 'trouble.sh': trouble });
    await disk.tell(
      `ralph full ${RUN}; kill -0 $(cat "$beside/agent.pid") 2>/dev/null && touch "$beside/still-there"; make_room; rm .git/ralph/runs/*/inbox/message.json; ralph resumed run --resume --json`,
    );
    expectStoppedThenResumed(disk, /^error: The journal .* cannot be written \(ENOSPC/);
    expect(disk.found('still-there')).toBe('');
    expect(disk.found('calls')).toBe('1.1\n1.2\n2.1\n');
  });

  it('from the output of an agent stops the run with one line and exit code 4, and loses nothing', async () => {
    const trouble = 'exec yes "$(head -c 1000 /dev/zero | tr "\\0" x)"';
    await using disk = await openSmallDisk(DISK_BYTES, { 'agent.sh': AGENT, 'gate.sh': 'exit 0', 'trouble.sh': trouble });
    await disk.tell(`ralph full ${RUN}; rm .git/ralph/runs/*/iterations/001/1-work/agent.jsonl; ralph resumed run --resume --json`);
    expectStoppedThenResumed(disk, /^error: cannot write output to .*ENOSPC/);
    expect(disk.found('calls')).toBe('1.1\n1.2\n2.1\n');
  });

  it('from files of an agent in the os sandbox ends that agent, and the checkout stays as it was', async () => {
    const fills = AGENT.replace(/^mv .*$/m, `echo changed > old; ${FILL}; exec sleep 600`);
    await using disk = await openSmallDisk(8 * DISK_BYTES, { 'agent.sh': fills, 'gate.sh': 'exit 0' });
    const looks = 'git status --porcelain >"$beside/status"; cat old >"$beside/old"; ls .git/ralph/runs/*/isolated/tree >"$beside/left"';
    await disk.tell(`echo old >old; git add old; git -c user.name=t -c user.email=t@example.com commit -qm old; ralph full ${RUN} --sandbox=os -m 1; ${looks}`);
    const { code, stderr } = disk.told('full');
    expect([code, disk.found('status'), disk.found('old')], stderr).toEqual([4, '', 'old\n']);
    expect(stderr).toMatch(/what was made is kept in .*the agent was stopped: only \d+ MiB of disk space were left in /s);
    expect(disk.found('left')).toContain('filler');
  });

  it('before a run starts is reported with one line and exit code 4', async () => {
    await using disk = await openSmallDisk(DISK_BYTES, { 'agent.sh': AGENT, 'gate.sh': 'exit 0' });
    await disk.tell(`fill; ralph full ${RUN}; ralph unchecked ${RUN} --no-preflight; make_room; ralph roomy ${RUN}`);
    expect(disk.told('full')).toMatchObject({ code: 4 });
    expectOneLine(disk.told('full').stderr, /^error: only 0 MiB of disk space are free/);
    expect(disk.told('unchecked')).toMatchObject({ code: 4 });
    expectOneLine(disk.told('unchecked').stderr, /^error: .*(ENOSPC|No space left)/);
    expect(disk.told('roomy')).toMatchObject({ code: 0 });
    expect(disk.found('calls')).toBe('1.1\n2.1\n');
  });
});

describe.skipIf(missing)('a missing permission is reported in one line:', () => {
  const RUN_ARGS = ['run', '--agent', 'true', '--guardrail', 'true', '--json'];

  /** Restores the permissions at the end of the block, because the tests may not run as root. */
  async function forbid(path: string, mode: number): Promise<AsyncDisposable> {
    await chmod(path, mode);
    return { [Symbol.asyncDispose]: () => chmod(path, 0o755) };
  }

  it('a read-only .ralph folder, exit 4', async () => {
    await using repo = await openRepo();
    await mkdir(join(repo.path, '.ralph'), { mode: 0o555 });
    const { code, stderr } = await ralphWithoutPowers([...RUN_ARGS, '-p', 'x'], { cwd: repo.path });
    expect(code).toBe(4);
    expectOneLine(stderr, /^error: cannot write to .*\.ralph: EACCES/);
  });

  it('a read-only repository, exit 4', async () => {
    await using repo = await openRepo();
    await using _locked = await forbid(join(repo.path, '.git'), 0o555);
    const { code, stderr } = await ralphWithoutPowers([...RUN_ARGS, '-p', 'x'], { cwd: repo.path });
    expect(code).toBe(4);
    expectOneLine(stderr, /^error: cannot write to .*EACCES/);
  });

  it('a settings file, exit 2', async () => {
    await using repo = await openRepo({ '.ralph/settings.json': '{}' });
    await chmod(join(repo.path, '.ralph/settings.json'), 0);
    const { code, stderr } = await ralphWithoutPowers([...RUN_ARGS, '-p', 'x'], { cwd: repo.path });
    expect(code).toBe(2);
    expectOneLine(stderr, /^error: failed to load settings: \.ralph\/settings\.json: EACCES/);
  });

  it('a prompt file, exit 2', async () => {
    await using repo = await openRepo({ 'prompt.md': 'x' });
    await chmod(join(repo.path, 'prompt.md'), 0);
    const { code, stderr } = await ralphWithoutPowers([...RUN_ARGS, '-f', 'prompt.md'], { cwd: repo.path });
    expect(code).toBe(2);
    expectOneLine(stderr, /^error: prompt file cannot be read: prompt\.md: EACCES/);
  });

  it('a journal, exit 4', async () => {
    await using repo = await openRepo();
    const agent = ['--agent', 'echo', '-p', 'x', '-m', '1'];
    expect(await ralphWithoutPowers(['run', ...agent], { cwd: repo.path })).toMatchObject({ code: 1 });
    const runs = join(repo.path, '.git', 'ralph', 'runs');
    const [run = ''] = (await readdir(runs)).filter((name) => !name.includes('lock'));
    await chmod(join(runs, run, 'journal.jsonl'), 0o400);
    const { code, stderr } = await ralphWithoutPowers(['run', '--resume'], { cwd: repo.path });
    expect(code).toBe(4);
    expectOneLine(stderr, /^error: The journal .* cannot be written \(EACCES/);
  });

  it('but a run continues with a file that git cannot read, warns, and still detects other changes', async () => {
    await using repo = await openRepo();
    await chmod(await repo.write('secret.txt', 's\n'), 0);
    const agent = await repo.write('../beside/agent.sh', 'touch made.txt; echo DONE');
    const { code, stdout, stderr } = await ralphWithoutPowers(['run', '--agent', `sh ${agent}`, '-p', 'x', '--require-change', '--json'], { cwd: repo.path });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ stop_reason: 'completed', zero_work: false });
    expect(stderr).toContain('secret.txt');
  });

  it('but a run continues if its socket cannot be opened', async () => {
    await using repo = await openRepo();
    await chmod(repo.beside, 0o555);
    const { code } = await ralphWithoutPowers(['run', '--agent', 'echo DONE', '-p', 'x'], { cwd: repo.path, env: { XDG_RUNTIME_DIR: repo.beside } });
    expect(code).toBe(0);
  });
});
