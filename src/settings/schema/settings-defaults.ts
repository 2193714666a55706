import { type CompleteLoop, LOOP_DEFAULTS } from './loop-settings.ts';
import { NOTIFY_DEFAULTS } from './notify-settings.ts';
import { AGENT, CONSOLE, ENV, GUARD, PROOF, SANDBOX, SCM, SHUTDOWN_GRACE, WORKTREE } from './rows/groups.ts';
import { LIMITS } from './rows/limits.ts';
import { RUN } from './rows/run.ts';
import { type Defaults, defaultsOf } from './rows/setting-row.ts';
import type { SettingsFile } from './settings-file.ts';

/** The default reviews. Each agent starts with fresh context, so each prompt is complete in itself. */
export const DEFAULT_REVIEWS = [
  {
    name: 'detailed',
    prompt: reviewOf(
      'line by line: wrong conditions, edge cases that are not handled, errors that are swallowed, promises of names and comments that the code does not keep, and behaviour that no test would miss',
    ),
  },
  {
    name: 'architecture',
    prompt: reviewOf(
      'as a whole: responsibilities in the wrong place, dependencies that point the wrong way, the same knowledge kept twice, and structure that the next change would have to fight',
    ),
  },
  {
    name: 'security',
    prompt: reviewOf(
      'as an attacker would: input that is trusted, commands, queries and paths built from it, secrets in code or logs, rights that are too wide, and resources that anybody can exhaust',
    ),
  },
  {
    name: 'codeHealth',
    prompt: reviewOf(
      'as the person who inherits it: dead code, leftovers of earlier tries, needless complexity, unclear names, duplication, comments and documents that are no longer true',
    ),
  },
] as const;

function reviewOf(how: string): string {
  return `Review the work so far in this repository ${how}. Fix what you find, one small step at a time. Do not add features and do not change behaviour that is right. Run the project's own checks and leave every one of them green. If there is nothing to fix, change nothing.`;
}

type Said<T> = { readonly [K in keyof T]-?: NonNullable<T[K]> };
type AgentSettings = NonNullable<SettingsFile['agent']>;
type ReviewSettings = Said<NonNullable<SettingsFile['reviews']>>;

/** The settings of a group, with a value for each row that has a default. */
type Complete<Key extends keyof SettingsFile, Rows> = NonNullable<SettingsFile[Key]> & Defaults<Rows>;

/** Complete settings. Only what has no default may be absent: the agent's command, kind and model, SCM tasks, reviews, and some settings of a loop. */
export type CompleteSettings = Omit<SettingsFile, '$schema' | keyof WithDefaults> & WithDefaults;

interface WithDefaults extends Defaults<typeof RUN>, Defaults<typeof LIMITS> {
  readonly agent: AgentSettings & { readonly flags: readonly string[] } & Defaults<typeof AGENT>;
  readonly guardrails: NonNullable<SettingsFile['guardrails']>;
  readonly loop: CompleteLoop;
  readonly shutdownGrace: Complete<'shutdownGrace', typeof SHUTDOWN_GRACE>;
  readonly console: Complete<'console', typeof CONSOLE>;
  readonly proof: Complete<'proof', typeof PROOF>;
  readonly sandbox: Complete<'sandbox', typeof SANDBOX>;
  readonly env: Complete<'env', typeof ENV>;
  readonly guard: Complete<'guard', typeof GUARD>;
}

/** The defaults. */
export const DEFAULTS: CompleteSettings = {
  agent: { flags: [], ...defaultsOf(AGENT) },
  ...defaultsOf(RUN),
  guardrails: [],
  console: defaultsOf(CONSOLE),
  ...defaultsOf(LIMITS),
  loop: LOOP_DEFAULTS,
  shutdownGrace: defaultsOf(SHUTDOWN_GRACE),
  proof: defaultsOf(PROOF),
  sandbox: defaultsOf(SANDBOX),
  env: defaultsOf(ENV),
  guard: defaultsOf(GUARD),
};

/** The defaults inside an optional group, once a file has that group. */
export const OPTIONAL_GROUP_DEFAULTS = {
  guardrails: { failAction: 'APPEND' },
  reviews: { reviewAfter: 5, guardrailRetryLimit: 3, prompts: [...DEFAULT_REVIEWS] } satisfies ReviewSettings,
  scm: defaultsOf(SCM),
  worktree: defaultsOf(WORKTREE),
  notify: NOTIFY_DEFAULTS,
} as const;
