import { emitKeypressEvents } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { currentDirectory } from '../../cli/shared/flags.ts';
import { linkSignal } from '../../kit/async/scope.ts';
import { openSecretHider } from '../../kit/pure/hide-secrets.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { io } from '../../process/io.ts';
import type { Line } from '../../report/console/line.ts';
import { columns } from '../../report/console/look.ts';
import { clockTime, paint } from '../../report/terminal/paint.ts';
import { terminalLook } from '../../report/terminal/terminal-look.ts';
import { secretsInEnvironment } from '../../sandbox/environment/open-mask.ts';
import { detailsScreen, type WatchedReport } from '../view/details-screen.ts';
import type { ScreenSize } from '../view/rows.ts';
import { isLeaving, type Key, type KeyResult, noInput, pressKey, type WatchAction, type WatchInput } from '../view/watch-keys.ts';
import { watchScreen } from '../view/watch-screen.ts';
import type { WatchView } from '../view/watched-run.ts';
import { carryOut } from './carry-out.ts';

const EVERY_MS = 500;
const ENTER_SCREEN = '\u001b[?1049h\u001b[?25l';
const LEAVE_SCREEN = '\u001b[?25h\u001b[?1049l';
const HOME = '\u001b[H';
const CLEAR_TO_LINE_END = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';

/** What the screen shows. */
export interface WatchSource {
  readonly look: () => Promise<readonly WatchView[]>;
  /** Null: there is no such run. */
  readonly report: (run: string) => Promise<WatchedReport | null>;
  /** What Ctrl-C does on the screen of the run of this very process; null: it leaves the screen. */
  readonly interrupt?: (() => void) | null;
}

const clock = (ms: number) => clockTime(ms, Date.now());

/** The live screen, on the terminal's second screen, until somebody quits. Redrawn in one write, so that nothing flickers. */
export async function watchOnTerminal({ look, report, interrupt = null }: WatchSource, signal: AbortSignal): Promise<void> {
  let views = await look();
  using terminal = openTerminal();
  let input: WatchInput = noInput;
  let lookedMs = performance.now();
  const act = async (action: WatchAction) => {
    const message = await carryOut(action, { cwd: currentDirectory(), by: null }).catch(messageOf);
    input = { ...input, message };
    terminal.wake();
  };
  while (!signal.aborted) {
    const from = await drawOn(terminal, { views, input, report });
    input = movedTo(input, from);
    const key = await terminal.nextKey(EVERY_MS, signal);
    if (performance.now() - lookedMs >= EVERY_MS) {
      views = await look();
      lookedMs = performance.now();
    }
    if (key === null) continue;
    const { action, isOver, ...pressed } = interrupt !== null && isLeaving(key, input) ? stayed(input, key, interrupt) : pressKey(input, key, views);
    input = pressed.input;
    if (isOver) return;
    if (action !== null) void act(action);
  }
}

interface Drawn extends Pick<WatchSource, 'report'> {
  readonly views: readonly WatchView[];
  readonly input: WatchInput;
}

/** Returns the first line of the details that is shown; null: no details are. */
async function drawOn(terminal: Terminal, { views, input, report }: Drawn): Promise<number | null> {
  const { open, typing } = input;
  // A pasted text is drawn once, and not once for each letter.
  if (typing !== null && terminal.hasKey()) return null;
  const shown = open && (await report(open.run).catch(() => null));
  let first: number | null = null;
  terminal.draw((size) => {
    if (open === null) return watchScreen(views, input, size, Date.now());
    const details = detailsScreen(shown, { ...open, clock }, size);
    if (shown !== null) first = details.first;
    return details.rows;
  });
  return first;
}

/** Nobody has to go back what they went too far. */
function movedTo(input: WatchInput, from: number | null): WatchInput {
  return input.open === null || from === null ? input : { ...input, open: { ...input.open, from } };
}

/** The screen of a run stays as long as the run. Ctrl-C is for the run. */
function stayed(input: WatchInput, { name }: Key, interrupt: () => void): KeyResult {
  if (name === 'interrupt') interrupt();
  const message = 'This is the screen of the run itself. Ctrl-C lets what has begun finish, then stops it; once more stops it now.';
  return { input: { ...input, message }, action: null, isOver: false };
}

/** Whatever goes wrong with an action is told; the screen stays. */
function messageOf(error: unknown): string {
  if (error instanceof OperatorError) return [error.message, error.hint ?? ''].join('. ');
  return `It failed: ${(error as Error).message}`;
}

interface Terminal extends Disposable {
  draw(screen: (size: ScreenSize) => readonly Line[]): void;
  /** The next key; null when the time is up, the terminal has another size, or somebody woke it. Ctrl-C is the key `interrupt`. */
  nextKey(timeoutMs: number, signal: AbortSignal): Promise<Key | null>;
  hasKey(): boolean;
  wake(): void;
}

/** Restores the terminal when it is disposed. */
export function openTerminal(): Terminal {
  const { stdin, stdout } = io();
  const hide = openSecretHider(secretsInEnvironment());
  const keys: Key[] = [];
  let wake: () => void = () => undefined;
  const onKey = (text: string | undefined, key: { name?: string; ctrl?: boolean }) => {
    keys.push(keyFrom(text, key));
    wake();
  };
  const onResize = () => wake();
  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  stdin.resume();
  stdin.on('keypress', onKey);
  stdout.on('resize', onResize);
  stdout.write(ENTER_SCREEN);
  return {
    draw(screen) {
      const { width, colour } = terminalLook(stdout);
      const height = stdout.rows || 24;
      const lines = screen({ width, height, hide });
      // In some terminals, clearing behind the last column takes the character in it away.
      const isFull = (line: Line) => columns(paint(line, { width, colour: false, hide })) >= width;
      const rows = lines.map((line) => paint(line, { width, colour, hide }) + (isFull(line) ? '' : CLEAR_TO_LINE_END));
      stdout.write(HOME + rows.join('\r\n') + (rows.length < height ? `\r\n${CLEAR_BELOW}` : ''));
    },
    async nextKey(timeoutMs, signal) {
      if (keys.length === 0) {
        using linked = linkSignal(signal);
        wake = () => linked.abort('woken');
        await sleep(timeoutMs, undefined, { signal: linked.signal }).catch(() => undefined);
      }
      return keys.shift() ?? null;
    },
    hasKey: () => keys.length > 0,
    wake: () => wake(),
    [Symbol.dispose]() {
      stdin.off('keypress', onKey);
      stdout.off('resize', onResize);
      stdin.setRawMode(false);
      stdin.pause();
      stdout.write(LEAVE_SCREEN);
    },
  };
}

function keyFrom(text: string | undefined, { name = '', ctrl = false }: { name?: string; ctrl?: boolean }): Key {
  if (ctrl) return { name: name === 'c' ? 'interrupt' : '', text: '' };
  return { name: name === 'enter' ? 'return' : name, text: name === 'return' || name === 'tab' ? '' : (text ?? '') };
}
