import { agentPrograms } from '../../agents/definitions.ts';
import { howToResume } from '../../journal/words/outcome.ts';
import { shellQuote } from '../../kit/pure/shell-words.ts';
import { printable } from '../../kit/pure/text.ts';
import { io } from '../../process/io.ts';
import { alignRows } from '../../report/views/align-rows.ts';
import { factsOf } from '../../settings/schema/recipe-facts.ts';
import { currentDirectory } from '../shared/flags.ts';
import { type Found, type PlanFact, type ProjectFacts, projectFacts, type RunFact, SETTINGS } from './project-facts.ts';

/** What `ralph` alone prints in a terminal: what is here, and the commands that fit. The names it shows are not ours, so none may control the terminal. */
export async function showStartScreen(): Promise<number> {
  io().stdout.write(
    `${startScreen(await projectFacts(currentDirectory()))
      .map(printable)
      .join('\n')}\n`,
  );
  return 0;
}

export function startScreen(facts: ProjectFacts): readonly string[] {
  return [
    'Ralph runs a coding agent again and again until the work is proven done.',
    '',
    ...alignRows(rowsOf(facts)).map((line) => `  ${line}`),
    '',
    'What you can do now:',
    ...suggestions(facts).map((command) => `  ${command}`),
    '',
    'All commands: ralph --help',
  ];
}

function rowsOf({ agent, checks, plan, runs, problem }: ProjectFacts): readonly (readonly string[])[] {
  return [
    [
      'Agent',
      agent === null ? `none found on PATH: install ${agentPrograms.join(', ')} or name your own with --agent` : `${agent.command} (from ${agent.from})`,
    ],
    ['Checks', checks.length === 0 ? 'none found: name a command that proves the work with --check' : checksText(checks)],
    ['Plan', planText(plan)],
    ['Runs', runs.length === 0 ? 'none active, none waiting for you' : runs.slice(0, MOST_RUNS).map(runText).join('; ')],
    ...(problem === null ? [] : [['Problem', problem]]),
  ];
}

function planText(plan: PlanFact): string {
  if (plan.kind === 'none') return 'none';
  if (plan.kind === 'several') return plan.why;
  return plan.kind === 'one' ? plan.path : `${plan.path}, if you name it`;
}

const MOST_RUNS = 3;

function checksText(checks: readonly Found[]): string {
  const [{ from } = { from: '' }] = checks;
  return `${checks.map(({ command }) => command).join(', ')} (from ${from})`;
}

const STATES: Readonly<Record<RunFact['state'], string>> = {
  running: 'is active',
  unknown: 'may be active on another machine',
  waiting: 'waits for you',
  dead: 'was killed',
};

const runText = ({ run, recipe, state }: RunFact) => `${run} (${recipe}) ${STATES[state]}`;

const MOST_COMMANDS = 3;

/** The most urgent first: a person who is waited for, then what goes on, then what could be started. */
export function suggestions(facts: ProjectFacts): readonly string[] {
  const there = facts.folder === '' ? '' : `cd ${shellQuote(facts.folder)} && `;
  if (facts.problem !== null) return [`${there}ralph config show`];
  const { runs, agent } = facts;
  const own = [...runs.filter(({ state }) => state === 'waiting'), ...runs.filter(({ state }) => state !== 'waiting')].map(commandFor);
  return [...own, ...(agent === null ? ['ralph demo', `${there}ralph init`] : starts(facts, agentFlag(agent)).map((command) => `${there}${command}`))].slice(
    0,
    MOST_COMMANDS,
  );
}

/** What could be started. `…` stands for what only the person knows. */
function starts(facts: ProjectFacts, agent: string): readonly string[] {
  const { command, plan, checks, hasSettings } = facts;
  const isChecked = checks.length > 0;
  const file = { none: '', one: '', several: ' --plan FILE', named: plan.kind === 'named' ? ` --plan ${shellQuote(plan.named)}` : '' }[plan.kind];
  return [
    ...(plan.kind === 'none' ? [] : [`ralph work${file}${agent}${isChecked ? checkFlag(checks) : ''}`]),
    ['ralph', command, `${promptFor(facts)}${agent}${isChecked ? checkFlag(checks) : ' --check "…"'}`].join(' '),
    ...(hasSettings ? [] : ['ralph init']),
    ...(isChecked ? ['ralph gates --try'] : []),
  ];
}

/** A run sends the prompt as it is; a loop says by itself how to claim. */
function promptFor({ command, checks, promptFile, word }: ProjectFacts): string {
  const isRun = command === 'run';
  if (promptFile !== null) return `${isRun ? '-f' : '--spec'} ${promptFile}`;
  return quoted(`${checks.length === 0 ? '…' : 'Make the tests pass'}${isRun ? `, then answer ${word}` : ''}`);
}

function commandFor({ run, recipe, state, reason }: RunFact): string {
  if (state === 'dead') return howToResume(run);
  if (state !== 'waiting') return `ralph status ${run}`;
  if (reason === 'held') return `ralph accept ${run}`;
  // A supervised agent may have asked only not to be restarted.
  if (reason === 'waiting') return factsOf({ recipe }).isRestarted ? howToResume(run) : `ralph answer --run ${run}`;
  return `ralph runs show ${run}`;
}

const agentFlag = ({ command, from }: Found) => (from === SETTINGS ? '' : ` --agent ${shellQuote(command)}`);

/** The last check that was found is the one of the tests. */
function checkFlag(checks: readonly Found[]): string {
  const last = checks.at(-1);
  return last === undefined || last.from === SETTINGS ? '' : ` --check ${quoted(last.command)}`;
}

/** In double quotes, as people write it, where that is safe. */
const quoted = (text: string) => (/^[\w @%+=:,./…-]+$/.test(text) ? `"${text}"` : shellQuote(text));
