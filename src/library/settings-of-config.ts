import { didYouMean } from '../kit/pure/did-you-mean.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { checkSettings } from '../settings/check-settings.ts';
import type { SettingsFile } from '../settings/schema/settings-file.ts';
import type { LoopConfig } from './loop-config.ts';

/** The setting of each option. */
const SETTING_OF = {
  checks: 'loop.checks',
  completionTag: 'loop.completionTag',
  maxIterations: 'loop.maxIterations',
  maxCost: 'loop.maxCost',
  maxTime: 'loop.maxTime',
  agent: 'loop.agent',
  model: 'loop.model',
  useWorktree: 'loop.worktree',
  requireTag: 'loop.requireTag',
  protect: 'loop.protect',
  verify: 'loop.verify',
  baseline: 'loop.baseline',
  flakyRetries: 'loop.flakyRetries',
  parallelChecks: 'loop.parallelChecks',
  followSpec: 'loop.followSpec',
  commit: 'loop.commit',
  checkTimeout: 'loop.checkTimeout',
  iterationTimeout: 'iterationTimeout',
  idleTimeout: 'idleTimeout',
  maxLimitWait: 'maxLimitWait',
  failurePause: 'failurePause',
  agentFlags: 'agent.flags',
  autonomy: 'agent.autonomy',
  prices: 'prices',
  sandbox: 'sandbox.mode',
  allowHosts: 'sandbox.allowHosts',
} as const satisfies Partial<Record<keyof LoopConfig, string>>;

/** Options that are not settings, and their types. Null means not set, as everywhere. */
const OTHERS = {
  task: 'string',
  specFile: 'string',
  configFile: 'string',
  workspaceRoot: 'string',
  resume: 'string',
  agentFactory: 'function',
  onEvent: 'function',
  signal: 'object',
  witnesses: 'object',
  obeySignals: 'boolean',
  noChecks: 'boolean',
} as const satisfies Record<Exclude<keyof LoopConfig, keyof typeof SETTING_OF>, string>;

/** For these, null means no limit and overrides a settings file. */
const NULLABLE: ReadonlySet<string> = new Set(['maxCost', 'maxTime']);

/** The options as a settings file that overrides the others. JavaScript callers get the errors that a compiler would report. */
export function settingsOfConfig(config: LoopConfig): SettingsFile {
  const said: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(config)) {
    if (value === undefined || (value === null && !NULLABLE.has(name))) continue;
    const setting: unknown = Object.hasOwn(SETTING_OF, name) ? SETTING_OF[name as keyof typeof SETTING_OF] : null;
    if (typeof setting === 'string') put(said, setting, value);
    else refuseOther(name, value);
  }
  return checkSettings(said, (problem, { key }) => refusal(inOurWords(problem, key)));
}

function put(said: Record<string, unknown>, setting: string, value: unknown): void {
  const [group = '', inside] = setting.split('.');
  said[group] = inside === undefined ? value : { ...Object(said[group]), [inside]: value };
}

function refuseOther(name: string, value: unknown): void {
  const wanted = Object.hasOwn(OTHERS, name) ? OTHERS[name as keyof typeof OTHERS] : null;
  if (wanted === null) {
    const near = didYouMean(name, [...Object.keys(SETTING_OF), ...Object.keys(OTHERS)]);
    throw refusal(`${name} is not a setting of runLoop${near === null ? '' : `; did you mean "${near}"?`}`);
  }
  if (typeof value !== wanted) throw refusal(`${name} must be ${wanted === 'object' ? 'an' : 'a'} ${wanted}, got ${typeof value}`);
}

/** Replaces the key of the setting by the name of the option. */
function inOurWords(problem: string, key: string): string {
  const found = Object.entries(SETTING_OF).find(([, setting]) => key === setting || key.startsWith(`${setting}[`) || key.startsWith(`${setting}.`));
  return found === undefined ? problem : `${found[0]}${problem.slice(found[1].length)}`;
}

function refusal(problem: string): OperatorError {
  return new OperatorError('usage', problem, { hint: 'See the type LoopConfig, or docs/guide/as-a-library.md.', exitCode: 2 });
}
