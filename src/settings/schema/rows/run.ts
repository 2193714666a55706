import { EVERY_COMMAND, type SettingRows } from './setting-row.ts';

/** The settings at the top of a settings file, besides the limits. A row with `inRun` counts for every recipe. */
export const RUN = {
  maximumIterations: {
    kind: 'positive integer',
    default: 10,
    about: 'Maximum number of iterations.',
    flag: {
      spelling: '-n, --max-iterations <n>',
      help: 'maximum number of iterations',
      aliases: ['-m, --maximum-iterations <n>'],
      group: 'limits',
      commands: ['run'],
    },
  },
  maxCost: {
    kind: 'positive number',
    about:
      'Maximum cost of `ralph run` and `ralph supervise` in US dollars. Default: no limit. `ralph loop` uses `loop.maxCost` instead. The cost of an agent that does not report it is estimated from its tokens and `prices`.',
    flag: { spelling: '--max-cost <usd>', help: 'maximum cost in US dollars', unset: 'no limit', group: 'limits', commands: ['run'] },
  },
  completionResponse: {
    kind: 'text',
    default: 'DONE',
    about: 'The word that claims completion, in upper or lower case.',
    flag: {
      spelling: '-c, --completion-response <word>',
      help: 'the word that claims completion',
      aliases: ['--completion-promise <word>'],
      group: 'proof',
      commands: ['run'],
    },
  },
  guardrailTimeout: { kind: 'duration', default: '30m', about: 'The timeout of a guardrail without its own `timeout`.' },
  outputTruncateChars: {
    kind: 'integer',
    default: 5000,
    about: "How many characters of a red guardrail's output the next prompt contains; 0 or less means all of it. A file always has the whole output.",
  },
  includeIterationCountInPrompt: { kind: 'flag', default: false, about: 'Begin every prompt with `Iteration X of Y, Z remaining.`' },
  streamAgentOutput: {
    kind: 'flag',
    default: true,
    about: 'Show what the agent does.',
    inRun: 'streamAgentOutput',
    flag: { spelling: '--stream-agent-output', help: 'show what the agent does', opposite: 'do not show it', group: 'output', commands: ['run', 'loop'] },
  },
  onAgentError: {
    kind: ['continue', 'stop'],
    default: 'continue',
    about: 'What to do after an iteration whose agent failed: `continue` with the next, or `stop` the run.',
    inRun: 'onAgentError',
  },
  requireProof: {
    kind: 'flag',
    default: false,
    about: 'Refuse to start without a check.',
    flag: {
      spelling: '--require-proof',
      help: 'refuse to start without a check',
      group: 'proof',
      commands: ['run', 'work'],
      but: { work: { help: 'refuse to start if a task has neither a check nor an output' } },
    },
  },
  requireChange: {
    kind: 'flag',
    default: false,
    about: 'Refuse a claim if nothing has changed since the start.',
    flag: { spelling: '--require-change', help: 'refuse a claim if nothing has changed since the start', group: 'proof', commands: ['run'] },
  },
  protect: {
    kind: 'texts',
    default: [],
    about:
      'Paths no agent may change, as glob patterns such as `tests/**`: Ralph reverts a change, and the iteration is red. `ralph loop` uses `loop.protect` instead.',
    flag: { spelling: '--protect <glob>', help: 'paths no agent may change; repeatable', group: 'sandbox', commands: ['run', 'work', 'supervise'] },
  },
  workspace: {
    kind: ['isolated', 'copy', 'place'],
    default: 'isolated',
    about:
      'Where agents and checks work. `isolated`: in a copy at the same path, inside the sandbox `os`; only changed files of the project land in your folder. `copy`: the same without a sandbox, at another path. `place`: in your own files. If no sandbox is available, `isolated` becomes `copy`, unless you turned the sandbox off.',
    flag: {
      spelling: '--workspace <kind>',
      help: 'isolated: agents work in a copy at the same path, changed files land in yours (with --sandbox=os); copy: the same without a sandbox; place: agents work in your files',
      unset: null,
      group: 'sandbox',
      commands: EVERY_COMMAND,
    },
  },
  setup: {
    kind: 'text',
    about:
      'The command that installs packages in the clean copy in which a claim is proven, if a lock file is not that of the start. Default: found by the lock file, such as `npm ci`.',
    inRun: 'setup',
    isLate: true,
  },
  landing: {
    kind: ['each', 'green', 'end'],
    default: 'each',
    about:
      'When the work of `ralph run` and `ralph loop` gets into your files. `each`: when an agent or a check has ended. `green`: with each commit that Ralph makes. `end`: once the run has ended well. With `green` and `end` the run works in a worktree of its own, your branch follows by fast-forward, and `scm.tasks` needs `commit`.',
    flag: {
      spelling: '--landing <when>',
      help: 'when work gets into your files: each, as it is made; green, with each commit; end, once the run has ended well',
      group: 'sandbox',
      commands: ['run', 'loop'],
    },
  },
  otel: {
    kind: 'text',
    about:
      'The address of an OpenTelemetry collector that takes OTLP over HTTP, such as `http://localhost:4318`. Ralph sends it a span for the run, each iteration and each effect, and the cost at the end. `OTEL_EXPORTER_OTLP_HEADERS` may have headers, such as a key.',
    inRun: 'otel',
    isLate: true,
    flag: {
      spelling: '--otel <url>',
      help: 'send spans of the run to this OpenTelemetry collector, such as http://localhost:4318',
      unset: null,
      group: 'output',
      commands: ['run', 'loop', 'work'],
    },
  },
  labels: {
    kind: 'texts',
    default: [],
    about:
      'What this machine has, such as `gpu`: `ralph work` takes the tasks of a plan whose `runs_on` names only labels of this list, `agent:<name>` of its first agent and `sandbox:<mode>`. A place for it is `.ralph/settings.local.json`.',
    flag: {
      spelling: '--label <name>',
      help: 'what this machine has, for tasks that run only on such; repeatable',
      unset: null,
      group: 'agent',
      commands: ['work'],
    },
  },
  preflight: {
    kind: 'flag',
    default: true,
    about:
      'Check before the first iteration whether the agent starts, is logged in and reaches its model, and whether the checks can run; `ralph doctor` shows all checks.',
    flag: { spelling: '--no-preflight', help: 'start without the checks of ralph doctor', group: 'sandbox', commands: EVERY_COMMAND },
  },
} as const satisfies SettingRows;
