import type { Command } from 'commander';
import { collect } from '../../../cli/shared/flags.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import { truncateCodePoints } from '../../../kit/pure/text.ts';

/** `ralph bus` and what it can do. */
export function addBus(program: Command, finish: (exitCode: number) => void): void {
  const bus = program
    .command('bus')
    .description('Post and read messages about a task or a project: what agents tell each other and you.')
    .helpCommand(false)
    .allowExcessArguments()
    .action((_options, { args: [word] }: Command) => {
      throw noSuchBusCommand(word);
    });
  const commands = () => import('./bus-command.ts');
  withPlace(bus.command('post'))
    .description('Post a message, with its text from --body or from standard input, and print its id.')
    .option('--type <type>', 'FACT, PROGRESS, DECISION, ERROR, QUESTION, INFO or any other word (INFO)')
    .option('--body <text>', 'what it says')
    .option('--meta <key=value>', 'something for programs to read; repeat it for more', collect)
    .option('--json', 'print one JSON object')
    .action(async (options) => finish(await (await commands()).postCommand(options)));
  withReading(withPlace(bus.command('read')))
    .description('Show the last messages, or all after one.')
    .option('--follow', 'go on with those that come')
    .action(async (options) => finish(await (await commands()).readCommand(options)));
  withReading(withPlace(bus.command('tail')))
    .description('Show the last messages and go on with those that come: read --follow.')
    .action(async (options) => finish(await (await commands()).readCommand({ ...options, follow: true })));
  withPlace(bus.command('discover'))
    .description('Print which file read would read; exit code 1 if there is none.')
    .option('--json', 'print one JSON object')
    .action(async (options) => finish(await (await commands()).discoverCommand(options)));
  withPlace(bus.command('answer'))
    .description('Answer a message; an agent is shown it in its next prompt.')
    .argument('<id>', 'the msg_id of the question')
    .argument('[text]', 'the answer; without it standard input')
    .option('--json', 'print one JSON object')
    .action(async (id, text, options) => finish(await (await commands()).answerCommand(id, text ?? null, options)));
}

function withPlace(command: Command): Command {
  return command
    .option('--bus <file>', 'the file of the bus (found by itself)')
    .option('--project <id>', 'the bus of this project, or of a task of it')
    .option('--task <id>', 'the bus of this task')
    .option('--root <folder>', 'where the folders of tasks lie (.ralph/tasks)')
    .option('--project-bus', "the project's bus instead of the task's");
}

function withReading(command: Command): Command {
  return command
    .option('--tail <n>', 'so many messages at most (20, or all after --since)')
    .option('--since <id>', 'only those after this one')
    .option('--type <type>', 'only those of this type')
    .option('--json', 'print one JSON object a line');
}

/** For `ralph bus` with no word after it, or with one that is none of its commands. */
function noSuchBusCommand(word: string | undefined): OperatorError {
  const what =
    word === undefined ? 'ralph bus needs a word: post, read, tail, discover or answer' : `unknown command 'bus ${truncateCodePoints(word, 60, '…')}'`;
  return new OperatorError('usage', what, { hint: 'ralph bus --help shows what there is.', exitCode: 2 });
}
