import { OperatorError } from '../model/operator-error.ts';
import type { SettingsFile } from '../model/settings-file.ts';
import { checkSettings } from '../wiring/config/check-settings.ts';
import type { RunFlags } from './run-flags.ts';

/** The command line as a settings file that lies over the others; the same schema checks it. */
export function settingsFromOptions(options: RunFlags): SettingsFile {
  const agent = present({
    command: options.agent ?? options.backend ?? options.tool,
    kind: options.agentKind,
    model: options.model,
    autonomy: options.autonomy,
  });
  const over = present({
    maximumIterations: numeral(options.maximumIterations ?? options.maxIterations),
    completionResponse: options.completionResponse ?? options.completionPromise,
    streamAgentOutput: options.streamAgentOutput,
    agent: Object.keys(agent).length > 0 ? agent : undefined,
    guardrails: options.guardrail.length > 0 ? options.guardrail.map((command) => ({ command })) : undefined,
    idleTimeout: options.idleTimeout,
    iterationTimeout: options.iterationTimeout,
    maxLimitWait: options.maxLimitWait,
    requireChange: options.requireChange,
  });
  return checkSettings(over, (problem) => new OperatorError('usage', problem, { hint: 'ralph run --help shows every option.', exitCode: 2 }));
}

function present(options: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** The number a word writes; any other word stays one, for the schema to refuse. */
const numeral = (word: string | undefined) => (word !== undefined && /^-?\d+(\.\d+)?$/.test(word) ? Number(word) : word);
