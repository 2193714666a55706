import type * as z from 'zod';
import { count, duration, filledText, flag, group, integerFrom, listOf, oneOf, positiveInteger, positiveNumber, text } from './setting.ts';

const Loop = {
  maxIterations: positiveInteger.describe('Maximum number of iterations.').optional(),
  maxCost: positiveNumber
    .nullable()
    .describe('Maximum cost of a run in US dollars. `null` means no limit. An agent that does not report its cost needs a price in `prices`.')
    .optional(),
  maxTime: duration.nullable().describe('Maximum duration of a run; it also interrupts an iteration. `null` means no limit.').optional(),
  completionTag: filledText.describe('What the agent must print to report completion: as a tag, or alone on a line.').optional(),
  agent: filledText
    .describe('The agent: a name in `agents`, a command, or `build`, which means `agent`, else the first of claude, codex and amp on PATH.')
    .optional(),
  model: filledText.describe('The model the agent uses, instead of that of its profile.').optional(),
  checks: listOf(filledText, 'a list of texts')
    .describe('The shell commands that must exit 0. All of them run after every iteration, in this order.')
    .optional(),
  checkTimeout: duration.describe('Ralph stops a check that takes longer; it counts as red then.').optional(),
  requireTag: oneOf(['always', 'auto', 'never'])
    .describe('Whether green checks need the tag too: `always`; `auto`, not after two green iterations in a row; `never`.')
    .optional(),
  followSpec: flag
    .describe('Follow changes of the file of `--spec` during the run. Otherwise Ralph reports a change and uses the file as it was at the start.')
    .optional(),
  baseline: flag.describe('Run the checks once before the first iteration, to know which were already red.').optional(),
  flakyRetries: count
    .describe('How often a red check is run again at once on the same tree. If it turns green it is flaky, and the agent is not blamed.')
    .optional(),
  parallelChecks: flag.describe('Run all checks at the same time.').optional(),
  protect: listOf(filledText, 'a list of texts')
    .describe('Paths no agent may change, as glob patterns such as `tests/**`: Ralph reverts a change, and the iteration is red.')
    .optional(),
  verify: oneOf(['clean', 'none'])
    .describe('What else must be green before the run succeeds: `clean`, all checks in a fresh checkout of the result; `none`, nothing.')
    .optional(),
  worktree: flag.describe('Work in a new git worktree beside the repository, on a new branch.').optional(),
  commit: flag.describe('Commit every green iteration on your branch. With `worktree` Ralph always commits.').optional(),
} as const;

/** `loop` in a settings file: the keys of seed 004's `ralph_loop`, and later ones. */
export const LoopGroup = group(Loop);
export type LoopGroup = Readonly<z.infer<typeof LoopGroup>>;

type KeyWithDefault = Exclude<keyof LoopGroup, 'maxCost' | 'maxTime' | 'model'>;

/** A loop in which everything with a default is set. */
export type CompleteLoop = LoopGroup & { readonly [K in KeyWithDefault]-?: NonNullable<LoopGroup[K]> };

/** The defaults; the first five are those of seed 004. */
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

/** The seed's limit for files; the command line has none. */
const MOST_ITERATIONS = 100;

/** `ralph.yaml`, or the file of `--config`: the same keys in the spelling of seed 004. The section may be empty. */
export const RalphYaml = group({
  $schema: text.describe('Where an editor finds the schema of this file. Ralph does not read it.').optional(),
  ralph_loop: group(inSnakeCase({ ...Loop, maxIterations: integerFrom(1, MOST_ITERATIONS).describe('Maximum number of iterations.').optional() }))
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
