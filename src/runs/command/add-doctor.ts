import type { Command } from 'commander';
import { collect, type Finish } from '../../cli/shared/flags.ts';
import { addOptions, SANDBOX_OPTIONS } from '../../cli/shared/setting-options.ts';

const AFTER = `
Every run looks at node, agent, login, model, checks, commits and disk before its first iteration,
and does not start if one of them fails. It asks the model's host for a connection, never for more.
The checks are those of the settings and of the plan that ralph work would find here.

Examples:
  ralph doctor
  ralph doctor --agent codex --check "npm test" --json`;

export function addDoctor(program: Command, finish: Finish): void {
  const doctor = program
    .command('doctor')
    .description('Check whether a run could work here: agent, login, model, checks, git, sandbox, disk. Exits 4 if not. Costs nothing.')
    .option('--agent <command>', 'the agent to check, instead of the one in the settings')
    .option('--agent-kind <kind>', 'the protocol of the agent, if its name does not tell')
    .option('--check <command>', 'one more check; repeatable', collect)
    .option('-c, --config <path>', 'a settings file, as for ralph loop --config')
    .option('--json', 'print one JSON object');
  addOptions(doctor, 'doctor', [SANDBOX_OPTIONS])
    .addHelpText('after', AFTER)
    .action(async (options) => finish(await (await import('./doctor.ts')).doctorCommand(options)));
}
