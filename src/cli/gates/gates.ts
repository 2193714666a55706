import { io } from '../../process/io.ts';
import { type SeenGate, seeGate } from '../../proof/gates/look-at-gates.ts';
import { type OpenTree, openTree } from '../../proof/gates/open-tree.ts';
import { openTrials, type TriedGate } from '../../proof/gates/try-gate.ts';
import { loadLoopSettings } from '../../settings/load-loop-settings.ts';
import { ms } from '../../settings/run-limits.ts';
import { LOOP_DEFAULTS } from '../../settings/schema/loop-settings.ts';
import type { GateSpec } from '../../settings/schema/run-settings.ts';
import { DEFAULTS } from '../../settings/schema/settings-file.ts';
import { lookAround } from '../init/look-around.ts';
import { currentDirectory } from '../shared/flags.ts';
import { untilSignalled } from '../shared/until-signalled.ts';
import { gateJson, gateLines } from './gate-lines.ts';

interface GatesFlags {
  readonly check?: readonly string[];
  readonly guardrail?: readonly string[];
  readonly config?: string;
  readonly try?: boolean;
  readonly all?: boolean;
  readonly json?: boolean;
}

/** 1: a gate that was tried is dead. */
export async function gatesCommand(named: readonly string[], flags: GatesFlags): Promise<number> {
  const cwd = currentDirectory();
  const gates = await gatesOf(named, flags, cwd);
  if (gates.length === 0) return await tellNone(cwd, flags);
  using signalled = untilSignalled();
  await using tree = await openTree(cwd);
  const shown: Shown[] = [];
  const show = (seen: SeenGate, tried: TriedGate | null) => {
    shown.push({ seen, tried });
    if (!flags.json) write(gateLines(seen, tried, flags.all === true));
  };
  await lookAtAll(gates, { tree, tries: flags.try === true, show }, signalled.signal);
  if (signalled.signal.aborted) {
    io().stderr.write('Interrupted; nothing is left running.\n');
    return signalled.exitCode();
  }
  tellWhatIsUnknown(tree, flags);
  if (flags.json) write([JSON.stringify({ problem: tree.why || null, gates: shown.map(({ seen, tried }) => gateJson(seen, tried)) })]);
  return shown.some(({ tried }) => tried?.life.state === 'dead') ? 1 : 0;
}

interface Shown {
  readonly seen: SeenGate;
  readonly tried: TriedGate | null;
}

const write = (lines: readonly string[]) => void io().stdout.write(lines.map((line) => `${line}\n`).join(''));

interface Look {
  readonly tree: OpenTree;
  readonly tries: boolean;
  readonly show: (seen: SeenGate, tried: TriedGate | null) => void;
}

/** One after the other, each told as soon as it is known; none after a signal. */
async function lookAtAll(gates: readonly GateSpec[], { tree, tries, show }: Look, signal: AbortSignal): Promise<void> {
  await using trials = tries && tree.copied !== null ? await openTrials(tree.copied) : null;
  for (const gate of gates) {
    if (signal.aborted) return;
    const seen = await seeGate(gate, tree.below, tree.repository);
    const tried = trials === null ? null : await trials.run(seen, signal);
    if (!signal.aborted) show(seen, tried);
  }
}

function tellWhatIsUnknown({ copied, why }: OpenTree, flags: GatesFlags): void {
  if (copied !== null) return;
  const untried = flags.try ? ' Nothing was tried.' : '';
  io().stderr.write(`warning: ${why}: no copy can be made, so no gate can be shown to be alive, and nobody can tell what an agent changes.${untried}\n`);
}

/** Those that are named alone, else those of the settings; what an option adds comes on top. Each once. */
async function gatesOf(named: readonly string[], { check = [], guardrail = [], config }: GatesFlags, cwd: string): Promise<readonly GateSpec[]> {
  const { settings } = await loadLoopSettings(cwd, config ?? null);
  const usualMs = ms(settings.guardrailTimeout ?? DEFAULTS.guardrailTimeout);
  const checkMs = ms(settings.loop?.checkTimeout ?? LOOP_DEFAULTS.checkTimeout);
  const configured = [
    ...(settings.guardrails ?? []).map(({ command, timeout }) => gateOf(command, timeout === undefined ? usualMs : ms(timeout))),
    ...(settings.loop?.checks ?? []).map((command) => gateOf(command, checkMs)),
  ];
  const said = [...named, ...guardrail, ...check].map((command) => gateOf(command, usualMs));
  const all = [...(named.length > 0 ? [] : configured), ...said].filter(({ command }) => command.trim() !== '');
  return [...new Map(all.map((gate) => [gate.command, gate])).values()];
}

const gateOf = (command: string, timeoutMs: number): GateSpec => ({ command, timeoutMs, failAction: 'APPEND', hint: null });

async function tellNone(cwd: string, { json }: GatesFlags): Promise<number> {
  const { guardrails } = await lookAround(cwd);
  if (json) write([JSON.stringify({ problem: 'no gates', gates: [], found: guardrails })]);
  else {
    const found = guardrails.map(({ command, from }) => `  --check ${JSON.stringify(command)}  (${from})`);
    const advice = found.length === 0 ? ['Say what proves that work is good, for example: --check "npm test"'] : ['This project seems to have:', ...found];
    write(['No gates: neither guardrails nor loop.checks are in the settings, so nothing would prove that work is done.', ...advice]);
  }
  return 0;
}
