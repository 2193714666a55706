import { OperatorError } from '../../../kit/pure/operator-error.ts';
import type { SettingsFile } from '../../../settings/schema/settings-file.ts';
import { checkSettings } from '../../../settings/check-settings.ts';
import type { LoopFlags } from './loop-flags.ts';
import { numeral } from '../../../cli/shared/numeral.ts';
import { sandboxSettings } from '../../../cli/shared/sandbox-flags.ts';

/** Which option says a setting. */
const SAID_BY = {
  'loop.checks': 'check',
  'loop.checkTimeout': 'checkTimeout',
  'loop.maxIterations': 'maxIterations',
  'loop.maxCost': 'maxCost',
  'loop.maxTime': 'maxTime',
  'loop.completionTag': 'completionTag',
  'loop.requireTag': 'requireTag',
  'loop.agent': 'agent',
  'loop.model': 'model',
  'loop.followSpec': 'followSpec',
  'loop.baseline': 'baseline',
  'loop.flakyRetries': 'flakyRetries',
  'loop.parallelChecks': 'parallelChecks',
  'loop.protect': 'protect',
  'loop.verify': 'verify',
  'loop.worktree': 'worktree',
  'loop.commit': 'commit',
  'agent.kind': 'agentKind',
  'agent.autonomy': 'autonomy',
  idleTimeout: 'idleTimeout',
  iterationTimeout: 'iterationTimeout',
  maxLimitWait: 'maxLimitWait',
  streamAgentOutput: 'streamAgentOutput',
} as const satisfies Readonly<Record<string, keyof LoopFlags>>;

const NUMBERS: readonly (keyof LoopFlags)[] = ['maxIterations', 'maxCost', 'flakyRetries'];

/** The command line as a settings file that lies over the others; the same schema checks it. */
export function settingsFromLoopFlags(flags: LoopFlags): SettingsFile {
  const said: Record<string, unknown> = {};
  for (const [key, name] of Object.entries(SAID_BY)) {
    const value = flags[name];
    if (value !== undefined) put(said, key, NUMBERS.includes(name) ? numeral(String(value)) : value);
  }
  const { protect: _, ...around } = flags;
  return checkSettings({ ...said, ...sandboxSettings(around) }, (problem, { key }) => refusal(`${problem}${fromWhere(key)}`));
}

function put(said: Record<string, unknown>, key: string, value: unknown): void {
  const [group = '', inside] = key.split('.');
  said[group] = inside === undefined ? value : { ...Object(said[group]), [inside]: value };
}

/** A setting has a key, but what was typed was a flag. */
function fromWhere(key: string): string {
  const [setting = ''] = key.split('[');
  const name = Object.entries(SAID_BY).find(([each]) => each === setting)?.[1];
  return name === undefined ? '' : ` (from --${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)})`;
}

function refusal(problem: string): OperatorError {
  return new OperatorError('usage', problem, { hint: 'ralph loop --help shows every option.', exitCode: 2 });
}
