import { createInterface } from 'node:readline';
import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import { surroundings } from '../../process/surroundings.ts';
import { oneLine } from '../../kit/pure/one-line.ts';
import { printable } from '../../kit/pure/printable.ts';
import type { Interview, Question } from './interview.ts';

export type InterviewEnding<T> =
  | { readonly kind: 'answered'; readonly value: T }
  /** By Ctrl-C, the end of the input or a signal. */
  | { readonly kind: 'aborted'; readonly exitCode: 130 | 143 };

/** Where a person sees questions: standard output as the seed has it, but not where that leads into a file. */
export function questionScreen(): WriteStream {
  const { stdout, stderr } = surroundings();
  return [stdout, stderr].find((stream) => stream.isTTY) ?? stdout;
}

export const dim = (text: string, screen: WriteStream) => (screen.isTTY && screen.hasColors() ? styleText('dim', text, { validateStream: false }) : text);

/** Holds the interview on the terminal at standard input. An answer is one line of text: no key that was pressed gets through as a control character. */
export function holdInterview<T>(interview: Interview<T>, screen: WriteStream): Promise<InterviewEnding<T>> {
  const { stdin, events } = surroundings();
  const lines = createInterface({ input: stdin, output: screen, terminal: screen.isTTY === true, historySize: 0, crlfDelay: Number.POSITIVE_INFINITY });
  return new Promise((resolve, reject) => {
    let over = false;
    const end = (settle: () => void) => {
      if (over) return;
      over = true;
      events.off('SIGINT', interrupt).off('SIGTERM', terminate);
      lines.close();
      settle();
    };
    const abort = (exitCode: 130 | 143) => end(() => resolve({ kind: 'aborted', exitCode }));
    const interrupt = () => abort(130);
    const terminate = () => abort(143);
    const goOn = (answer: string) => {
      if (over) return;
      try {
        const next = interview.next(answer);
        if (next.done) return end(() => resolve({ kind: 'answered', value: next.value }));
        screen.write(linesAbove(next.value, screen));
        lines.setPrompt(next.value.prompt);
        lines.prompt();
      } catch (error) {
        end(() => reject(error));
      }
    };
    events.on('SIGINT', interrupt).on('SIGTERM', terminate);
    lines.on('SIGINT', interrupt).on('close', interrupt);
    lines.on('line', (line) => goOn(oneLine(line)));
    goOn('');
  });
}

function linesAbove({ before, hint }: Question, screen: WriteStream): string {
  const hints = hint === null ? [] : [dim(printable(hint), screen)];
  return [...before.map(printable), ...hints].map((line) => `${line}\n`).join('');
}
