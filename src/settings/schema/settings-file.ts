import type * as z from 'zod';
import { amount, count, duration, filledText, flag, group, listOf, mapOf, oneOf, text, wordOf } from '../kinds/setting.ts';
import { LoopGroup } from './loop-settings.ts';
import { Notify } from './notify-settings.ts';
import { fieldsOf } from './rows/fields-of-rows.ts';
import { AGENT, AGENT_FALLBACK, CONSOLE, ENV, GUARD, PROOF, SANDBOX, SCM, SHUTDOWN_GRACE, STORE, WORKTREE } from './rows/groups.ts';
import { LIMITS } from './rows/limits.ts';
import { RUN } from './rows/run.ts';

// Editors and docs/reference/settings.md show the descriptions of the keys.

const Guardrail = group(
  {
    command: filledText.describe('A shell command that must exit 0 before a claim counts.'),
    failAction: wordOf(['APPEND', 'PREPEND', 'REPLACE'], 'APPEND, PREPEND, or REPLACE')
      .describe(
        'How its failure enters the next prompt: after the prompt, before it, or instead of it. Only for `ralph run`: other prompts have a place for it. Upper or lower case.',
      )
      .optional(),
    hint: text.describe('Given to the agent together with the failure, never cut.').optional(),
    timeout: duration.describe('Ralph stops this guardrail if it takes longer; it counts as red then. Default: `guardrailTimeout`.').optional(),
    proof: oneOf(['off', 'green', 'living'])
      .describe('The highest proof level that uses this guardrail; `off` never runs it in a copy. Default: `proof.level`.')
      .optional(),
    canary: flag.describe('Whether Ralph plants failures for this guardrail. Turn it off for one with side effects, such as a deployment.').optional(),
    serial: flag
      .describe('Whether it must run beside no other guardrail, and beside no serial one of another run: for fixed ports or a shared database.')
      .optional(),
  },
  'an object such as {"command": "npm test"}',
);

const VariableName = text.regex(/^[A-Za-z_]\w*$/);

const { command, model, ...others } = fieldsOf(AGENT);
const PROFILE = {
  command,
  flags: listOf(text, 'a list of texts').describe('Flags for the agent, added after Ralph\'s own. `"--model opus"` is read as two words.').optional(),
  model,
  ...others,
  env: mapOf(VariableName, text, 'the name of a variable')
    .describe(
      'Environment variables that only this agent gets, for another account. `$NAME` stands for the value of your variable `NAME`; keys are named only so.',
    )
    .optional(),
};

const Profile = group(PROFILE);

const Agent = group({ ...PROFILE, ...fieldsOf(AGENT_FALLBACK) });

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

/** `.ralph/settings.json` and `.ralph/settings.local.json`: the names and defaults of seed 001, and later settings. */
export const SettingsFile = group({
  $schema: text.describe('Where an editor finds the schema of this file. Ralph does not read it.').optional(),
  agent: Agent.describe('The coding agent.').optional(),
  agents: mapOf(ProfileName, Profile, 'letters, digits, and after the first also . _ -')
    .describe('Agent profiles, for `--agent <name>` and `--agents`. A profile without a `command` overrides `agent`.')
    .optional(),
  ...fieldsOf(RUN),
  guardrails: listOf(Guardrail, 'a list of objects')
    .describe('The commands that must be green before a claim counts. All of them run after every iteration, in this order.')
    .optional(),
  reviews: Reviews.describe('Reviews by fresh agents every few green iterations. Without this group there are none.').optional(),
  scm: group(fieldsOf(SCM)).describe('What the version control does after a green iteration. Without this group nothing is committed.').optional(),
  console: group(fieldsOf(CONSOLE)).describe('How a run looks on the console.').optional(),
  notify: Notify.describe('Who is told what, and how. Without this group Ralph tells nobody.').optional(),
  ...fieldsOf(LIMITS),
  loop: LoopGroup.describe(
    'The settings of `ralph loop`. Of the other settings it uses only `agent`, `agents`, `prices`, `worktree`, `console`, `notify`, `streamAgentOutput`, `shutdownGrace`, `onAgentError`, `preflight` and the limits of an agent.',
  ).optional(),
  prices: mapOf(ModelName, Price, 'the name of a model, its beginning with a * after it, or *')
    .describe(
      'Prices of a million tokens in US dollars, by the name of the model: `gpt-5`, `gpt-5*` for all names that begin so, or `*`. For agents that do not report their cost; other models have list prices.',
    )
    .optional(),
  worktree: group(fieldsOf(WORKTREE)).describe('How Ralph sets up a worktree.').optional(),
  store: group(fieldsOf(STORE)).describe('Where the machines of a fleet meet.').optional(),
  shutdownGrace: group(fieldsOf(SHUTDOWN_GRACE)).describe('How long running work may take to finish after a signal.').optional(),
  proof: group(fieldsOf(PROOF)).describe('What proves a claim, in `ralph run`, `ralph loop` and `ralph work`.').optional(),
  sandbox: group(fieldsOf(SANDBOX)).describe('The sandbox for agents and checks, for every command that starts agents.').optional(),
  env: group(fieldsOf(ENV)).describe('The environment variables of agents and checks.').optional(),
  guard: group(fieldsOf(GUARD)).describe('Which commands the guard allows and blocks.').optional(),
});
export type SettingsFile = Readonly<z.infer<typeof SettingsFile>>;
