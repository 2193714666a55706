import { setTimeout as sleep } from 'node:timers/promises';
import { untilSignalled } from '../../cli/shared/until-signalled.ts';
import { openLastSeen } from '../../kit/async/last-seen.ts';
import { openScope } from '../../kit/async/scope.ts';
import { type HideSecrets, openSecretHider } from '../../kit/pure/hide-secrets.ts';
import { printable } from '../../kit/pure/text.ts';
import { io } from '../../process/io.ts';
import { line, span } from '../../report/console/line.ts';
import { clockTime } from '../../report/terminal/paint.ts';
import { canRewriteLines } from '../../report/terminal/terminal-look.ts';
import type { FleetView } from '../../report/views/fleet-view.ts';
import { secretsInEnvironment } from '../../sandbox/environment/open-mask.ts';
import { watchCommand } from '../../watch/command/watch.ts';
import { openTerminal } from '../../watch/command/watch-terminal.ts';
import { rowsAround, wrapped } from '../../watch/view/rows.ts';
import { isLeaving, noInput } from '../../watch/view/watch-keys.ts';
import { openRunCopies } from '../run-copies.ts';
import { headLines, heldLine, NO_PLAN, workerLine } from './fleet.ts';
import { openShownStore } from './fleet-here.ts';
import { needLines } from './needs.ts';

interface WatchFleetFlags {
  /** True: the store that variables and settings name. */
  readonly store: string | true;
  readonly once?: boolean;
  readonly json?: boolean;
  readonly plain?: boolean;
}

const EVERY_MS = 2_000;

/** `ralph watch --store`: the fleets of a store, or one run of theirs, from anywhere, with the role of a reader. */
export async function watchFleetCommand(run: string | null, flags: WatchFleetFlags): Promise<number> {
  const { store, once = false, json = false, plain = false } = flags;
  await using scope = openScope();
  const { look: fleets, database } = await openShownStore(store, scope);
  if (run !== null) {
    const copies = await openRunCopies(database, scope);
    await copies.first;
    return await watchCommand(run, flags, copies.folders());
  }
  using signalled = untilSignalled();
  const hide = openSecretHider(secretsInEnvironment());
  const look = async () => (await fleets()).flatMap(fleetLines);
  if (json) io().stdout.write(`${JSON.stringify({ fleets: await fleets() }, (_, value) => (typeof value === 'string' ? hide(value) : value))}\n`);
  else if (once) io().stdout.write((await look()).map((text) => `${hide(text)}\n`).join(''));
  else if (plain || !canRewriteLines(io().stdout) || io().stdin.isTTY !== true)
    await printChanges(async () => (await fleets()).flatMap(changeLines), hide, signalled.signal);
  else await showOnTerminal(look, signalled.signal);
  return signalled.exitCode();
}

/** What waits for a person comes first: they are here for that. */
function fleetLines(view: FleetView): readonly string[] {
  const more = view.at_work - view.workers.filter(({ state }) => state === 'working').length;
  return [
    ...headLines(view),
    ...view.plans.flatMap(({ plan, left }) => left.flatMap((need) => needLines({ plan, ...need }))),
    ...view.plans.flatMap((plan) => planLines(plan, view.plans)),
    ...(view.plans.length === 0 ? [NO_PLAN] : []),
    ...view.workers.map((worker) => workerLine(worker)),
    ...(more > 0 ? [`  … ${more} more at work`] : []),
  ];
}

/** Without ages, which always change. */
function changeLines(view: FleetView): readonly string[] {
  const lost = view.workers.filter(({ state }) => state !== 'working');
  const workers = view.workers.filter(({ state }) => state === 'working');
  return [...fleetLines({ ...view, workers }), ...lost.map(({ host, run, state }) => `  ${printable(host)}  ${printable(run)}  ${state}`)];
}

/** A seat belongs to a branch: it is shown with its first plan. */
function planLines({ plan, base, counts, merging, held, left }: FleetView['plans'][number], plans: FleetView['plans']): readonly string[] {
  const { done = 0, free = 0 } = counts;
  const isFirst = plans.find((other) => other.base === base)?.plan === plan;
  const again = free === 0 ? '' : `, ${free} given back`;
  return [
    `Plan ${printable(plan)} on ${printable(base)}: ${done} done, ${held.length} in progress${again}, ${left.length} need you`,
    ...(isFirst && merging !== null ? [`  merging: ${printable(merging.holder ?? 'somebody')}${merging.alive ? '' : ' (lost)'}`] : []),
    ...held.map(heldLine),
  ];
}

/** One line for each change. A store that is away for a while is one. */
async function printChanges(look: () => Promise<readonly string[]>, hide: HideSecrets, signal: AbortSignal): Promise<void> {
  let shown = new Set<string>();
  while (!signal.aborted) {
    const lines = await look().catch((error: Error) => [troubleLine(error.message)]);
    for (const text of lines) if (!shown.has(text)) io().stdout.write(`${clockTime(Date.now(), Date.now())} ${hide(text.trim())}\n`);
    shown = new Set(lines);
    await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function showOnTerminal(look: () => Promise<readonly string[]>, signal: AbortSignal): Promise<void> {
  using terminal = openTerminal();
  // Keys are heard while a store hangs.
  const lastSeen = openLastSeen({ look, first: [], everyMs: EVERY_MS, onNews: () => terminal.wake() });
  let [top, page] = [0, 1];
  while (!signal.aborted) {
    const { seen, trouble } = lastSeen(performance.now());
    const texts = trouble === null ? seen : [troubleLine(trouble), ...seen];
    terminal.draw((size) => {
      const rows = texts.flatMap((text) => wrapped(line(span(text)), size, HANG));
      page = Math.max(1, size.height - AROUND);
      top = Math.max(0, Math.min(top, rows.length - page));
      return [...rowsAround(rows, page + 1, { from: top, to: top + page }, moreText), line(span('up/down scroll · q quit', 'dim'))];
    });
    const key = await terminal.nextKey(EVERY_MS, signal);
    if (key !== null && isLeaving(key, noInput)) return;
    top += { up: -1, down: 1, pageup: -page, pagedown: page }[key?.name ?? ''] ?? 0;
  }
}

const HANG = 4;
/** The row that says what is above and below, and the keys. */
const AROUND = 2;
const moreText = (above: number, below: number) => `… ${above} more above, ${below} more below`;

const troubleLine = (message: string) => `Trying again: ${printable(message)}`;
