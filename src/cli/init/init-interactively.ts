import { createInterface } from 'node:readline';
import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import { assertNever } from '../../kit/pure/assert-never.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { redact } from '../../kit/pure/redact.ts';
import { oneLine, printable } from '../../kit/pure/text.ts';
import { io } from '../../process/io.ts';
import { loadSettings } from '../../settings/load-settings.ts';
import { DEFAULTS, OPTIONAL_GROUP_DEFAULTS } from '../../settings/schema/settings-defaults.ts';
import type { SettingsFile } from '../../settings/schema/settings-file.ts';
import { type Detected, detectProject } from './detect-project.ts';
import {
  type Answers,
  anyText,
  ask,
  commaList,
  commandLine,
  countOr,
  failAction,
  flagList,
  type Interview,
  type NewGuardrail,
  newSettings,
  positiveOr,
  type Question,
  required,
  settingsText,
  textOr,
  trueOr,
  yesOr,
} from './interview.ts';
import { SETTINGS, settingsExist, writeSettings } from './write-settings.ts';

/** Asks at the terminal, and writes the settings after the last answer. */
export async function initInteractively(cwd: string): Promise<number> {
  if (!io().stdin.isTTY) throw noTerminal();
  await settingsExist(cwd);
  const [existing, found] = await Promise.all([existingSettings(cwd), detectProject(cwd)]);
  const screen = questionScreen();
  const ending = await holdInterview(wholeInterview(existing, found), screen);
  if (ending.kind === 'aborted') {
    screen.write('\nAborted.\n');
    return ending.exitCode;
  }
  if (ending.value === 'declined') return 0;
  await writeSettings(cwd, settingsText(newSettings(ending.value)));
  const next = `Next: describe the work in PROMPT.md, ask for the answer ${ending.value.completionResponse} at its end, then: ralph run -f PROMPT.md`;
  screen.write(`\nSettings written to ${SETTINGS}\n${dim(printable(next), screen)}\n`);
  return 0;
}

function* wholeInterview(existing: ExistingSettings, found: Detected): Interview<Answers | 'declined'> {
  return (yield* askOverwrite(existing)) ? yield* questions(found) : 'declined';
}

function noTerminal(): OperatorError {
  return new OperatorError('no-terminal', 'init requires an interactive terminal', {
    hint: 'In a script use ralph init --yes, which asks nothing.',
    exitCode: 2,
  });
}

/** True if there are no settings yet. Otherwise it shows them without their secrets and asks. */
function* askOverwrite(existing: ExistingSettings): Interview<boolean> {
  return existing.kind === 'none' || (yield* ask('Overwrite? (y/N): ', yesOr(false), { before: shown(existing) }));
}

function shown(existing: Exclude<ExistingSettings, { kind: 'none' }>): readonly string[] {
  switch (existing.kind) {
    case 'readable':
      return [...redact(settingsText(existing.settings)).trimEnd().split('\n'), loadedFrom(existing.sources)];
    case 'malformed':
      return [`Existing settings are malformed: ${existing.why}`];
    default:
      return assertNever(existing);
  }
}

function loadedFrom([first = '', overlay]: readonly string[]): string {
  return overlay === undefined ? `Loaded from ${first}` : `Loaded from ${first} (with local overlay from settings.local.json)`;
}

export type ExistingSettings =
  | { readonly kind: 'none' }
  | { readonly kind: 'readable'; readonly settings: SettingsFile; readonly sources: readonly string[] }
  /** Why names the file. */
  | { readonly kind: 'malformed'; readonly why: string };

/** The merged settings that a run would load here. Invalid ones are no error, because init replaces them. */
async function existingSettings(cwd: string): Promise<ExistingSettings> {
  try {
    const { settings, sources } = await loadSettings(cwd);
    return sources.length === 0 ? { kind: 'none' } : { kind: 'readable', settings, sources };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { kind: 'malformed', why: error.message.replace('failed to load settings: ', '') };
  }
}

export type InterviewEnding<T> =
  | { readonly kind: 'answered'; readonly value: T }
  /** By Ctrl-C, the end of the input, or a signal. */
  | { readonly kind: 'aborted'; readonly exitCode: 130 | 143 };

/** The stream for questions: standard output as in the seed, or standard error if only that is a terminal. */
function questionScreen(): WriteStream {
  const { stdout, stderr } = io();
  return [stdout, stderr].find((stream) => stream.isTTY) ?? stdout;
}

const dim = (text: string, screen: WriteStream) => (screen.isTTY && screen.hasColors() ? styleText('dim', text, { validateStream: false }) : text);

/** Holds the interview on the terminal at standard input. An answer is one line of text without control characters. */
function holdInterview<T>(interview: Interview<T>, screen: WriteStream): Promise<InterviewEnding<T>> {
  const { stdin, events } = io();
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
    const askNext = (answer: string) => {
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
    lines.on('line', (line) => askNext(oneLine(line)));
    askNext('');
  });
}

function linesAbove({ before, hint }: Question, screen: WriteStream): string {
  const hints = hint === null ? [] : [dim(printable(hint), screen)];
  return [...before.map(printable), ...hints].map((line) => `${line}\n`).join('');
}

const { maximumIterations, completionResponse, includeIterationCountInPrompt } = DEFAULTS;
const defaultReviews = OPTIONAL_GROUP_DEFAULTS.reviews;

/** The questions of seed 001 in its words and order, plus two that its tool got later: the iteration count and review cycles. Enter takes what was found. */
export function* questions(found: Detected): Interview<Answers> {
  const [first = ''] = found.agents;
  const command = yield* ask('Agent command (e.g., claude, codex, amp, or other LLM CLI): ', (answer) => commandLine('Agent command')(answer || first), {
    before: [''],
    hint: first === '' ? null : `Found on PATH: ${found.agents.join(', ')} (Enter takes ${first})`,
  });
  const flags = yield* ask('Agent flags (comma-separated, optional): ', flagList);
  return {
    agent: { command, flags },
    maximumIterations: yield* ask(`Maximum iterations [${maximumIterations}]: `, positiveOr(maximumIterations)),
    completionResponse: yield* ask(`Completion response [${completionResponse}]: `, textOr(completionResponse)),
    includeIterationCountInPrompt: yield* ask(`Include iteration count in prompt [${includeIterationCountInPrompt}]: `, trueOr(includeIterationCountInPrompt)),
    guardrails: yield* guardrails(found),
    reviews: (yield* ask('Configure review cycles? (y/N): ', yesOr(false))) ? yield* reviews() : null,
    scm: (yield* ask('Configure SCM? (y/N): ', yesOr(false))) ? yield* scm() : null,
  };
}

const GUARDRAIL = 'Add guardrail command (leave blank to finish): ';

/** If checks were found, the first blank line takes them; the next one finishes. */
function* guardrails({ guardrails: proposals }: Detected): Interview<readonly NewGuardrail[]> {
  const found = proposals.map(({ command }) => command);
  if (found.length === 0) return yield* moreGuardrails([]);
  const them = found.length === 1 ? 'it' : 'them';
  const first = yield* ask(GUARDRAIL, anyText, { hint: `Found: ${found.join(', ')} (Enter takes ${them}, none leaves ${them} out)` });
  if (first === 'none') return yield* moreGuardrails([]);
  if (first !== '') return yield* moreGuardrails([yield* guardrail(first)]);
  return yield* moreGuardrails(
    found.map((command) => ({ command, failAction: 'APPEND' })),
    [`Added: ${found.join(', ')}`],
  );
}

function* moreGuardrails(added: readonly NewGuardrail[], before: readonly string[] = []): Interview<readonly NewGuardrail[]> {
  const command = yield* ask(GUARDRAIL, anyText, { before });
  return command === '' ? added : yield* moreGuardrails([...added, yield* guardrail(command)]);
}

function* guardrail(command: string): Interview<NewGuardrail> {
  const action = yield* ask('  Fail action (APPEND|PREPEND|REPLACE): ', failAction);
  const hint = yield* ask('  Hint (optional, guidance for agent on failure): ', anyText);
  return { command, failAction: action, ...(hint === '' ? {} : { hint }) };
}

function* reviews(): Interview<Answers['reviews']> {
  const reviewAfter = yield* ask(`  Review after iterations [${defaultReviews.reviewAfter}]: `, positiveOr(defaultReviews.reviewAfter));
  const guardrailRetryLimit = yield* ask(`  Guardrail retry limit [${defaultReviews.guardrailRetryLimit}]: `, countOr(defaultReviews.guardrailRetryLimit));
  if (yield* ask('  Use default review prompts? [Y/n]: ', yesOr(true))) return { reviewAfter, guardrailRetryLimit };
  return { reviewAfter, guardrailRetryLimit, prompts: yield* reviewPrompts() };
}

function* reviewPrompts(): Interview<{ name: string; prompt: string }[]> {
  const prompts: { name: string; prompt: string }[] = [];
  for (;;) {
    const name = yield* ask('  Add review name (leave blank to finish): ', anyText);
    if (name === '') return prompts;
    prompts.push({ name, prompt: yield* ask('    Prompt: ', required('Prompt')) });
  }
}

function* scm(): Interview<Answers['scm']> {
  const command = yield* ask('  SCM command (e.g., git): ', commandLine('SCM command'));
  return { command, tasks: yield* ask('  SCM tasks (comma-separated, e.g., commit,push): ', commaList) };
}
