import { OperatorError } from '../../kit/pure/operator-error.ts';
import type { SettingsFile } from '../../settings/schema/settings-file.ts';
import { checkSettings } from '../../settings/check-settings.ts';
import { numeral } from './numeral.ts';
import { flagOf, type RunFlags } from './run-flags.ts';
import { sandboxSettings } from './sandbox-flags.ts';

/** Which options say a setting: a name of ours, and what other loops call the same. */
const SAID_BY = {
  maximumIterations: ['maximumIterations', 'maxIterations'],
  completionResponse: ['completionResponse', 'completionPromise'],
  streamAgentOutput: ['streamAgentOutput'],
  'agent.command': ['agent', 'backend', 'tool'],
  'agent.kind': ['agentKind'],
  'agent.model': ['model'],
  'agent.autonomy': ['autonomy'],
  guardrails: ['guardrail'],
  idleTimeout: ['idleTimeout'],
  iterationTimeout: ['iterationTimeout'],
  maxLimitWait: ['maxLimitWait'],
  requireChange: ['requireChange'],
} as const satisfies Readonly<Record<string, readonly (keyof RunFlags)[]>>;

type Key = keyof typeof SAID_BY;

/** The command line as a settings file that lies over the others; the same schema checks it. */
export function settingsFromOptions(options: RunFlags): SettingsFile {
  const over: Record<string, unknown> = {};
  const agent: Record<string, unknown> = {};
  for (const key of Object.keys(SAID_BY) as Key[]) {
    const value = saidFor(key, options);
    if (value === undefined) continue;
    if (!key.startsWith('agent.')) over[key] = value;
    else agent[key.replace('agent.', '')] = value;
  }
  const said = Object.keys(agent).length > 0 ? { ...over, agent } : over;
  return checkSettings({ ...said, ...sandboxSettings(options) }, (problem, { key }) => refusal(`${problem}${fromWhere(key, options)}`));
}

function saidFor(key: Key, options: RunFlags): unknown {
  const name = nameIn(key, options);
  if (name === undefined) return undefined;
  if (name === 'guardrail') return options.guardrail?.map((command) => ({ command }));
  return key === 'maximumIterations' ? numeral(String(options[name])) : options[name];
}

const nameIn = (key: Key, options: RunFlags) => SAID_BY[key].find((name) => options[name] !== undefined);

/** A setting has a key, but what was typed was a flag. */
function fromWhere(key: string, options: RunFlags): string {
  const [setting = ''] = key.split('[');
  const name = Object.hasOwn(SAID_BY, setting) ? nameIn(setting as Key, options) : undefined;
  return name === undefined ? '' : ` (from ${flagOf(name)})`;
}

function refusal(problem: string): OperatorError {
  return new OperatorError('usage', problem, { hint: 'ralph run --help shows every option.', exitCode: 2 });
}
