import type { Instruction } from '../../journal/words/instruction.ts';
import { type Need, needKey } from '../../report/needs/needs.ts';
import type { WatchView } from './watched-run.ts';

/** What the person at the terminal has chosen and typed so far. */
export interface WatchInput {
  /** The key of the chosen item; null: the first one. A key, because the list changes while somebody looks at it. */
  readonly chosen: string | null;
  /** What is being typed; null: nothing. */
  readonly typing: Typing | null;
  /** The run that is to be stopped, if the person says yes; null: none. */
  readonly confirm: string | null;
  /** What is shown in detail, from which of its lines on; null: the list is shown. */
  readonly open: { readonly run: string; readonly task: string | null; readonly from: number } | null;
  /** What became of the last action. */
  readonly message: string;
}

export interface Typing {
  readonly what: 'answer' | 'changes' | 'note' | 'skip' | 'budget';
  readonly run: string;
  readonly task: string | null;
  readonly text: string;
}

export const noInput: WatchInput = { chosen: null, typing: null, confirm: null, open: null, message: '' };

/** One thing that can be chosen: a need, or a run as a whole. */
export interface ChosenItem {
  readonly key: string;
  readonly run: string;
  readonly need: Need | null;
}

/** What a person can do while they watch. */
export type WatchAction =
  | { readonly kind: 'answer'; readonly run: string; readonly task: string | null; readonly text: string }
  | { readonly kind: 'accept'; readonly run: string; readonly task: string | null }
  | { readonly kind: 'instruct'; readonly run: string; readonly instruction: Instruction }
  | { readonly kind: 'pause' | 'go-on' | 'drain' | 'stop' | 'resume'; readonly run: string };

export interface Key {
  /** `up`, `return`, `escape`, `interrupt`, or the letter. */
  readonly name: string;
  /** The text that the key stands for; empty for keys without one. */
  readonly text: string;
}

export interface KeyResult {
  readonly input: WatchInput;
  readonly action: WatchAction | null;
  readonly isOver: boolean;
}

/** Needs come first, because they are what a person is here for; then the runs in their order on the screen. */
function itemsOf(views: readonly WatchView[]): readonly ChosenItem[] {
  const needs = views.flatMap(({ run_id: run, needs: all }) => all.map((need) => ({ key: needKey(need), run, need })));
  return [...needs, ...views.map(({ run_id: run }) => ({ key: run, run, need: null }))];
}

/** The first item if the chosen one is gone. */
export function chosenItem(views: readonly WatchView[], { chosen }: WatchInput): ChosenItem | null {
  const items = itemsOf(views);
  return items.find(({ key }) => key === chosen) ?? items[0] ?? null;
}

/** Whether the key would leave the screen. */
export function isLeaving({ name }: Key, { typing, open }: WatchInput): boolean {
  return name === 'interrupt' || (name === 'q' && typing === null && open === null);
}

export function pressKey(input: WatchInput, key: Key, views: readonly WatchView[]): KeyResult {
  if (isLeaving(key, input)) return { input, action: null, isOver: true };
  if (input.typing !== null) return typeKey(input, key, input.typing);
  if (input.confirm !== null) return confirmKey(input, key, input.confirm);
  if (input.open !== null) return openKey(input, key, input.open);
  const item = chosenItem(views, input);
  switch (key.name) {
    case 'up':
    case 'k':
      return next(moved(input, views, -1));
    case 'down':
    case 'j':
      return next(moved(input, views, 1));
    default:
      return item === null ? next(input) : itemKey(input, key, item, views);
  }
}

const next = (input: WatchInput, action: WatchAction | null = null): KeyResult => ({ input, action, isOver: false });

function moved(input: WatchInput, views: readonly WatchView[], by: 1 | -1): WatchInput {
  const items = itemsOf(views);
  const at = items.findIndex(({ key }) => key === chosenItem(views, input)?.key);
  return { ...input, chosen: items[Math.max(0, Math.min(items.length - 1, at + by))]?.key ?? null, message: '' };
}

const PAGE_LINES = 10;

function openKey(input: WatchInput, { name }: Key, open: NonNullable<WatchInput['open']>): KeyResult {
  const by = { up: -1, k: -1, down: 1, j: 1, pageup: -PAGE_LINES, pagedown: PAGE_LINES, space: PAGE_LINES }[name];
  return by === undefined ? next({ ...input, open: null }) : next({ ...input, open: { ...open, from: Math.max(0, open.from + by) } });
}

function itemKey(input: WatchInput, key: Key, item: ChosenItem, views: readonly WatchView[]): KeyResult {
  const { run, need } = item;
  const about = { run, task: need?.task ?? null, text: '' };
  switch (key.name) {
    case 'o':
      return next({ ...input, open: { run, task: about.task, from: 0 }, message: '' });
    case 'return':
      return enter(input, item);
    case 'c':
      return canRetry(need) ? next({ ...input, typing: { what: 'changes', ...about }, message: '' }) : next(input);
    case 'n':
      return next({ ...input, typing: { what: 'note', ...about }, message: '' });
    case 'b':
      return next({ ...input, typing: { what: 'budget', ...about }, message: '' });
    case 'x':
      return next({ ...input, typing: { what: 'skip', ...about, text: about.task ?? '' }, message: '' });
    default:
      return runKey(input, key, item, views);
  }
}

/** Another try helps what is held, has failed or cannot be merged. */
export const canRetry = (need: Need | null) =>
  need?.kind === 'held' || need?.kind === 'failed' || need?.kind === 'conflict' || (need?.kind === 'dead' && need.task !== null);

function enter(input: WatchInput, { run, need }: ChosenItem): KeyResult {
  if (need?.kind === 'question') return next({ ...input, typing: { what: 'answer', run, task: need.task, text: '' }, message: '' });
  if (need?.kind === 'held') return next({ ...input, message: 'Accepting…' }, { kind: 'accept', run, task: need.task });
  if (need?.kind === 'budget') return next({ ...input, typing: { what: 'budget', run, task: null, text: '' }, message: '' });
  if (need?.kind === 'kept') return next({ ...input, message: `In another terminal: ${need.command}` });
  return next({ ...input, open: { run, task: need?.task ?? null, from: 0 }, message: '' });
}

function runKey(input: WatchInput, { name }: Key, { run }: ChosenItem, views: readonly WatchView[]): KeyResult {
  const view = views.find(({ run_id }) => run_id === run);
  if (view === undefined) return next(input);
  if (view.standing !== 'running') return name === 'r' && !view.is_done ? next({ ...input, message: 'Resuming…' }, { kind: 'resume', run }) : next(input);
  if (name === 's') return next({ ...input, confirm: run, message: '' });
  if (name === 'd') return next(input, { kind: 'drain', run });
  return name === 'p' ? next(input, { kind: view.status === 'paused' ? 'go-on' : 'pause', run }) : next(input);
}

function confirmKey(input: WatchInput, { name }: Key, run: string): KeyResult {
  const asked = { ...input, confirm: null };
  return name === 'y' ? next(asked, { kind: 'stop', run }) : next(asked);
}

function typeKey(input: WatchInput, { name, text: typed }: Key, typing: Typing): KeyResult {
  const { text } = typing;
  if (name === 'escape') return next({ ...input, typing: null });
  if (name === 'backspace') return next({ ...input, typing: { ...typing, text: [...text].slice(0, -1).join('') } });
  if (name !== 'return') return next({ ...input, typing: { ...typing, text: text + typed } });
  const action = actionOf({ ...typing, text: text.trim() });
  return next({ ...input, typing: null, message: action === null ? '' : 'Sent…' }, action);
}

/** Null: nothing was said. */
function actionOf({ what, run, task, text }: Typing): WatchAction | null {
  if (what === 'changes') return { kind: 'instruct', run, instruction: { kind: 'again', task, text: text === '' ? null : text, agent: null } };
  if (text === '') return null;
  if (what === 'answer') return { kind: 'answer', run, task, text };
  if (what === 'note') return { kind: 'instruct', run, instruction: { kind: 'note', task, text } };
  if (what === 'skip') return { kind: 'instruct', run, instruction: { kind: 'skip', task: text } };
  const usd = Number(text.replace(/^\$/, ''));
  return usd > 0 ? { kind: 'instruct', run, instruction: { kind: 'budget', usd } } : null;
}
