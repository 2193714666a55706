import type { Command } from 'commander';
import type { Finish } from '../../cli/shared/flags.ts';

const AFTER = `
A fleet is a remote, a PostgreSQL database, and any number of machines that work on one plan with
ralph work --store. The database decides who has which task; code travels by git. Every command
finds the store by --store, RALPH_STORE or store.url in the settings.

Example:
  export RALPH_STORE=postgres://ralph@db.example.org/ralph
  ralph fleet init
  ralph work --plan task-graph.yaml --agent claude      on every machine
  ralph fleet status`;

const store = ['--store <url>', 'the PostgreSQL database of the fleet (RALPH_STORE)'] as const;
const json = ['--json', 'print one JSON object'] as const;
const plan = ['--plan <path>', 'only this plan, by its path in the repository'] as const;
const needs = () => import('./needs.ts');
const commands = () => import('./fleet.ts');

/** `ralph fleet`: many machines, one plan. */
export function addFleet(program: Command, finish: Finish): void {
  const fleet = program.command('fleet').description('Let many machines work on one plan: set up, look, pause and drain them.').helpCommand(false);
  fleet.addHelpText('after', AFTER);
  fleet
    .command('init')
    .description('Prepare the database and this remote for a fleet, or bring their tables up to date.')
    .option(...store)
    .option('--name <name>', 'the name of the fleet, for people (the name of the folder)')
    .option('--lease <duration>', 'how long a silent worker keeps its tasks (30s)')
    .option(...json)
    .action(async (options) => finish(await (await commands()).initCommand(options)));
  for (const [name, does, description] of PLAIN) commandIn(fleet, name, description).action(async (options) => finish(await (await commands())[does](options)));
  commandIn(fleet, 'forget', 'Let a plan that nobody has begun be worked off on another branch.')
    .argument('<plan>', 'its path in the repository')
    .action(async (path, options) => finish(await (await commands()).forgetCommand(path, options)));
  commandIn(fleet, 'budget', 'Show or set what all workers of the fleet together may spend.')
    .argument('[usd]', 'what all workers together may spend from now on, in US dollars; none: no limit')
    .action(async (usd, options) => finish(await (await import('./budget.ts')).budgetCommand(usd, options)));
  addNeeds(fleet, finish);
  for (const [name, mode, description] of MODES)
    commandIn(fleet, name, description).action(async (options) => finish(await (await commands()).modeCommand(mode, options)));
}

function commandIn(fleet: Command, name: string, description: string): Command {
  return fleet
    .command(name)
    .description(description)
    .option(...store)
    .option(...json);
}

/** What waits for a person. */
function addNeeds(fleet: Command, finish: Finish): void {
  commandIn(fleet, 'inbox', 'Show what waits for a person, whichever machine asked.')
    .option(...plan)
    .action(async (options) => finish(await (await needs()).inboxCommand(options)));
  commandIn(fleet, 'answer', 'Answer the question of a task, or tell the next agent of a failed one what to do.')
    .argument('<task>', 'the id of the task')
    .argument('<text...>', 'the answer, for whoever takes the task next; - reads it from standard input')
    .option(...plan)
    .action(async (task, text, options) => finish(await (await needs()).answerCommand(task, text, options)));
  commandIn(fleet, 'accept', 'Allow the claim of a task that is green only with changed tests: the next worker merges it.')
    .argument('<task>', 'the id of the task')
    .option(...plan)
    .action(async (task, options) => finish(await (await needs()).acceptCommand(task, options)));
}

const PLAIN = [
  ['migrate', 'migrateCommand', 'Bring the tables of the database up to date with this ralph. It needs no clone.'],
  ['join', 'joinCommand', 'Check that this machine can work for the fleet, and bring its checkout up to date. It takes no task.'],
  ['status', 'statusCommand', 'Show the plans of the fleet, who works on what, and what waits for a person.'],
  ['workers', 'workersCommand', 'List the workers of the fleet: those at work first.'],
  ['roles', 'rolesCommand', 'Make the roles ralph_worker and ralph_reader in the database, each with the rights it needs and no others.'],
] as const;

const MODES = [
  ['pause', 'paused', 'Let all workers finish what they do and then wait.'],
  ['resume', 'running', 'Let all workers go on, after a pause or a drain.'],
  ['drain', 'draining', 'Let all workers finish what they do and then end. None starts until you resume the fleet.'],
] as const;
