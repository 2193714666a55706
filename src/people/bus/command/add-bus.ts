import type { Command } from 'commander';
import { collect } from '../../../cli/shared/flags.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import { truncateCodePoints } from '../../../kit/pure/text.ts';

/** `ralph bus` and its subcommands. */
export function addBus(program: Command, finish: (exitCode: number) => void): void {
  const bus = program
    .command('bus')
    .description('Post and read messages about a task or a project, between agents and you.')
    .helpCommand(false)
    .allowExcessArguments()
    .action((_options, { args: [word] }: Command) => {
      throw noSuchBusCommand(word);
    });
  const commands = () => import('./bus-command.ts');
  withPlace(bus.command('post'))
    .description('Post a message, with its text from --body or standard input, and print its id.')
    .option('--type <type>', 'FACT, PROGRESS, DECISION, ERROR, QUESTION, INFO or any other word (INFO)')
    .option('--body <text>', 'the text of the message')
    .option('--meta <key=value>', 'a key and value for programs to read; repeatable', collect)
    .option('--json', 'print one JSON object')
    .action(async (options) => finish(await (await commands()).postCommand(options)));
  withReading(withPlace(bus.command('read')))
    .description('Show the last messages, or all messages after a given one.')
    .option('--follow', 'keep printing new messages')
    .action(async (options) => finish(await (await commands()).readCommand(options)));
  withReading(withPlace(bus.command('tail')))
    .description('Show the last messages and keep printing new ones; the same as read --follow.')
    .action(async (options) => finish(await (await commands()).readCommand({ ...options, follow: true })));
  withPlace(bus.command('discover'))
    .description('Print the path of the bus file; exit 1 if there is none.')
    .option('--json', 'print one JSON object')
    .action(async (options) => finish(await (await commands()).discoverCommand(options)));
  withPlace(bus.command('answer'))
    .description('Answer a message; the agent sees the answer in its next prompt.')
    .argument('<id>', 'the msg_id of the question')
    .argument('[text]', 'the answer (standard input)')
    .option('--json', 'print one JSON object')
    .action(async (id, text, options) => finish(await (await commands()).answerCommand(id, text ?? null, options)));
}

function withPlace(command: Command): Command {
  return command
    .option('--bus <file>', 'the bus file (detected)')
    .option('--project <id>', 'the bus of this project, or of a task of it')
    .option('--task <id>', 'the bus of this task')
    .option('--root <folder>', 'the folder with the task folders (.ralph/tasks)')
    .option('--project-bus', "the project's bus instead of the task's");
}

function withReading(command: Command): Command {
  return command
    .option('--tail <n>', 'maximum number of messages (20, or all after --since)')
    .option('--since <id>', 'only messages after this one')
    .option('--type <type>', 'only messages of this type')
    .option('--json', 'print each message as one JSON object on a line');
}

/** For `ralph bus` without a subcommand, or with an unknown one. */
function noSuchBusCommand(word: string | undefined): OperatorError {
  const what =
    word === undefined ? 'ralph bus needs a subcommand: post, read, tail, discover or answer' : `unknown command 'bus ${truncateCodePoints(word, 60, '…')}'`;
  return new OperatorError('usage', what, { hint: 'ralph bus --help lists the subcommands.', exitCode: 2 });
}
