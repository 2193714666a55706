import { textOfWords } from '../../../cli/shared/text-of-words.ts';
import { askDoor } from '../../../door/door-client.ts';
import { ANSWERS_TO_AGENTS } from '../../../journal/words/claim.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import { ownTask } from '../../../plans/tasks/own-task.ts';
import { io } from '../../../process/io.ts';
import { environment } from '../../../sandbox/environment/environment.ts';

export async function askCommand(words: readonly string[], { json }: { readonly json?: boolean }): Promise<number> {
  const text = await textOfWords(words, 'question');
  const { run, task } = await askPerson(text, environment());
  io().stdout.write(json ? `${JSON.stringify({ run_id: run, task, question: text })}\n` : `${ANSWERS_TO_AGENTS.ask}\n`);
  return 0;
}

/** Where the question of an agent has arrived. */
export interface NotedQuestion {
  readonly run: string;
  /** The task or story it is about; null: the run as a whole. */
  readonly task: string | null;
}

const MARKER = 'End your last message with <promise>BLOCKED: your question</promise> instead.';

/** Passes a question of an agent to its loop, which journals it. Throws when there is no loop, or it does not take it. */
export async function askPerson(text: string, env: Readonly<Record<string, string>>): Promise<NotedQuestion> {
  const socket = env['RALPH_SOCKET'];
  if (!socket) throw refused('no-loop', 'this is not an agent of a run, so there is nobody to ask', 'People see what agents ask with: ralph inbox', 2);
  const answer = await askDoor(socket, { method: 'POST', path: '/v1/questions', body: { text, ...ownTask(env) } });
  if (answer.kind === 'broken-off') throw refused('no-loop', `the loop broke off: ${answer.why}`, MARKER, 4);
  if (answer.kind !== 'answered') throw refused('no-loop', 'the loop of this agent does not answer', MARKER, 4);
  const { error, run = '', task = null } = answer.body as { readonly error?: string; readonly run?: string; readonly task?: string | null };
  if (answer.status !== 202) throw refused('not-asked', error ?? `the loop answered with status ${answer.status}`, MARKER, answer.status === 400 ? 2 : 4);
  return { run, task };
}

function refused(code: string, message: string, hint: string, exitCode: 2 | 4): OperatorError {
  return new OperatorError(code, message, { hint, exitCode });
}
