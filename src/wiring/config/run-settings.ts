import { resolve } from 'node:path';
import { definitionFor } from '../../adapters/agents/definitions.ts';
import { parseBytes } from '../../kit/pure/byte-size.ts';
import { parseDuration } from '../../kit/pure/duration.ts';
import { OperatorError } from '../../model/operator-error.ts';
import type { GateSpec, RunLimits, RunSettings } from '../../model/run-settings.ts';
import { DEFAULTS, type SettingsFile } from '../../model/settings-file.ts';

/** What the command line adds to the settings files; it wins over them. */
export interface RunRequest {
  readonly prompt: RunSettings['prompt'];
  readonly over: SettingsFile;
}

/** The settings a run is started with: files below, command line above, defaults under both. */
export function runSettings(file: SettingsFile, request: RunRequest, cwd: string): RunSettings {
  const { over, prompt } = request;
  const agent = { ...file.agent, ...over.agent };
  const merged = { ...file, ...over };
  if (!agent.command) {
    throw new OperatorError('agent-missing', 'agent.command must be configured in settings file', {
      hint: 'Say which agent to run: --agent claude, or {"agent": {"command": "claude"}} in .ralph/settings.json.',
      exitCode: 2,
    });
  }
  return {
    recipe: 'run',
    prompt: prompt.from === 'file' ? { from: 'file', path: resolve(cwd, prompt.path) } : prompt,
    agent: {
      kind: agent.kind ?? definitionFor(agent.command).name,
      command: agent.command,
      flags: [...(agent.flags ?? [])],
      model: agent.model ?? null,
      autonomy: agent.autonomy ?? DEFAULTS.autonomy,
    },
    claims: [
      { kind: 'response', word: merged.completionResponse ?? DEFAULTS.completionResponse },
      { kind: 'promise', word: merged.completionResponse ?? DEFAULTS.completionResponse },
    ],
    gates: (merged.guardrails ?? []).map(gateOf),
    outputTruncateChars: Math.max(0, merged.outputTruncateChars ?? DEFAULTS.outputTruncateChars),
    includeIterationCount: merged.includeIterationCountInPrompt ?? DEFAULTS.includeIterationCountInPrompt,
    maximumIterations: merged.maximumIterations ?? DEFAULTS.maximumIterations,
    lanes: 1,
    onAgentError: merged.onAgentError ?? DEFAULTS.onAgentError,
    requireChange: merged.requireChange ?? false,
    limits: limitsOf(merged),
  };
}

function gateOf(guardrail: NonNullable<SettingsFile['guardrails']>[number]): GateSpec {
  return {
    command: guardrail.command,
    failAction: (guardrail.failAction ?? 'APPEND').toUpperCase() as GateSpec['failAction'],
    hint: guardrail.hint ?? null,
    timeoutMs: ms(guardrail.timeout ?? DEFAULTS.guardrailTimeout),
  };
}

function limitsOf(file: SettingsFile): RunLimits {
  return {
    idleMs: ms(file.idleTimeout ?? DEFAULTS.idleTimeout),
    iterationMs: ms(file.iterationTimeout ?? DEFAULTS.iterationTimeout),
    outputBytes: parseBytes(file.maxAgentOutput ?? DEFAULTS.maxAgentOutput) ?? 0,
    lingerMs: ms(file.lingerTimeout ?? DEFAULTS.lingerTimeout),
    limitWaitMs: ms(file.maxLimitWait ?? DEFAULTS.maxLimitWait),
    repeats: DEFAULTS.repeats,
    failurePauseMs: ms(file.failurePause ?? DEFAULTS.failurePause),
    graceMs: { sigint: ms(file.shutdownGrace?.sigint ?? DEFAULTS.shutdownGrace.sigint), sigterm: ms(file.shutdownGrace?.sigterm ?? DEFAULTS.shutdownGrace.sigterm) },
  };
}

/** The schema has let only durations through. */
const ms = (value: string | number) => parseDuration(value) ?? 0;
