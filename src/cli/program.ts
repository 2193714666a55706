import { Command } from 'commander';
import { VERSION } from '../kit/files/version.ts';
import { io } from '../process/io.ts';
import type { Finish } from './shared/flags.ts';

const HELP_WIDTH = 100;

/** A narrower terminal has narrower help; a file or a pipe always the same. */
function helpWidth(): number {
  const { isTTY, columns } = io().stdout;
  return isTTY && columns > 0 ? Math.min(HELP_WIDTH, columns) : HELP_WIDTH;
}

type AddCommand = (program: Command, finish: Finish) => void;

/** In the order of the help. The options of a command are loaded when it is called, the modules that do its work when it runs. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  run: async () => (await import('../recipes/run/command/add-run.ts')).addRun,
  loop: async () => (await import('../recipes/run/command/add-loop.ts')).addLoop,
  work: async () => (await import('../recipes/work/command/add-work.ts')).addWork,
  fleet: async () => (await import('../fleet/command/add-fleet.ts')).addFleet,
  task: async () => (await import('../plans/command/add-task.ts')).addTask,
  plan: async () => (await import('../plans/planning/command/add-plan.ts')).addPlan,
  inbox: async () => (await import('../people/questions/command/add-questions.ts')).addInbox,
  answer: async () => (await import('../people/questions/command/add-questions.ts')).addAnswer,
  notify: async () => (await import('../people/notify/command/add-notify.ts')).addNotify,
  ask: async () => (await import('../people/questions/command/add-questions.ts')).addAsk,
  supervise: async () => (await import('../recipes/supervise/command/add-supervise.ts')).addSupervise,
  job: async () => (await import('../recipes/supervise/command/add-job.ts')).addJob,
  runs: async () => (await import('../runs/command/add-runs.ts')).addRuns,
  diff: async () => (await import('../runs/command/add-undo.ts')).addDiff,
  undo: async () => (await import('../runs/command/add-undo.ts')).addUndo,
  bus: async () => (await import('../people/bus/command/add-bus.ts')).addBus,
  init: async () => (await import('./own-commands.ts')).addInit,
  doctor: async () => (await import('../runs/command/add-doctor.ts')).addDoctor,
  gates: async () => (await import('./own-commands.ts')).addGates,
  config: async () => (await import('./own-commands.ts')).addConfig,
  status: async () => (await import('../report/command/add-status.ts')).addStatus,
  watch: async () => (await import('../watch/command/add-watch.ts')).addWatch,
  ui: async () => (await import('../web/command/add-ui.ts')).addUi,
  logs: async () => (await import('../report/command/add-status.ts')).addLogs,
  report: async () => (await import('../report/command/add-report.ts')).addReport,
  stats: async () => (await import('../report/command/add-report.ts')).addStats,
  accept: async () => (await import('../proof/command/add-proof.ts')).addAccept,
  sealed: async () => (await import('../proof/command/add-proof.ts')).addSealed,
  verify: async () => (await import('../proof/command/add-proof.ts')).addVerify,
  torture: async () => (await import('../proof/command/add-proof.ts')).addTorture,
  quota: async () => (await import('../runs/command/add-quota.ts')).addQuota,
  guard: async () => (await import('../sandbox/command/add-guard.ts')).addGuard,
  hook: async () => (await import('./own-commands.ts')).addHook,
  worktree: async () => (await import('../workspace/command/add-worktree.ts')).addWorktree,
  demo: async () => (await import('./own-commands.ts')).addDemo,
  completion: async () => (await import('./own-commands.ts')).addCompletion,
};

/** Every command, without loading any. */
export const commandNames: readonly string[] = Object.keys(COMMANDS);

/** Only the command that was called, if the first argument names it; otherwise all commands. */
export async function loadCommands(argv: readonly string[] = []): Promise<readonly AddCommand[]> {
  const [first = ''] = argv;
  // To rewrite a bare --sandbox we need the flags of all commands.
  const isClear = Object.hasOwn(COMMANDS, first) && !argv.includes('--sandbox');
  return await Promise.all(Object.entries(COMMANDS).flatMap(([name, load]) => (!isClear || name === first ? [load()] : [])));
}

export function buildProgram(commands: readonly AddCommand[], finish: Finish = () => undefined): Command {
  const program = new Command('ralph')
    .description('Runs command-line coding agents again and again, each time with fresh context, until the work is proven done.')
    .version(VERSION, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .exitOverride()
    // Commander throws what it refuses; we print it like any other error.
    .configureOutput({ writeOut: (text) => io().stdout.write(text), outputError: () => undefined, getOutHelpWidth: helpWidth })
    .enablePositionalOptions();
  for (const add of commands) add(program, finish);
  return program;
}
