import type * as z from 'zod';
import { bytes, duration, filledText, flag, group, integer, listOf, oneOf, positiveInteger, text, wordOf } from './setting.ts';

const Guardrail = group(
  {
    command: filledText,
    failAction: wordOf(['APPEND', 'PREPEND', 'REPLACE'], 'APPEND, PREPEND, or REPLACE').optional(),
    hint: text.optional(),
    timeout: duration.optional(),
  },
  'an object such as {"command": "npm test"}',
);

const Agent = group({
  command: filledText.optional(),
  flags: listOf(text, 'a list of texts').optional(),
  model: filledText.optional(),
  kind: filledText.optional(),
  autonomy: oneOf(['full', 'edits', 'ask']).optional(),
});

/** `.ralph/settings.json` and `.ralph/settings.local.json`: the names and defaults of seed 001, and what came after it. */
export const SettingsFile = group({
  $schema: text.optional(),
  maximumIterations: positiveInteger.optional(),
  completionResponse: filledText.optional(),
  outputTruncateChars: integer.optional(),
  streamAgentOutput: flag.optional(),
  includeIterationCountInPrompt: flag.optional(),
  agent: Agent.optional(),
  guardrails: listOf(Guardrail, 'a list of objects').optional(),
  guardrailTimeout: duration.optional(),
  onAgentError: oneOf(['continue', 'stop']).optional(),
  requireProof: flag.optional(),
  requireChange: flag.optional(),
  idleTimeout: duration.optional(),
  iterationTimeout: duration.optional(),
  lingerTimeout: duration.optional(),
  failurePause: duration.optional(),
  maxLimitWait: duration.optional(),
  maxAgentOutput: bytes.optional(),
  shutdownGrace: group({ sigint: duration.optional(), sigterm: duration.optional() }).optional(),
});
export type SettingsFile = Readonly<z.infer<typeof SettingsFile>>;

type Said<T> = { readonly [K in keyof T]-?: NonNullable<T[K]> };
type AgentSettings = NonNullable<SettingsFile['agent']>;

/** Settings in which everything is said; only the agent's command, kind and model have no default. */
export type CompleteSettings = Said<Omit<SettingsFile, '$schema' | 'agent' | 'shutdownGrace'>> & {
  readonly agent: AgentSettings & Said<Pick<AgentSettings, 'flags' | 'autonomy'>>;
  readonly shutdownGrace: Said<NonNullable<SettingsFile['shutdownGrace']>>;
};

/** What holds when nobody says otherwise. */
export const DEFAULTS: CompleteSettings = {
  maximumIterations: 10,
  completionResponse: 'DONE',
  outputTruncateChars: 5000,
  streamAgentOutput: true,
  includeIterationCountInPrompt: false,
  agent: { flags: [], autonomy: 'full' },
  guardrails: [],
  guardrailTimeout: '30m',
  onAgentError: 'continue',
  requireProof: false,
  requireChange: false,
  idleTimeout: '20m',
  iterationTimeout: '3h',
  lingerTimeout: '15s',
  failurePause: '1s',
  maxLimitWait: '6h',
  maxAgentOutput: '4GiB',
  shutdownGrace: { sigint: '60s', sigterm: '10s' },
};
