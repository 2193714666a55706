import type * as z from 'zod';
import { count, duration, filledText, flag, group, integerFrom, listOf, oneOf, positiveInteger, positiveNumber, text } from './setting.ts';

const Loop = {
  maxIterations: positiveInteger.describe('Iterations at most.').optional(),
  maxCost: positiveNumber
    .nullable()
    .describe('What a run may cost, in US dollars. `null` is no limit. An agent that does not say its cost needs a price in `prices`.')
    .optional(),
  maxTime: duration.nullable().describe('How long a run may take, also inside of an iteration. `null` is no limit.').optional(),
  completionTag: filledText.describe('What the agent must say when it takes the task for finished: as a tag, or alone on a line.').optional(),
  agent: filledText
    .describe('The agent: a name of `agents`, a command, or `build`: what `agent` says, else the first on PATH of claude, codex and amp.')
    .optional(),
  model: filledText.describe('The model the agent is told to use, instead of that of its profile.').optional(),
  checks: listOf(filledText, 'a list of texts')
    .describe('The shell commands that must exit 0. All of them run after every iteration, in this order.')
    .optional(),
  checkTimeout: duration.describe('Ends a check that takes longer, which then counts as red.').optional(),
  requireTag: oneOf(['always', 'auto', 'never'])
    .describe('When green checks are enough: `always` with the tag, `auto` also after two iterations in a row without it, `never` at once and without any tag.')
    .optional(),
  followSpec: flag
    .describe('Obey a change of the file of `--spec` during the run. Otherwise it is reported, and the file counts as it was at the start.')
    .optional(),
  baseline: flag.describe('Run the checks once before the first iteration, to know what was red already.').optional(),
  flakyRetries: count
    .describe('How often a red check is run again at once on the same tree. One that turns green is flaky, and never blamed on the agent.')
    .optional(),
  parallelChecks: flag.describe('Run all checks at the same time.').optional(),
  protect: listOf(filledText, 'a list of texts')
    .describe('Paths no agent may change, as glob patterns such as `tests/**`: a change is put back, and the iteration is red.')
    .optional(),
  verify: oneOf(['clean', 'none'])
    .describe('What else must be green before the run may end well: `clean` all checks in a fresh checkout of the result, `none` nothing.')
    .optional(),
  worktree: flag.describe('Work in a worktree of its own, with a branch of its own, beside the repository.').optional(),
  commit: flag.describe('Commit every green iteration where the work is done. In a worktree of its own that is always so.').optional(),
} as const;

/** `loop` in a settings file: what seed 004 calls `ralph_loop`, and what came after it. */
export const LoopGroup = group(Loop);
export type LoopGroup = Readonly<z.infer<typeof LoopGroup>>;

type KeyWithDefault = Exclude<keyof LoopGroup, 'maxCost' | 'maxTime' | 'model'>;

/** A loop in which everything is said that has a default. */
export type CompleteLoop = LoopGroup & { readonly [K in KeyWithDefault]-?: NonNullable<LoopGroup[K]> };

/** What holds when nobody says otherwise; the first five are those of seed 004. */
export const LOOP_DEFAULTS: CompleteLoop = {
  maxIterations: 25,
  completionTag: 'COMPLETE',
  agent: 'build',
  checkTimeout: '120s',
  worktree: false,
  checks: [],
  requireTag: 'always',
  followSpec: false,
  baseline: true,
  flakyRetries: 1,
  parallelChecks: false,
  protect: [],
  verify: 'none',
  commit: false,
};

/** The seed allows no more in a file; the command line may say any number. */
const MOST_ITERATIONS = 100;

/** `ralph.yaml`, or the file of `--config`: the same keys in the spelling of seed 004. A section without a word in it says nothing. */
export const RalphYaml = group({
  $schema: text.describe('Where an editor finds the schema of this file. Ralph does not read it.').optional(),
  ralph_loop: group(inSnakeCase({ ...Loop, maxIterations: integerFrom(1, MOST_ITERATIONS).describe('Iterations at most.').optional() }))
    .nullable()
    .describe('The settings of `ralph loop`.')
    .optional(),
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
