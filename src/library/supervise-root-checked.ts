import * as z from 'zod';
import { parseDuration } from '../kit/pure/amounts.ts';
import { count, filledText, flag, group, listOf, oneOf, text } from '../settings/kinds/setting.ts';
import type { SuperviseOptions } from './supervise-root-options.ts';

const texts = listOf(filledText, 'a list of texts');
const duration = milliseconds('0 or longer', (ms) => ms >= 0);
const time = milliseconds('longer than 0', (ms) => ms > 0);

/** Null means not set. JavaScript callers get the errors that a compiler would report. */
const optional = {
  messageBus: filledText.nullish(),
  maxRestarts: count.nullish(),
  waitTimeout: time.nullish(),
  pollInterval: time.nullish(),
  restartDelay: duration.nullish(),
  projectId: filledText.nullish(),
  taskId: filledText.nullish(),
  signal: something<AbortSignal>('an AbortSignal', (value) => typeof value === 'object' && value !== null && 'aborted' in value).nullish(),
  prompt: text.nullish(),
  checks: texts.nullish(),
  backoff: duration.nullish(),
  restartIntensity: group({ failures: count, within: time }, 'an object such as {"failures": 5, "within": "10m"}').nullish(),
  runTimeout: duration.nullish(),
  finishOnDone: duration.nullish(),
  waitScope: oneOf(['task', 'project']).nullish(),
  killChildren: flag.nullish(),
  dependsOn: texts.nullish(),
  failOnBlocked: flag.nullish(),
  workspaceRoot: filledText.nullish(),
  resume: filledText.nullish(),
  onEvent: something<NonNullable<SuperviseOptions['onEvent']>>('a function', isFunction).nullish(),
} satisfies Record<Exclude<keyof SuperviseOptions, 'runDir' | 'runRoot'>, z.ZodType>;

/** The checked options of `superviseRoot`, with all times in milliseconds. */
export const CheckedOptions = group({
  runDir: filledText,
  runRoot: something<SuperviseOptions['runRoot']>('a function', isFunction),
  ...optional,
});
export type CheckedOptions = Readonly<z.infer<typeof CheckedOptions>>;

/** Refuses a text without a unit: the settings files would read it as seconds. */
function milliseconds(range: string, fits: (ms: number) => boolean) {
  const must = `must be ${range}, in milliseconds or as a text such as "30s"`;
  return z.union([z.number(), z.string()], { error: must }).transform((value, { addIssue }) => {
    const ms = typeof value === 'number' ? value : /[a-z]/i.test(value) ? parseDuration(value) : null;
    if (ms !== null && Number.isSafeInteger(Math.round(ms)) && fits(ms)) return Math.round(ms);
    addIssue(`${must}, got ${JSON.stringify(value)}`);
    return z.NEVER;
  });
}

function something<T>(what: string, is: (value: unknown) => boolean) {
  return z.custom<T>(is, { error: ({ input }) => `must be ${what}, got ${input === null ? 'null' : typeof input}` });
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
