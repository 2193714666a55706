import { computed, signal } from '@preact/signals';
import type { AgentEntry, HistoryView, IterationPage, Overview, RunPage } from '../view/page.ts';
import { shownBar } from '../view/shown.ts';

export type Tab = 'timeline' | 'graph' | 'board' | 'merges' | 'history';
export const TABS: readonly { readonly id: Tab; readonly name: string }[] = [
  { id: 'timeline', name: 'Timeline' },
  { id: 'graph', name: 'Task graph' },
  { id: 'board', name: 'Board' },
  { id: 'merges', name: 'Merge queue' },
  { id: 'history', name: 'History' },
];

export type Connection = 'connecting' | 'live' | 'lost' | 'refused' | 'exported';

export const connection = signal<Connection>('connecting');
export const overview = signal<Overview | null>(null);
/** The chosen run as it is now. */
export const livePage = signal<RunPage | null>(null);
/** The chosen run as it was; null: now is shown. */
export const pastPage = signal<RunPage | null>(null);
export const chosenRun = signal<string | null>(null);
export const chosenIteration = signal<number | null>(null);
export const chosenTask = signal<string | null>(null);
export const tab = signal<Tab>('timeline');
export const evidence = signal<IterationPage | null>(null);
export const history = signal<HistoryView | null>(null);
export const agent = signal<{ readonly attempt: string; readonly entries: readonly AgentEntry[] }>({ attempt: '', entries: [] });
/** What became of the last action. */
export const notice = signal<{ readonly text: string; readonly isBad: boolean } | null>(null);
export const busy = signal(false);
export const nowMs = signal(Date.now());

export const page = computed(() => pastPage.value ?? livePage.value);

/** The server follows the agent of the same one. */
export const shownIteration = computed(() => shownBar(page.value?.bars ?? [], chosenIteration.value, chosenTask.value));

/** Of the past the server knows nothing, so the iteration that is shown there is chosen. */
export const wantedIteration = computed(() => (pastPage.value === null ? chosenIteration.value : (shownIteration.value?.iteration ?? null)));

/** Only what the lock of the run said last, over a connection that stands, is alive. */
export const isAlive = computed(() => connection.value === 'live' && pastPage.value === null && livePage.value?.watch.standing === 'running');
