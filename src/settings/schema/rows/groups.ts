import { EVERY_COMMAND, type SettingRows } from './setting-row.ts';

/** The group `agent`, besides its flags. */
export const AGENT = {
  command: {
    kind: 'text',
    about: 'The command of the agent, such as `claude` or `codex`. It may have arguments.',
    // Their help names every agent; this file knows none.
    flag: {
      spelling: '--agent <command>',
      help: 'the command of the agent',
      group: 'agent',
      commands: ['run', 'work'],
      but: { run: { aliases: ['--backend <command>', '--tool <command>'] } },
    },
  },
  model: {
    kind: 'text',
    about: 'The model the agent uses. By default the agent decides.',
    flag: {
      spelling: '--model <name>',
      help: 'the model the agent uses',
      group: 'agent',
      commands: ['run', 'work'],
      but: { work: { spelling: '-m, --model <name>' } },
    },
  },
  kind: {
    kind: 'text',
    about:
      'The protocol of the agent: an agent that Ralph knows, such as `claude`, or `stream-json` or `command`. Default: derived from the name of the command.',
    flag: { spelling: '--agent-kind <kind>', help: 'the protocol of the agent, if its name does not tell', group: 'agent', commands: ['run', 'loop', 'work'] },
  },
  configDir: {
    kind: 'text',
    about:
      'The folder with the login and the settings of the agent, for another account: what `CLAUDE_CONFIG_DIR` or `CODEX_HOME` name. An absolute path; `~` is your home.',
  },
  autonomy: {
    kind: ['full', 'edits', 'ask'],
    default: 'full',
    about: 'What the agent may do without asking: `full`, everything; `edits`, change files; `ask`, only what its own configuration allows.',
    flag: {
      spelling: '--autonomy <level>',
      help: 'what the agent may do without asking: full, edits or ask',
      group: 'agent',
      commands: ['run', 'loop', 'work'],
    },
    library: true,
  },
} as const satisfies SettingRows;

/** What `agent` has besides, and a profile in `agents` has not. */
export const AGENT_FALLBACK = {
  fallback: {
    kind: 'texts',
    about:
      'The agents that take over while this one is limited or cannot work, in this order: commands such as `codex`, or names in `agents`. The first one goes on as soon as it can.',
  },
} as const satisfies SettingRows;

/** The group `console`, which `RunSettings.console` has whole. */
export const CONSOLE = {
  emoji: { kind: 'flag', default: true, about: 'Use emoji; without them, plain signs such as `[OK]`.', inRun: 'emoji' },
  color: { kind: 'flag', default: true, about: 'Use colours, if the output is a terminal and `NO_COLOR` is not set.', inRun: 'color' },
  timestamps: { kind: 'flag', default: false, about: 'Begin every line with the time of day.', inRun: 'timestamps' },
  maxOutputLines: { kind: 'positive integer', default: 3, about: "How many lines of a tool's output are shown.", inRun: 'maxOutputLines' },
  maxOutputChars: {
    kind: 'positive integer',
    default: 120,
    about: "How many characters of each line of a tool's output are shown.",
    inRun: 'maxOutputChars',
  },
} as const satisfies SettingRows;

/** The group `shutdownGrace`: `RunSettings.limits.graceMs`. */
export const SHUTDOWN_GRACE = {
  sigint: {
    kind: 'duration',
    default: '60s',
    about: 'How long running work may take to finish after SIGINT (Ctrl-C). A second signal stops it at once.',
    inRun: 'sigint',
  },
  sigterm: {
    kind: 'duration',
    default: '1s',
    about:
      'The same after SIGTERM. Short, because `docker stop` and the like kill after ten seconds, and to end an agent that does not listen takes up to eight.',
    inRun: 'sigterm',
  },
} as const satisfies SettingRows;

/** The group `proof`. */
export const PROOF = {
  level: {
    kind: ['off', 'green', 'living', 'sealed'],
    default: 'living',
    about:
      'The proof a claim needs. `off`: green checks where the agent works. `green`: also green checks in a clean copy of the work, and with the tests and the configuration of the start. `living`: also each check turns red when Ralph plants failures. `sealed`: also the checks in the folder `sealed` are green.',
    flag: { spelling: '--proof <level>', help: 'the proof a claim needs: off, green, living or sealed', group: 'proof', commands: ['run', 'loop', 'work'] },
  },
  mayChange: {
    kind: 'texts',
    default: [],
    about: 'Tests and configuration that agents may change although checks depend on them, as glob patterns such as `**/*.snap`.',
    flag: {
      spelling: '--may-change <glob>',
      help: 'tests or configuration that agents may change although checks depend on them; repeatable',
      group: 'proof',
      commands: ['run', 'loop', 'work'],
    },
  },
  sealed: {
    kind: 'text',
    about:
      'A folder with sealed checks, outside of the repository; `~` is your home. Agents never see it. A claim counts only if these checks are green too. Setting it implies `level` `sealed`.',
    flag: {
      spelling: '--sealed <folder>',
      help: 'a folder outside of the repository with checks that agents never see; ralph sealed new creates an example',
      implies: ['proof.level', 'sealed'],
      group: 'proof',
      commands: ['run', 'loop', 'work'],
    },
  },
  canary: {
    kind: 'flag',
    default: true,
    about: 'Whether Ralph plants failures in copies of the project, to see that checks can turn red. Turn it off for checks with side effects.',
  },
} as const satisfies SettingRows;

/** The group `sandbox`. */
export const SANDBOX = {
  mode: {
    kind: ['auto', 'docker', 'os', 'guard'],
    default: 'auto',
    about:
      'The sandbox for agents: `docker`, a microVM; `os`, namespaces of the operating system; `guard`, no sandbox, only rules for commands; `auto`, the strongest available. If the sandbox you name is not available, Ralph does not start.',
    flag: {
      spelling: '--sandbox [mode]',
      help: 'docker, os or guard (default: the strongest available; the bare flag means docker)',
      unset: null,
      opposite: 'no sandbox: only the guard checks commands',
      // Seed 003: the bare flag means docker.
      words: { bare: 'docker', opposite: 'guard' },
      group: 'sandbox',
      commands: EVERY_COMMAND,
    },
    library: 'sandbox',
  },
  gates: {
    kind: ['inside', 'host'],
    default: 'inside',
    about:
      'Where checks, setup and commit hooks run: `inside` the sandbox, because they run what the agent wrote, or on the `host`, with all its environment variables.',
  },
  allowHosts: {
    kind: 'texts',
    default: [],
    about: "Hosts that agents and checks may reach besides the model's: `registry.example.org`, `*.example.org`, `localhost:5432`.",
    flag: {
      spelling: '--allow-host <host>',
      help: "a host that agents may reach besides the model's; repeatable",
      group: 'sandbox',
      commands: EVERY_COMMAND,
    },
    library: true,
  },
  writable: { kind: 'texts', default: [], about: 'Paths outside the project that are writable in the sandbox; `~` is your home.' },
  readable: { kind: 'texts', default: [], about: 'More paths that are readable in the sandbox: a tool or a file of your home, such as `~/.npmrc`.' },
  maxMemory: {
    kind: 'size',
    about:
      'The most memory that an agent or a check may use behind `os`, with all it starts. Ralph ends what uses more. Default: three quarters of the memory of the machine; `off` means no limit.',
  },
  maxProcesses: {
    kind: 'count',
    about: 'How many processes an agent or a check may have at a time behind `os`. Ralph ends what has more. Default: 4096; 0 means no limit.',
  },
} as const satisfies SettingRows;

/** The group `env`. */
export const ENV = {
  pass: {
    kind: 'texts',
    default: [],
    about: 'More environment variables for agents and checks, besides the usual ones; `*` stands for any letters, as in `MYAPP_*`.',
  },
} as const satisfies SettingRows;

/** The group `guard`. */
export const GUARD = {
  allow: {
    kind: 'texts',
    default: [],
    about: 'Commands the guard allows: the first words of a command, such as `sudo apt-get install`; `*` stands for anything.',
  },
  warn: { kind: 'texts', default: [], about: 'Commands that the guard allows with a warning.' },
  deny: { kind: 'texts', default: [], about: 'Commands that the guard always blocks, even if `allow` has them too.' },
} as const satisfies SettingRows;

/** The group `worktree`: how Ralph sets up a worktree. */
export const WORKTREE = {
  root: { kind: 'text', about: 'The folder for worktrees. Default: `<repository>.ralph` beside the repository.' },
  copy: { kind: 'texts', default: [], about: 'Untracked files and folders to copy into a new worktree, such as `.env`.' },
  link: { kind: 'texts', default: [], about: 'Untracked files and folders to link into a new worktree, such as `node_modules`.' },
  setup: { kind: 'text', about: 'A shell command to run once in a new worktree, such as `npm ci`. If it fails, the run does not start.' },
  setupTimeout: { kind: 'duration', default: '10m', about: 'Ralph stops a setup that takes longer.' },
} as const satisfies SettingRows;

/** The group `store`. */
export const STORE = {
  url: {
    kind: 'text',
    about:
      'The PostgreSQL database where the machines of a fleet meet, for `ralph work` and `ralph fleet`: `postgres://user@host:5432/name`. Without a password: that belongs in `RALPH_STORE`, `PGPASSWORD` or `~/.pgpass`. Default: files of this repository.',
  },
} as const satisfies SettingRows;

/** The group `scm`. */
export const SCM = {
  command: { kind: 'text', about: 'The command of the version control, such as `git`. Required if there are tasks.' },
  tasks: {
    kind: 'texts',
    default: [],
    about:
      'Run in this order after every green iteration: `commit` asks the agent for a message and commits, `push` pushes, anything else is run as `<command> <task>`. After the first failure the rest is skipped.',
  },
  timeout: { kind: 'duration', default: '10m', about: 'Ralph stops a task that takes longer.' },
  allowDirty: {
    kind: 'flag',
    default: false,
    about: 'Also commit files that were dirty before the start. Otherwise agents and checks see them, no commit of Ralph has them, and they stay dirty.',
    flag: { spelling: '--allow-dirty', help: 'also commit files that were dirty before the start', unset: null, group: 'proof', commands: ['run', 'loop'] },
  },
} as const satisfies SettingRows;
