import { describe, it } from 'vitest';
import { expectScreen } from '../../../test/support/expected-screen.ts';
import { looking, play } from '../../../test/support/play-on-console.ts';
import { type RecordedRun, recordedRun } from '../../../test/support/recorded-run.ts';

const claude: RecordedRun = {
  agent: 'claude',
  recordings: ['claude/tool-error', 'claude/tasks', 'claude/subagent', 'claude/thinking', 'claude/529-fallback-model'],
};
const codex: RecordedRun = { agent: 'codex', recordings: ['codex/plan', 'codex/parallel-tools', 'codex/apply-patch'] };
/** No recording of amp exists yet. It prints the same lines as claude, so this uses claude's. */
const amp: RecordedRun = { agent: 'amp', recordings: ['claude/tool-ok', 'claude/tool-error'] };
const opencode: RecordedRun = { agent: 'opencode', recordings: ['opencode/todo', 'opencode/tool-error'] };

describe('the whole screen of recorded runs', () => {
  it.each([
    ['claude', claude],
    ['codex', codex],
    ['amp', amp],
    ['opencode', opencode],
  ])('of %s matches the approved one, on a terminal of 80 columns', (name, run) => {
    expectScreen(`${name}-80`, play(recordedRun(run), { width: 80 }));
  });

  it.each([
    ['claude', claude],
    ['codex', codex],
    ['amp', amp],
    ['opencode', opencode],
  ])('of %s has no edge and no emoji in a plain log', (name, run) => {
    expectScreen(`${name}-plain`, play(recordedRun(run, looking({ emoji: false }))));
  });

  it('of claude is coloured on a terminal', () => {
    expectScreen('claude-colour', play(recordedRun(claude), { width: 80, colour: true }));
  });

  it('of claude has the time before each line, within the same 80 columns', () => {
    expectScreen('claude-timestamps', play(recordedRun(claude, looking({ timestamps: true })), { width: 80 }));
  });

  it('of claude shows as much tool output as configured', () => {
    expectScreen('claude-short', play(recordedRun(claude, looking({ maxOutputLines: 1, maxOutputChars: 16 }))));
  });

  it('of codex shows everything with --verbose', () => {
    expectScreen('codex-verbose', play(recordedRun(codex), { verbose: true }));
  });
});
