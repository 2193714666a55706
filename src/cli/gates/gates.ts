import { io } from '../../process/io.ts';
import { type OpenTree, openTree, openTrials, type SeenGate, seeGate, type TriedGate } from '../../proof/gates/try-gates.ts';
import { loadLoopSettings } from '../../settings/load-loop-settings.ts';
import { ms } from '../../settings/run-limits.ts';
import { proofOfGate } from '../../settings/run-settings.ts';
import { checksIn } from '../../settings/schema/loop-settings.ts';
import type { GateSpec } from '../../settings/schema/run-settings.ts';
import { DEFAULTS } from '../../settings/schema/settings-defaults.ts';
import { detectProject } from '../init/detect-project.ts';
import { currentDirectory } from '../shared/flags.ts';
import { untilSignalled } from '../shared/until-signalled.ts';
import { gateJson, gateLines } from './gate-lines.ts';

interface GatesFlags {
  readonly check?: readonly string[];
  readonly config?: string;
  readonly try?: boolean;
  readonly all?: boolean;
  readonly json?: boolean;
}

/** Exits 1 if a gate that was tried is dead. */
export async function gatesCommand(named: readonly string[], flags: GatesFlags): Promise<number> {
  const cwd = currentDirectory();
  const gates = await gatesOf(named, flags, cwd);
  if (gates.length === 0) return await reportNoGates(cwd, flags);
  using signalled = untilSignalled();
  await using tree = await openTree(cwd);
  const shown: Shown[] = [];
  const show = (seen: SeenGate, tried: TriedGate | null) => {
    shown.push({ seen, tried });
    if (!flags.json) write(gateLines(seen, tried, flags.all === true));
  };
  await inspectAll(gates, { tree, tries: flags.try === true, show }, signalled.signal);
  if (signalled.signal.aborted) {
    io().stderr.write('Interrupted; nothing is left running.\n');
    return signalled.exitCode();
  }
  warnWithoutACopy(tree, flags);
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

/** One gate after the other; shows each as soon as it is done. A signal skips the rest. */
async function inspectAll(gates: readonly GateSpec[], { tree, tries, show }: Look, signal: AbortSignal): Promise<void> {
  await using trials = tries && tree.copied !== null ? await openTrials(tree.copied) : null;
  for (const gate of gates) {
    if (signal.aborted) return;
    const seen = await seeGate(gate, tree.below, tree.repository);
    const tried = trials === null || gate.proof === 'off' ? null : await trials.run(seen, signal);
    if (!signal.aborted) show(seen, tried);
  }
}

function warnWithoutACopy({ copied, why }: OpenTree, flags: GatesFlags): void {
  if (copied !== null) return;
  const untried = flags.try ? ' Nothing was tried.' : '';
  io().stderr.write(`warning: ${why}: Ralph cannot make a copy, so it cannot show that a check is alive or what an agent changes.${untried}\n`);
}

/** The gates named as arguments, else those in the settings; plus those given by options. Without duplicates. */
async function gatesOf(named: readonly string[], { check = [], config }: GatesFlags, cwd: string): Promise<readonly GateSpec[]> {
  const { settings } = await loadLoopSettings(cwd, config ?? null);
  const usualMs = ms(settings.guardrailTimeout ?? DEFAULTS.guardrailTimeout);
  const { checks, checkTimeout } = checksIn(settings);
  const configured = [
    ...(settings.guardrails ?? []).map(({ command, timeout, proof, canary }) => ({
      ...gateOf(command, timeout === undefined ? usualMs : ms(timeout)),
      ...proofOfGate(proof, canary),
    })),
    ...checks.map((command) => gateOf(command, ms(checkTimeout))),
  ];
  const said = [...named, ...check].map((command) => gateOf(command, usualMs));
  const all = [...(named.length > 0 ? [] : configured), ...said].filter(({ command }) => command.trim() !== '');
  return [...new Map(all.map((gate) => [gate.command, gate])).values()];
}

const gateOf = (command: string, timeoutMs: number): GateSpec => ({ command, timeoutMs, failAction: 'APPEND', hint: null });

async function reportNoGates(cwd: string, { json }: GatesFlags): Promise<number> {
  const { guardrails } = await detectProject(cwd);
  if (json) write([JSON.stringify({ problem: 'no gates', gates: [], found: guardrails })]);
  else {
    const found = guardrails.map(({ command, from }) => `  --check ${JSON.stringify(command)}  (${from})`);
    const advice =
      found.length === 0 ? ['Name a command that proves the work, for example: --check "npm test"'] : ['Ralph found these in the project:', ...found];
    write(['No checks: the settings have neither guardrails nor loop.checks, so nothing would prove that the work is done.', ...advice]);
  }
  return 0;
}
