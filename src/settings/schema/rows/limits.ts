import type { SettingRows } from './setting-row.ts';

/** The limits of an attempt and of waiting, for every recipe: top-level settings, which rules read from `settings.limits` if the row has `inRun`. */
export const LIMITS = {
  idleTimeout: {
    kind: 'duration',
    default: '20m',
    about:
      'Ralph stops an agent after this long without output. Agents recover from a silent model after 5 minutes by themselves, so it should be longer than that.',
    inRun: 'idleMs',
    flag: {
      spelling: '--idle-timeout <duration>',
      help: 'stop an agent after this long without output',
      zero: 'never',
      group: 'limits',
      commands: ['run', 'loop', 'work'],
    },
    library: true,
  },
  iterationTimeout: {
    kind: 'duration',
    default: '3h',
    about: 'Ralph stops an agent that runs longer.',
    inRun: 'iterationMs',
    flag: {
      spelling: '--iteration-timeout <duration>',
      help: 'stop an agent that runs longer',
      zero: 'never',
      group: 'limits',
      commands: ['run', 'loop', 'work'],
    },
    library: true,
  },
  lingerTimeout: {
    kind: 'duration',
    default: '15s',
    about: 'Ralph stops an agent that has finished but does not exit within this time.',
    inRun: 'lingerMs',
  },
  maxAgentOutput: { kind: 'size', default: '4GiB', about: 'Ralph stops an agent that prints more.', inRun: 'outputBytes' },
  maxLimitWait: {
    kind: 'duration',
    default: '6h',
    about: 'Maximum total wait for usage limits.',
    inRun: 'limitWaitMs',
    flag: {
      spelling: '--max-limit-wait <duration>',
      help: 'maximum total wait for usage limits',
      zero: 'unlimited',
      group: 'limits',
      commands: ['run', 'loop', 'work'],
    },
    library: true,
  },
  maxCostPerDay: {
    kind: 'positive number',
    about:
      'Maximum cost in US dollars of all runs of this machine together, in a day of your calendar. A run that reaches it ends. Default: no limit. The cost of an agent that does not report it is estimated from its tokens and `prices`.',
    flag: {
      spelling: '--max-cost-per-day <usd>',
      help: 'maximum cost in US dollars of all runs of this machine together in a day',
      unset: 'no limit',
      group: 'limits',
      commands: ['run', 'loop', 'work'],
    },
  },
  failurePause: {
    kind: 'duration',
    default: '1s',
    about:
      'The pause after the second failed iteration in a row; it doubles up to a minute. In `ralph work`, an agent that crashed before it changed anything is started again after 5, 30 and 120 times as long. 0 means no pause.',
    inRun: 'failurePauseMs',
    library: true,
  },
  stuckAfter: {
    kind: 'count',
    default: 6,
    about:
      'The run ends as `stuck` after so many iterations in a row that left the same files and the same results, or undid each other, or whose tool calls all failed alike; after three times as many that failed in exactly the same way. After half of them the next prompt says so, and with several agents each further iteration goes to the next one. 0 means never.',
    inRun: 'stuckAfter',
    isLate: true,
    flag: {
      spelling: '--stuck-after <n>',
      help: 'end a run after this many iterations in a row without any progress',
      zero: 'never',
      group: 'limits',
      commands: ['run', 'loop', 'work'],
      but: { work: { help: 'give up a task, or a run on stories, after this many tries in a row without any progress' } },
    },
    library: true,
  },
} as const satisfies SettingRows;
