import type * as z from 'zod';
import { type CompleteLoop, LOOP_DEFAULTS, LoopGroup } from './loop-settings.ts';
import { Proof } from './proof-settings.ts';
import { amount, bytes, count, duration, filledText, flag, group, integer, listOf, mapOf, oneOf, positiveInteger, text, wordOf } from './setting.ts';

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

// Editors and docs/reference/settings.md show the descriptions of the keys.

const Guardrail = group(
  {
    command: filledText.describe('A shell command that must exit 0 before a claim counts.'),
    failAction: wordOf(['APPEND', 'PREPEND', 'REPLACE'], 'APPEND, PREPEND, or REPLACE')
      .describe('How its failure enters the next prompt: after the prompt, before it, or instead of it. Upper or lower case.')
      .optional(),
    hint: text.describe('Given to the agent together with the failure, never cut.').optional(),
    timeout: duration.describe('Ralph stops this guardrail if it takes longer; it counts as red then. Default: `guardrailTimeout`.').optional(),
    proof: oneOf(['off', 'green', 'living'])
      .describe('The highest proof level that uses this guardrail; `off` never runs it in a copy. Default: `proof.level`.')
      .optional(),
    canary: flag.describe('Whether Ralph plants failures for this guardrail. Turn it off for one with side effects, such as a deployment.').optional(),
  },
  'an object such as {"command": "npm test"}',
);

const Agent = group({
  command: filledText.describe('The command of the agent: claude, codex, amp, opencode, gemini or any other. It may have arguments.').optional(),
  flags: listOf(text, 'a list of texts').describe('Flags for the agent, added after Ralph\'s own. `"--model opus"` is read as two words.').optional(),
  model: filledText.describe('The model the agent uses. By default the agent decides.').optional(),
  kind: filledText
    .describe(
      'The protocol of the agent: `claude`, `codex`, `amp`, `opencode`, `gemini`, `stream-json` or `command`. Default: derived from the name of the command.',
    )
    .optional(),
  autonomy: oneOf(['full', 'edits', 'ask'])
    .describe('What the agent may do without asking: `full`, everything; `edits`, change files; `ask`, only what its own configuration allows.')
    .optional(),
});

const ProfileName = text.regex(/^[A-Za-z0-9][\w.-]*$/);

const Price = group(
  {
    input: amount.describe('The price of a million uncached input tokens.'),
    cacheRead: amount.describe('The price of a million tokens read from the cache. Default: `input`.').optional(),
    cacheWrite: amount.describe('The price of a million tokens written to the cache. Default: `input`.').optional(),
    output: amount.describe('The price of a million output tokens.'),
  },
  'an object such as {"input": 1.25, "output": 10}',
);
const ModelName = text.regex(/^(?:[^\s*]+\*?|\*)$/);

const Worktree = group({
  root: filledText.describe('The folder for worktrees. Default: `<repository>.ralph` beside the repository.').optional(),
  copy: listOf(filledText, 'a list of texts').describe('Untracked files and folders to copy into a new worktree, such as `.env`.').optional(),
  link: listOf(filledText, 'a list of texts').describe('Untracked files and folders to link into a new worktree, such as `node_modules`.').optional(),
  setup: filledText.describe('A shell command to run once in a new worktree, such as `npm ci`. If it fails, the run does not start.').optional(),
  setupTimeout: duration.describe('Ralph stops a setup that takes longer.').optional(),
});

const Scm = group({
  command: filledText.describe('The command of the version control, such as `git`. Required if there are tasks.').optional(),
  tasks: listOf(filledText, 'a list of texts')
    .describe(
      'Run in this order after every green iteration: `commit` asks the agent for a message and commits, `push` pushes, anything else is run as `<command> <task>`. After the first failure the rest is skipped.',
    )
    .optional(),
  timeout: duration.describe('Ralph stops a task that takes longer.').optional(),
});

const Review = group(
  {
    name: filledText.describe('The name of the review on the console and in file names.'),
    prompt: filledText.describe('The prompt of its agent.'),
  },
  'an object such as {"name": "security", "prompt": "…"}',
);

const Reviews = group({
  reviewAfter: count.describe('Review after every so many green iterations; 0 turns reviews off.').optional(),
  guardrailRetryLimit: count.describe('How often one review is retried because it left a guardrail red.').optional(),
  prompts: listOf(Review, 'a list of objects')
    .describe('The reviews of a cycle, in this order. Each gets a fresh agent, and the guardrails run after it. An empty list turns reviews off.')
    .optional(),
});

const Console = group({
  emoji: flag.describe('Use emoji; without them, plain signs such as `[OK]`.').optional(),
  color: flag.describe('Use colours, if the output is a terminal and `NO_COLOR` is not set.').optional(),
  timestamps: flag.describe('Begin every line with the time of day.').optional(),
  maxOutputLines: positiveInteger.describe("How many lines of a tool's output are shown.").optional(),
  maxOutputChars: positiveInteger.describe("How many characters of each line of a tool's output are shown.").optional(),
});

const ShutdownGrace = group({
  sigint: duration.describe('How long running work may take to finish after SIGINT (Ctrl-C). A second signal stops it at once.').optional(),
  sigterm: duration.describe('The same after SIGTERM.').optional(),
});

const Sandbox = group({
  mode: oneOf(['auto', 'docker', 'os', 'guard'])
    .describe(
      'The sandbox for agents: `docker`, a microVM; `os`, namespaces of the operating system; `guard`, no sandbox, only rules for commands; `auto`, the strongest available. If the sandbox you name is not available, Ralph does not start.',
    )
    .optional(),
  gates: oneOf(['inside', 'host'])
    .describe(
      'Where gates, setup and commit hooks run: `inside` the sandbox, because they run what the agent wrote, or on the `host`, with all its environment variables.',
    )
    .optional(),
  allowHosts: listOf(filledText, 'a list of texts')
    .describe("Hosts that agents and gates may reach besides the model's: `registry.example.org`, `*.example.org`, `localhost:5432`.")
    .optional(),
  writable: listOf(filledText, 'a list of texts').describe('Paths outside the project that are writable in the sandbox; `~` is your home.').optional(),
  readable: listOf(filledText, 'a list of texts')
    .describe('More paths that are readable in the sandbox: a tool or a file of your home, such as `~/.npmrc`.')
    .optional(),
});

const Env = group({
  pass: listOf(filledText, 'a list of texts')
    .describe('More environment variables for agents and gates, besides the usual ones; `*` stands for any letters, as in `MYAPP_*`.')
    .optional(),
});

const Guard = group({
  allow: listOf(filledText, 'a list of texts')
    .describe('Commands the guard allows: the first words of a command, such as `sudo apt-get install`; `*` stands for anything.')
    .optional(),
  warn: listOf(filledText, 'a list of texts').describe('Commands that the guard allows with a warning.').optional(),
  deny: listOf(filledText, 'a list of texts').describe('Commands that the guard always blocks, even if `allow` has them too.').optional(),
});

/** `.ralph/settings.json` and `.ralph/settings.local.json`: the names and defaults of seed 001, and later settings. */
export const SettingsFile = group({
  $schema: text.describe('Where an editor finds the schema of this file. Ralph does not read it.').optional(),
  agent: Agent.describe('The coding agent.').optional(),
  agents: mapOf(ProfileName, Agent, 'letters, digits, and after the first also . _ -')
    .describe('Agent profiles, for `ralph loop --agent <name>`. A profile without a `command` overrides `agent`.')
    .optional(),
  maximumIterations: positiveInteger.describe('Maximum number of iterations.').optional(),
  completionResponse: filledText.describe('The word that claims completion, in upper or lower case.').optional(),
  guardrails: listOf(Guardrail, 'a list of objects')
    .describe('The commands that must be green before a claim counts. All of them run after every iteration, in this order.')
    .optional(),
  guardrailTimeout: duration.describe('The timeout of a guardrail without its own `timeout`.').optional(),
  outputTruncateChars: integer
    .describe("How many characters of a red guardrail's output the next prompt contains; 0 or less means all of it. A file always has the whole output.")
    .optional(),
  includeIterationCountInPrompt: flag.describe('Begin every prompt with `Iteration X of Y, Z remaining.`').optional(),
  streamAgentOutput: flag.describe('Show what the agent does.').optional(),
  reviews: Reviews.describe('Reviews by fresh agents every few green iterations. Without this group there are none.').optional(),
  scm: Scm.describe('What the version control does after a green iteration. Without this group nothing is committed.').optional(),
  console: Console.describe('How a run looks on the console.').optional(),
  idleTimeout: duration
    .describe(
      'Ralph stops an agent after this long without output. Agents recover from a silent model after 5 minutes by themselves, so it should be longer than that.',
    )
    .optional(),
  iterationTimeout: duration.describe('Ralph stops an agent that runs longer.').optional(),
  lingerTimeout: duration.describe('Ralph stops an agent that has finished but does not exit within this time.').optional(),
  maxAgentOutput: bytes.describe('Ralph stops an agent that prints more.').optional(),
  maxLimitWait: duration.describe('Maximum total wait for usage limits.').optional(),
  failurePause: duration.describe('The pause after the second failed iteration in a row; it doubles up to a minute. 0 means no pause.').optional(),
  onAgentError: oneOf(['continue', 'stop'])
    .describe('What to do after an iteration whose agent failed: `continue` with the next, or `stop` the run.')
    .optional(),
  loop: LoopGroup.describe(
    'The settings of `ralph loop`. Of the other settings it uses only `agent`, `agents`, `prices`, `worktree`, `console`, `streamAgentOutput`, `shutdownGrace`, `onAgentError` and the limits of an agent.',
  ).optional(),
  prices: mapOf(ModelName, Price, 'the name of a model, its beginning with a * after it, or *')
    .describe(
      'Prices of a million tokens in US dollars, by the name of the model: `gpt-5`, `gpt-5*` for all names that begin so, or `*`. For agents that do not report their cost. Ralph has no built-in prices, because they change.',
    )
    .optional(),
  worktree: Worktree.describe('How Ralph sets up a worktree.').optional(),
  requireProof: flag.describe('Refuse to start without a guardrail.').optional(),
  requireChange: flag.describe('Refuse a claim if nothing has changed since the start.').optional(),
  shutdownGrace: ShutdownGrace.describe('How long running work may take to finish after a signal.').optional(),
  protect: listOf(filledText, 'a list of texts')
    .describe(
      'Paths no agent may change, as glob patterns such as `tests/**`: Ralph reverts a change, and the iteration is red. `ralph loop` uses `loop.protect` instead.',
    )
    .optional(),
  proof: Proof.describe('What proves a claim, in `ralph run`, `ralph loop` and `ralph work`.').optional(),
  sandbox: Sandbox.describe('The sandbox for agents and gates, for every command that starts agents.').optional(),
  workspace: oneOf(['isolated', 'copy', 'place'])
    .describe(
      'Where agents and gates work. `isolated`: in a copy at the same path, inside the sandbox `os`; only changed files of the project land in your folder. `copy`: the same without a sandbox, at another path. `place`: in your own files. If no sandbox is available, `isolated` becomes `copy`, unless you turned the sandbox off.',
    )
    .optional(),
  env: Env.describe('The environment variables of agents and gates.').optional(),
  guard: Guard.describe('Which commands the guard allows and blocks.').optional(),
});
export type SettingsFile = Readonly<z.infer<typeof SettingsFile>>;

type Said<T> = { readonly [K in keyof T]-?: NonNullable<T[K]> };
type ProofSettings = NonNullable<SettingsFile['proof']>;
type AgentSettings = NonNullable<SettingsFile['agent']>;
type ReviewSettings = Said<NonNullable<SettingsFile['reviews']>>;

type WithoutDefault = 'scm' | 'reviews' | 'agents' | 'prices' | 'worktree';
type WithDefaultsInside = 'agent' | 'shutdownGrace' | 'console' | 'loop' | 'proof' | 'sandbox' | 'env' | 'guard';

/** Complete settings. Only the agent's command, kind and model, SCM tasks, reviews, and some settings of a loop have no default. */
export type CompleteSettings = Said<Omit<SettingsFile, '$schema' | WithDefaultsInside | WithoutDefault>> & {
  readonly agent: AgentSettings & Said<Pick<AgentSettings, 'flags' | 'autonomy'>>;
  readonly loop: CompleteLoop;
  readonly shutdownGrace: Said<NonNullable<SettingsFile['shutdownGrace']>>;
  readonly console: Said<NonNullable<SettingsFile['console']>>;
  readonly proof: Said<Omit<ProofSettings, 'sealed'>> & Pick<ProofSettings, 'sealed'>;
  readonly sandbox: Said<NonNullable<SettingsFile['sandbox']>>;
  readonly env: Said<NonNullable<SettingsFile['env']>>;
  readonly guard: Said<NonNullable<SettingsFile['guard']>>;
  /** Absent: Ralph commits nothing and reviews nothing. */
  readonly scm?: SettingsFile['scm'];
  readonly reviews?: SettingsFile['reviews'];
  readonly agents?: SettingsFile['agents'];
  readonly prices?: SettingsFile['prices'];
  readonly worktree?: SettingsFile['worktree'];
};

/** The defaults. */
export const DEFAULTS: CompleteSettings = {
  agent: { flags: [], autonomy: 'full' },
  maximumIterations: 10,
  completionResponse: 'DONE',
  guardrails: [],
  guardrailTimeout: '30m',
  outputTruncateChars: 5000,
  includeIterationCountInPrompt: false,
  streamAgentOutput: true,
  console: { emoji: true, color: true, timestamps: false, maxOutputLines: 3, maxOutputChars: 120 },
  idleTimeout: '20m',
  iterationTimeout: '3h',
  lingerTimeout: '15s',
  maxAgentOutput: '4GiB',
  maxLimitWait: '6h',
  failurePause: '1s',
  onAgentError: 'continue',
  loop: LOOP_DEFAULTS,
  requireProof: false,
  requireChange: false,
  shutdownGrace: { sigint: '60s', sigterm: '10s' },
  protect: [],
  proof: { level: 'living', mayChange: [], canary: true },
  sandbox: { mode: 'auto', gates: 'inside', allowHosts: [], writable: [], readable: [] },
  workspace: 'isolated',
  env: { pass: [] },
  guard: { allow: [], warn: [], deny: [] },
};

/** The defaults inside an optional group, once a file has that group. */
export const OPTIONAL_GROUP_DEFAULTS = {
  guardrails: { failAction: 'APPEND' },
  reviews: { reviewAfter: 5, guardrailRetryLimit: 3, prompts: [...DEFAULT_REVIEWS] } satisfies ReviewSettings,
  scm: { tasks: [] as readonly string[], timeout: '10m' },
  worktree: { copy: [] as readonly string[], link: [] as readonly string[], setupTimeout: '10m' },
} as const;
