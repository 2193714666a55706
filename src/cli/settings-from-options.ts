import { OperatorError } from '../model/operator-error.ts';
import { SettingsFile } from '../model/settings-file.ts';
import type { RunFlags } from './run-flags.ts';

/** The command line as a settings file that lies over the others; the same schema checks it. */
export function settingsFromOptions(options: RunFlags): SettingsFile {
  const iterations = options.maximumIterations ?? options.maxIterations;
  const agent = present({
    command: options.agent ?? options.backend ?? options.tool,
    kind: options.agentKind,
    model: options.model,
    autonomy: options.autonomy,
  });
  const over = present({
    maximumIterations: iterations === undefined ? undefined : Number(iterations),
    completionResponse: options.completionResponse ?? options.completionPromise,
    streamAgentOutput: options.streamAgentOutput,
    agent: Object.keys(agent).length > 0 ? agent : undefined,
    guardrails: options.guardrail.length > 0 ? options.guardrail.map((command) => ({ command })) : undefined,
    idleTimeout: options.idleTimeout,
    iterationTimeout: options.iterationTimeout,
    maxLimitWait: options.maxLimitWait,
    requireChange: options.requireChange,
  });
  const checked = SettingsFile.safeParse(over);
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0];
  const key = issue?.path.join('.') ?? 'option';
  throw new OperatorError('usage', `${key} ${issue?.message ?? 'is not valid'}, got ${JSON.stringify(valueAt(over, issue?.path ?? []))}`, {
    hint: 'ralph run --help shows every option.',
    exitCode: 2,
  });
}

function present(options: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

const valueAt = (input: unknown, path: readonly PropertyKey[]) =>
  path.reduce<unknown>((value, part) => (value as Record<PropertyKey, unknown> | undefined)?.[part], input);
