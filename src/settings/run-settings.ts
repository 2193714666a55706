import { resolve } from 'node:path';
import { claimsOf } from '../journal/words/claim.ts';
import { deepMerge } from '../kit/pure/json-objects.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { splitWords } from '../kit/pure/shell-words.ts';
import { fallbackOf } from './agent-list.ts';
import { agentOf, chosenAgent, noAgent, type SettingsHere } from './agent-of.ts';
import { notifyOf } from './notify-of-settings.ts';
import { limitsOf, moneyOf, ms, proofOf, protectedPatterns } from './run-limits.ts';
import { overrideSandbox, sandboxOf } from './sandbox-of-settings.ts';
import { CONSOLE } from './schema/rows/groups.ts';
import { valuesInRun } from './schema/rows/in-run.ts';
import { RUN } from './schema/rows/run.ts';
import type { GateSpec, PlainSettings, ReviewSpec, RunSettings, ScmSpec } from './schema/run-settings.ts';
import { type CompleteSettings, DEFAULTS, OPTIONAL_GROUP_DEFAULTS } from './schema/settings-defaults.ts';
import type { SettingsFile } from './schema/settings-file.ts';

/** What the command line adds to the settings files. It overrides them, but never removes a guardrail. */
export interface RunRequest {
  readonly prompt: RunSettings['prompt'];
  readonly over: SettingsFile;
}

/** The settings a run is started with: the command line overrides the files, the files override the defaults. */
export function runSettings(file: SettingsHere, { over, prompt }: RunRequest, cwd: string): PlainSettings {
  const said = deepMerge(deepMerge(DEFAULTS, file), { ...over, ...overrideSandbox(file, over), guardrails: allGuardrails(file, over) }) as CompleteSettings;
  const agent = namedAgent(file, over);
  return {
    recipe: 'run',
    prompt: prompt.from === 'file' ? { from: 'file', path: resolve(cwd, prompt.path) } : prompt,
    agent,
    ...fallbackOf(said.agent.fallback, agent, said.agents),
    ...moneyOf(said),
    claims: claimsOf('run', over.completionResponse ?? file.completionResponse),
    gates: said.guardrails.map((guardrail) => gateOf(guardrail, said.guardrailTimeout)),
    outputTruncateChars: Math.max(0, said.outputTruncateChars),
    includeIterationCount: said.includeIterationCountInPrompt,
    maximumIterations: said.maximumIterations,
    lanes: 1,
    ...valuesInRun(RUN, said),
    requireChange: said.requireChange,
    limits: limitsOf(said),
    scm: scmOf(said),
    reviews: reviewsOf(said),
    // A pattern on the command line adds to those of the files, like a gate.
    protect: protectedPatterns('protect', [...(file.protect ?? []), ...(over.protect ?? [])]),
    ...proofOf(said, cwd),
    wall: sandboxOf(said, cwd),
    ...(!said.preflight && { preflight: false }),
    console: valuesInRun(CONSOLE, said.console),
    ...notifyOf(said),
  };
}

/** A gate on the command line must not weaken the proof: it adds to those of the files. Duplicates run once. */
function allGuardrails({ guardrails: ofFile = [] }: SettingsFile, { guardrails: added = [] }: SettingsFile): CompleteSettings['guardrails'] {
  return [...ofFile, ...added.filter(({ command }) => !ofFile.some((guardrail) => guardrail.command === command))];
}

/** The gates with those of these commands that are not among them yet. */
export function gatesWith(gates: readonly GateSpec[], commands: readonly string[], timeoutMs: number): GateSpec[] {
  const more = new Set(commands.filter((each) => !gates.some(({ command }) => command === each)));
  return [...gates, ...[...more].map((command): GateSpec => ({ command, failAction: 'APPEND', hint: null, timeoutMs }))];
}

function namedAgent(file: SettingsHere, over: SettingsFile): RunSettings['agent'] {
  const chosen = chosenAgent(file, over);
  if (chosen === null) throw noAgent();
  return agentOf(chosen);
}

export function gateOf(said: CompleteSettings['guardrails'][number], defaultTimeout: string | number): GateSpec {
  const { command, failAction, hint, timeout, proof, canary, serial } = said;
  return {
    command,
    failAction: (failAction ?? OPTIONAL_GROUP_DEFAULTS.guardrails.failAction).toUpperCase() as GateSpec['failAction'],
    hint: hint ?? null,
    timeoutMs: ms(timeout ?? defaultTimeout),
    ...proofOfGate(proof, canary),
    ...(serial === true && { serial }),
  };
}

/** What the settings of one gate say about its proof. */
export function proofOfGate(level: 'off' | 'green' | 'living' | undefined, canary = true): Pick<GateSpec, 'proof'> {
  if (level === 'off') return { proof: 'off' };
  return level === 'green' || !canary ? { proof: 'green' } : {};
}

/** Null without tasks, whatever else is set. */
function scmOf({ scm = {} }: CompleteSettings): ScmSpec | null {
  const unsaid = OPTIONAL_GROUP_DEFAULTS.scm;
  const { command, tasks = unsaid.tasks, timeout = unsaid.timeout, allowDirty = unsaid.allowDirty } = scm;
  if (tasks.length === 0) return null;
  if (command === undefined) {
    throw new OperatorError('scm-missing', 'scm.command must be configured when scm.tasks is non-empty', {
      hint: 'Set {"scm": {"command": "git"}} in .ralph/settings.json, or remove the tasks.',
      exitCode: 2,
    });
  }
  refuseOpenQuotes([['scm.command', command] as const, ...tasks.map((task, index) => [`scm.tasks[${index}]`, task] as const)]);
  return { command, tasks: [...tasks], timeoutMs: ms(timeout), message: 'agent', allowDirty };
}

/** Refused at the start, so that no task fails halfway. */
function refuseOpenQuotes(lines: readonly (readonly [key: string, line: string])[]): void {
  for (const [key, line] of lines) {
    const split = splitWords(line);
    if (split.kind === 'words') continue;
    throw new OperatorError('unterminated-word', `${key} has an open ${split.by}: ${line}`, {
      hint: 'Close the quote, or put a backslash before it.',
      exitCode: 2,
    });
  }
}

/** Null if there are no prompts, or if reviews are turned off. */
function reviewsOf({ reviews }: CompleteSettings): ReviewSpec | null {
  if (reviews === undefined) return null;
  const unsaid = OPTIONAL_GROUP_DEFAULTS.reviews;
  const { reviewAfter = unsaid.reviewAfter, guardrailRetryLimit = unsaid.guardrailRetryLimit, prompts = unsaid.prompts } = reviews;
  if (reviewAfter === 0 || prompts.length === 0) return null;
  return { after: reviewAfter, retryLimit: guardrailRetryLimit, prompts: [...prompts] };
}
