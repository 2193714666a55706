import type * as z from 'zod';
import { type CompleteLoop, LOOP_DEFAULTS, LoopGroup } from './loop-settings.ts';
import { Proof } from './proof-settings.ts';
import { amount, bytes, count, duration, filledText, flag, group, integer, listOf, mapOf, oneOf, positiveInteger, text, wordOf } from './setting.ts';

/** The reviews of a project that asks for reviews and does not say which. Each agent starts afresh, so each prompt says all it needs. */
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

// What is said of a key here is what editors show and what docs/reference/settings.md says.

const Guardrail = group(
  {
    command: filledText.describe('A shell command that must exit 0 before a claim counts.'),
    failAction: wordOf(['APPEND', 'PREPEND', 'REPLACE'], 'APPEND, PREPEND, or REPLACE')
      .describe('How its failure enters the next prompt: after it, before it, or in its place. Upper or lower case.')
      .optional(),
    hint: text.describe('Told to the agent with the failure, never cut.').optional(),
    timeout: duration.describe('Ends this guardrail, which then counts as red. Where it is not said, `guardrailTimeout` holds.').optional(),
    proof: oneOf(['off', 'green', 'living'])
      .describe(
        'What this guardrail takes part in when a claim is put to the proof, at most: `off` runs it in no copy. Where it is not said, `proof.level` holds.',
      )
      .optional(),
    canary: flag.describe('Whether failures are planted for this guardrail. Turn it off for one with effects, such as a deployment.').optional(),
  },
  'an object such as {"command": "npm test"}',
);

const Agent = group({
  command: filledText.describe('The command of the agent: claude, codex, amp, opencode, gemini or any other. It may bring arguments.').optional(),
  flags: listOf(text, 'a list of texts').describe('Flags for the agent, added after Ralph\'s own. `"--model opus"` is read as two words.').optional(),
  model: filledText.describe('The model the agent is told to use. Where it is not said, the agent decides.').optional(),
  kind: filledText
    .describe(
      'How to speak with the agent: `claude`, `codex`, `amp`, `opencode`, `gemini`, `stream-json` or `command`. Where it is not said, the name of the command tells.',
    )
    .optional(),
  autonomy: oneOf(['full', 'edits', 'ask'])
    .describe('What the agent may do unasked: `full` everything, `edits` change files, `ask` nothing that its own configuration does not allow.')
    .optional(),
});

const ProfileName = text.regex(/^[A-Za-z0-9][\w.-]*$/);

const Price = group(
  {
    input: amount.describe('A million fresh input tokens.'),
    cacheRead: amount.describe('A million tokens read from the cache. Where it is not said, `input` holds.').optional(),
    cacheWrite: amount.describe('A million tokens written to the cache. Where it is not said, `input` holds.').optional(),
    output: amount.describe('A million output tokens.'),
  },
  'an object such as {"input": 1.25, "output": 10}',
);
const ModelName = text.regex(/^(?:[^\s*]+\*?|\*)$/);

const Worktree = group({
  root: filledText.describe('The folder worktrees lie in. Where it is not said, `<repository>.ralph` beside the repository.').optional(),
  copy: listOf(filledText, 'a list of texts').describe('Untracked files and folders that are copied into a new worktree, such as `.env`.').optional(),
  link: listOf(filledText, 'a list of texts').describe('Untracked files and folders that are linked into a new worktree, such as `node_modules`.').optional(),
  setup: filledText.describe('A shell command that is run once in a new worktree, such as `npm ci`. If it fails, the run does not start.').optional(),
  setupTimeout: duration.describe('Ends a setup that takes longer.').optional(),
});

const Scm = group({
  command: filledText.describe('The command of the version control, such as `git`. Needed as soon as there are tasks.').optional(),
  tasks: listOf(filledText, 'a list of texts')
    .describe(
      'Run in this order after every green iteration: `commit` asks the agent for a message and commits, `push` pushes, anything else is run as `<command> <task>`. The first that fails ends the list.',
    )
    .optional(),
  timeout: duration.describe('Ends a task that takes longer.').optional(),
});

const Review = group(
  {
    name: filledText.describe('What the review is called on the console and in file names.'),
    prompt: filledText.describe('What its agent is asked.'),
  },
  'an object such as {"name": "security", "prompt": "…"}',
);

const Reviews = group({
  reviewAfter: count.describe('Review after every so many green iterations; 0 turns reviews off.').optional(),
  guardrailRetryLimit: count.describe('How often one review is asked again because it left a guardrail red.').optional(),
  prompts: listOf(Review, 'a list of objects')
    .describe('The reviews of a cycle, in this order: each is an agent of its own, with the guardrails after it. An empty list turns reviews off.')
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
  sigint: duration.describe('How long what runs may finish after SIGINT (Ctrl-C). A second signal ends it at any time.').optional(),
  sigterm: duration.describe('The same after SIGTERM.').optional(),
});

const Sandbox = group({
  mode: oneOf(['auto', 'docker', 'os', 'guard'])
    .describe(
      'The wall around agents: `docker` a microVM, `os` namespaces of the operating system, `guard` none but rules for commands, `auto` the strongest that is there. One that is named and cannot be had ends the start.',
    )
    .optional(),
  gates: oneOf(['inside', 'host'])
    .describe(
      'Where gates, setup and hooks of a commit run: `inside` the wall, since they run what the agent wrote, or on the `host`, with all variables of it.',
    )
    .optional(),
  allowHosts: listOf(filledText, 'a list of texts')
    .describe("Hosts that may be reached beside the model's: `registry.example.org`, `*.example.org`, `localhost:5432`.")
    .optional(),
  writable: listOf(filledText, 'a list of texts').describe('Paths outside the project that may be written behind the wall; `~` is your home.').optional(),
  readable: listOf(filledText, 'a list of texts')
    .describe('Paths that may be read behind the wall although they are not there else: a tool or a file of your home, such as `~/.npmrc`.')
    .optional(),
});

const Env = group({
  pass: listOf(filledText, 'a list of texts')
    .describe('Names of variables that agents and gates get beside those they always get; `*` stands for any letters, as in `MYAPP_*`.')
    .optional(),
});

const Guard = group({
  allow: listOf(filledText, 'a list of texts')
    .describe('Commands the guard lets pass: the beginning of a command by words, such as `sudo apt-get install`; `*` stands for anything.')
    .optional(),
  warn: listOf(filledText, 'a list of texts').describe('Commands that pass with a warning.').optional(),
  deny: listOf(filledText, 'a list of texts').describe('Commands that are blocked, whatever else is allowed.').optional(),
});

/** `.ralph/settings.json` and `.ralph/settings.local.json`: the names and defaults of seed 001, and what came after it. */
export const SettingsFile = group({
  $schema: text.describe('Where an editor finds the schema of this file. Ralph does not read it.').optional(),
  agent: Agent.describe('The coding agent.').optional(),
  agents: mapOf(ProfileName, Agent, 'letters, digits, and after the first also . _ -')
    .describe('Agents by a name of your own, for `ralph loop --agent <name>`. One without a `command` is `agent` with what it says over it.')
    .optional(),
  maximumIterations: positiveInteger.describe('Iterations at most.').optional(),
  completionResponse: filledText.describe('The word that claims completion, in any case.').optional(),
  guardrails: listOf(Guardrail, 'a list of objects').describe('The commands that decide. All of them run after every iteration, in this order.').optional(),
  guardrailTimeout: duration.describe('Ends a guardrail that does not say its own `timeout`.').optional(),
  outputTruncateChars: integer
    .describe(
      "How many characters of a red guardrail's output the next prompt is told; 0 or less is all of it. The whole output is kept in a file in any case.",
    )
    .optional(),
  includeIterationCountInPrompt: flag.describe('Begin every prompt with `Iteration X of Y, Z remaining.`').optional(),
  streamAgentOutput: flag.describe('Show what the agent does.').optional(),
  reviews: Reviews.describe('Reviews by fresh agents every few green iterations. Without this group there are none.').optional(),
  scm: Scm.describe('What is done with the repository after a green iteration. Without this group nothing is committed.').optional(),
  console: Console.describe('How a run looks on the console.').optional(),
  idleTimeout: duration
    .describe(
      'Ends an agent that prints nothing for so long. Agents recover from a silent model after 5 minutes by themselves, so it should be longer than that.',
    )
    .optional(),
  iterationTimeout: duration.describe('Ends an agent that runs longer.').optional(),
  lingerTimeout: duration.describe('Ends an agent that has finished and does not exit.').optional(),
  maxAgentOutput: bytes.describe('Ends an agent that prints more.').optional(),
  maxLimitWait: duration.describe('How long all waits for usage limits may take together.').optional(),
  failurePause: duration.describe('The pause after the second failed iteration in a row; it doubles up to a minute. 0 is none.').optional(),
  onAgentError: oneOf(['continue', 'stop']).describe('What follows an iteration whose agent failed: `continue` with the next, or `stop` the run.').optional(),
  loop: LoopGroup.describe(
    'The settings of `ralph loop`. Of the others it takes only `agent`, `agents`, `prices`, `worktree`, `console`, `streamAgentOutput`, `shutdownGrace`, `onAgentError` and the limits of an agent.',
  ).optional(),
  prices: mapOf(ModelName, Price, 'the name of a model, its beginning with a * after it, or *')
    .describe(
      'What a million tokens cost, in US dollars, by the name of the model: `gpt-5`, `gpt-5*` for all that begin so, or `*`. For agents that do not say what they cost. Ralph knows no prices: they change.',
    )
    .optional(),
  worktree: Worktree.describe('What a worktree of a run is made of.').optional(),
  requireProof: flag.describe('Refuse to start without a guardrail.').optional(),
  requireChange: flag.describe('Refuse a claim while nothing has changed since the start.').optional(),
  shutdownGrace: ShutdownGrace.describe('How long what runs may finish after a signal.').optional(),
  protect: listOf(filledText, 'a list of texts')
    .describe('Paths no agent may change, as glob patterns such as `tests/**`: a change is put back, and the iteration is red. A loop has its own in `loop`.')
    .optional(),
  proof: Proof.describe('What proves a claim, in `ralph run`, `ralph loop` and `ralph work`.').optional(),
  sandbox: Sandbox.describe('The wall around agents and gates, of every command that starts agents.').optional(),
  workspace: oneOf(['isolated', 'copy', 'place'])
    .describe(
      'Where agents and gates work: `isolated` in a folder of their own, from which only files of the project land in yours, behind the sandbox `os`; in a `copy` of your files, from which the same lands, without a sandbox; or in `place`, in your own files. Where no sandbox can be had and none was refused, `isolated` is a `copy`.',
    )
    .optional(),
  env: Env.describe('What agents and gates find in their environment.').optional(),
  guard: Guard.describe('What the guard thinks of commands.').optional(),
});
export type SettingsFile = Readonly<z.infer<typeof SettingsFile>>;

type Said<T> = { readonly [K in keyof T]-?: NonNullable<T[K]> };
type ProofSettings = NonNullable<SettingsFile['proof']>;
type AgentSettings = NonNullable<SettingsFile['agent']>;
type ReviewSettings = Said<NonNullable<SettingsFile['reviews']>>;

type WithoutDefault = 'scm' | 'reviews' | 'agents' | 'prices' | 'worktree';
type WithDefaultsInside = 'agent' | 'shutdownGrace' | 'console' | 'loop' | 'proof' | 'sandbox' | 'env' | 'guard';

/** Settings in which everything is said; only the agent's command, kind and model, SCM tasks, reviews, and some of a loop's have no default. */
export type CompleteSettings = Said<Omit<SettingsFile, '$schema' | WithDefaultsInside | WithoutDefault>> & {
  readonly agent: AgentSettings & Said<Pick<AgentSettings, 'flags' | 'autonomy'>>;
  readonly loop: CompleteLoop;
  readonly shutdownGrace: Said<NonNullable<SettingsFile['shutdownGrace']>>;
  readonly console: Said<NonNullable<SettingsFile['console']>>;
  readonly proof: Said<Omit<ProofSettings, 'sealed'>> & Pick<ProofSettings, 'sealed'>;
  readonly sandbox: Said<NonNullable<SettingsFile['sandbox']>>;
  readonly env: Said<NonNullable<SettingsFile['env']>>;
  readonly guard: Said<NonNullable<SettingsFile['guard']>>;
  /** Absent: nothing is committed, nothing is reviewed. */
  readonly scm?: SettingsFile['scm'];
  readonly reviews?: SettingsFile['reviews'];
  readonly agents?: SettingsFile['agents'];
  readonly prices?: SettingsFile['prices'];
  readonly worktree?: SettingsFile['worktree'];
};

/** What holds when nobody says otherwise. */
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

/** What holds inside of that which has no default itself, once somebody asks for it. */
export const DEFAULTS_ONCE_ASKED_FOR = {
  guardrails: { failAction: 'APPEND' },
  reviews: { reviewAfter: 5, guardrailRetryLimit: 3, prompts: [...DEFAULT_REVIEWS] } satisfies ReviewSettings,
  scm: { tasks: [] as readonly string[], timeout: '10m' },
  worktree: { copy: [] as readonly string[], link: [] as readonly string[], setupTimeout: '10m' },
} as const;
