import * as z from 'zod';
import { parseBytes } from '../kit/pure/byte-size.ts';
import { parseDuration } from '../kit/pure/duration.ts';

const text = z.string();
const positive = z.number().int().positive({ error: 'must be a positive integer' });

/** `"20m"`, `"1h30m"`, seconds as a number, or `"off"`. */
const duration = z
  .union([z.string(), z.number()])
  .refine((value) => parseDuration(value) !== null, { error: 'must be a duration such as "20m", "90s" or "off"' });
const bytes = z.union([z.string(), z.number()]).refine((value) => parseBytes(value) !== null, { error: 'must be a size such as "4GiB" or "500MB"' });

const failActions = ['APPEND', 'PREPEND', 'REPLACE'] as const;

const Guardrail = z.strictObject({
  command: text.refine((value) => value.trim() !== '', { error: 'must not be empty' }),
  failAction: text.refine((value) => failActions.some((action) => action === value.toUpperCase()), { error: 'must be APPEND, PREPEND, or REPLACE' }).optional(),
  hint: text.optional(),
  timeout: duration.optional(),
});

/** `.ralph/settings.json` and `.ralph/settings.local.json`: the names and defaults of seed 001, and what came after it. */
export const SettingsFile = z.strictObject({
  $schema: text.optional(),
  maximumIterations: positive.optional(),
  completionResponse: text.min(1, { error: 'must not be empty' }).optional(),
  outputTruncateChars: z.number().int().optional(),
  streamAgentOutput: z.boolean().optional(),
  includeIterationCountInPrompt: z.boolean().optional(),
  agent: z
    .strictObject({
      command: text.min(1, { error: 'must not be empty' }).optional(),
      flags: z.array(text).optional(),
      model: text.min(1, { error: 'must not be empty' }).optional(),
      kind: text.min(1, { error: 'must not be empty' }).optional(),
      autonomy: z.enum(['full', 'edits', 'ask']).optional(),
    })
    .optional(),
  guardrails: z.array(Guardrail).optional(),
  guardrailTimeout: duration.optional(),
  onAgentError: z.enum(['continue', 'stop']).optional(),
  requireProof: z.boolean().optional(),
  requireChange: z.boolean().optional(),
  idleTimeout: duration.optional(),
  iterationTimeout: duration.optional(),
  lingerTimeout: duration.optional(),
  failurePause: duration.optional(),
  maxLimitWait: duration.optional(),
  maxAgentOutput: bytes.optional(),
  shutdownGrace: z.strictObject({ sigint: duration.optional(), sigterm: duration.optional() }).optional(),
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
