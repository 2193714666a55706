import type * as z from 'zod';
import { group, integerFrom, text } from '../kinds/setting.ts';
import { Notify } from './notify-settings.ts';
import { fieldsOf } from './rows/fields-of-rows.ts';
import { LOOP } from './rows/loop.ts';
import { type Defaults, defaultsOf } from './rows/setting-row.ts';

const Loop = fieldsOf(LOOP);

/** `loop` in a settings file: the keys of seed 004's `ralph_loop`, and later ones. */
export const LoopGroup = group(Loop);
export type LoopGroup = Readonly<z.infer<typeof LoopGroup>>;

/** A loop in which everything with a default is set. */
export type CompleteLoop = LoopGroup & Defaults<typeof LOOP>;

export const LOOP_DEFAULTS: CompleteLoop = defaultsOf(LOOP);

/** The checks of a loop in a settings file, and how long each may take. */
export function checksIn({ loop }: { readonly loop?: LoopGroup | undefined }): Pick<CompleteLoop, 'checks' | 'checkTimeout'> {
  const { checks = [], checkTimeout = LOOP_DEFAULTS.checkTimeout } = loop ?? {};
  return { checks, checkTimeout };
}

/** The seed's limit for files; the command line has none. */
const MOST_ITERATIONS = 100;

/** `ralph.yaml`, or the file of `--config`: the same keys in the spelling of seed 004. The section may be empty. */
export const RalphYaml = group({
  $schema: text.describe('Where an editor finds the schema of this file. Ralph does not read it.').optional(),
  ralph_loop: group(inSnakeCase({ ...Loop, maxIterations: integerFrom(1, MOST_ITERATIONS).describe(LOOP.maxIterations.about).optional() }))
    .nullable()
    .describe('The settings of `ralph loop`.')
    .optional(),
  notify: Notify.describe('Who is told what, and how: the group `notify` of a settings file.').optional(),
});

/** `max_iterations` for `maxIterations`. */
export function snakeCase(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The section of a checked file, in our own spelling. */
export function loopOfYaml({ ralph_loop }: z.infer<typeof RalphYaml>): LoopGroup {
  const ours = Object.keys(Loop).map((key) => [key, ralph_loop?.[snakeCase(key)]] as const);
  return LoopGroup.parse(Object.fromEntries(ours.filter(([, value]) => value !== undefined)));
}

function inSnakeCase(shape: z.ZodRawShape): Record<string, z.core.$ZodType> {
  return Object.fromEntries(Object.entries(shape).map(([key, value]) => [snakeCase(key), value]));
}
