import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../support/bubblewrap.ts';
import { openSmallDisk, type SmallDisk } from '../support/small-disk.ts';

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

/** Says more than the last page of a file can take. Fills the disk once its words are in its log. */
const LONG_WINDED_GATE = `
head -c 5000 /dev/zero | tr '\\0' x
mv "$(dirname "$0")/fill" "$(dirname "$0")/filled" 2>/dev/null || exit 0
until [ "$(cat .ralph/guardrail_001_*.log | wc -c)" -ge 5000 ]; do sleep 0.05; done
${FILL}
exit 0
`;

/** One line that says what is wrong, one that says what to do, no stack. */
function expectOneLine(stderr: string, what: RegExp): void {
  const lines = stderr.trimEnd().split('\n');
  expect(lines.at(-2)).toMatch(what);
  expect(lines.at(-1)).toMatch(/^hint: \S/);
  expect(stderr).not.toMatch(/^ {4}at |bug in ralph/m);
}

/** The first sitting stopped for want of room, and the second went on from all that the first had written. */
function expectStoppedThenResumed(disk: SmallDisk, what: RegExp): void {
  const full = disk.told('full');
  expect(full).toMatchObject({ code: 4 });
  expectOneLine(full.stderr, what);
  const resumed = disk.told('resumed');
  expect(resumed).toMatchObject({ code: 0 });
  const whole = full.journal.slice(0, full.journal.lastIndexOf('\n') + 1);
  expect(whole).toContain('"type":"effect.begun"');
  expect(resumed.journal.slice(0, whole.length)).toBe(whole);
  const lines = resumed.journal.trimEnd().split('\n').map((line) => JSON.parse(line));
  expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1));
  expect(JSON.parse(resumed.stdout)).toMatchObject({ done: true, iterations: 2 });
}

const missing = bubblewrapIsMissing();

describe.skipIf(missing)('a disk that fills up', () => {
  it('while gates are journaled stops the run in one line with exit 4, and loses nothing', async () => {
    await using disk = await openSmallDisk(DISK_BYTES, { 'agent.sh': AGENT, 'gate.sh': LONG_WINDED_GATE, fill: '' });
    await disk.tell(`ralph full ${RUN}; make_room; ralph resumed run --resume --json`);
    expectStoppedThenResumed(disk, /^error: The journal .* cannot be written \(ENOSPC/);
    expect(disk.told('full').journal, 'it was torn by the full disk').not.toMatch(/\n$/);
    expect(disk.found('calls')).toBe('1.1\n2.1\n');
    expect(JSON.parse(disk.told('resumed').stdout)).toMatchObject({ cost_usd: 0.5 });
  });

  it('while an agent is at work ends the agent, in one line with exit 4, and loses nothing', async () => {
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
    await disk.tell(`ralph full ${RUN}; kill -0 $(cat "$beside/agent.pid") 2>/dev/null && touch "$beside/still-there"; make_room; ralph resumed run --resume --json`);
    expectStoppedThenResumed(disk, /^error: The journal .* cannot be written \(ENOSPC/);
    expect(disk.found('still-there')).toBe('');
    expect(disk.found('calls')).toBe('1.1\n1.2\n2.1\n');
  });

  it('with what an agent prints stops the run in one line with exit 4, and loses nothing', async () => {
    const trouble = 'yes "$(head -c 1000 /dev/zero | tr "\\0" x)"';
    await using disk = await openSmallDisk(DISK_BYTES, { 'agent.sh': AGENT, 'gate.sh': 'exit 0', 'trouble.sh': trouble });
    await disk.tell(`ralph full ${RUN}; rm .git/ralph/runs/*/iterations/001/1-work/agent.jsonl; ralph resumed run --resume --json`);
    expectStoppedThenResumed(disk, /^error: .*ENOSPC/);
    expect(disk.found('calls')).toBe('1.1\n1.2\n2.1\n');
  });

  it('before a run starts is told in one line with exit 4', async () => {
    await using disk = await openSmallDisk(DISK_BYTES, { 'agent.sh': AGENT, 'gate.sh': 'exit 0' });
    await disk.tell(`fill; ralph full ${RUN}; make_room; ralph roomy ${RUN}`);
    expect(disk.told('full')).toMatchObject({ code: 4 });
    expectOneLine(disk.told('full').stderr, /^error: .*(ENOSPC|No space left)/);
    expect(disk.told('roomy')).toMatchObject({ code: 0 });
    expect(disk.found('calls')).toBe('1.1\n2.1\n');
  });
});
