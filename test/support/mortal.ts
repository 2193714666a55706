import type { Watcher } from '../../src/engine/contracts.ts';
import { drive } from '../../src/engine/drive.ts';
import { openLedger } from '../../src/engine/ledger.ts';
import type { Ports, Supervision } from '../../src/engine/ports/ports.ts';
import type { Journal } from '../../src/engine/ports/stores.ts';
import type { EventBody, JournalEvent } from '../../src/journal/events/journal-event.ts';
import type { Outcome } from '../../src/journal/words/outcome.ts';
import { handlerOf } from '../../src/runs/recipes/handlers.ts';
import type { RunSettings } from '../../src/settings/schema/run-settings.ts';
import { runStarted } from './given.ts';
import { RECIPES } from './recorded-journals.ts';

/** The nth effect on the world, including journal lines: the loop is killed before it happens, or after it and before its result is known. */
export interface Death {
  readonly touch: number;
  readonly when: 'before' | 'after';
}

/** What survives the death of a loop. */
export interface LastingWorld {
  readonly settings: RunSettings;
  /** As the loop of that sitting sees it. */
  ports(sitting: number): Ports;
  watcher?: Watcher;
  /** Lines that are in the journal by now. */
  readonly events: JournalEvent[];
}

interface Sitting {
  /** Null: it was killed. */
  readonly outcome: Outcome | null;
  /** What it touched, in order: `git.commit`, `journal commit.made`, … */
  readonly touches: readonly string[];
}

interface Life {
  readonly touches: string[];
  readonly killed: Promise<null>;
  touch<T>(name: string, act: () => T): T;
}

const NEVER = new Promise<never>(() => undefined);

function openLife(death: Death | null): Life {
  const touches: string[] = [];
  let isDead = false;
  let die: () => void = () => undefined;
  const killed = new Promise<null>((resolve) => {
    die = () => {
      isDead = true;
      resolve(null);
    };
  });
  /** A dead loop gets no result. */
  const answered = async (answer: unknown, isLast: boolean): Promise<unknown> => {
    const value = await answer;
    if (isLast) die();
    return isDead ? await NEVER : value;
  };
  return {
    touches,
    killed,
    touch<T>(name: string, act: () => T): T {
      if (isDead) return NEVER as T;
      touches.push(name);
      const isLast = death?.touch === touches.length;
      if (isLast && death.when === 'before') {
        die();
        return NEVER as T;
      }
      const answer = act();
      return (answer instanceof Promise ? answered(answer, isLast) : answer) as T;
    },
  };
}

/** Each asynchronous call counts as an effect; synchronous ones do not. */
function mortal<T extends object>(name: string, port: T, life: Life): T {
  return new Proxy(port, {
    get(target, key, self) {
      const value = Reflect.get(target, key, self);
      if (typeof value !== 'function' || typeof key === 'symbol' || AT_ONCE.has(key)) return value;
      return (...args: unknown[]) => life.touch(`${name}.${key}`, () => value.apply(target, args));
    },
  });
}

const AT_ONCE = new Set(['nowMs', 'sleepUntil', 'speaks', 'describe']);
const TOUCHED = ['agent', 'command', 'git', 'history', 'processes'] as const;

function mortalPorts(ports: Ports, life: Life): Ports {
  const own = Object.fromEntries(TOUCHED.map((name) => [name, mortal(name, ports[name], life)]));
  const supervision = ports.supervision && Object.fromEntries(Object.entries(ports.supervision).map(([name, port]) => [name, mortal(name, port, life)]));
  const stories = ports.stories && { ...ports.stories, ground: mortal('ground', ports.stories.ground, life) };
  return { ...ports, ...own, ...(supervision && { supervision: supervision as unknown as Supervision }), ...(stories && { stories }) };
}

function journalOf(events: JournalEvent[], life: Life): Journal {
  return {
    past: [...events],
    append: (event) => life.touch(`journal ${event.body.type}`, async () => void events.push(structuredClone(event))),
    close: async () => undefined,
  };
}

const resumed = (pid: number): EventBody => ({ type: 'run.resumed', ralph: 'test', writer: { host: 'h', boot_id: 'b', pid, start_time: `${pid}` } });

/** Runs one loop on that world until its end or its death. */
export async function sit(world: LastingWorld, death: Death | null = null): Promise<Sitting> {
  const { settings, events } = world;
  const life = openLife(death);
  const sitting = 1 + events.filter(({ body }) => body.type === 'run.started' || body.type === 'run.resumed').length;
  const around = world.ports(sitting);
  const snapshot = await around.git.snapshot();
  const found = snapshot && { ...snapshot, dirty: [...snapshot.dirty], dirty_count: snapshot.dirty.length };
  const ports = mortalPorts(around, life);
  const run = async () => {
    const ledger = openLedger(journalOf(events, life), ports.clock, []);
    await ledger.record(events.length === 0 ? { ...runStarted(settings), found } : resumed(sitting));
    return await drive(RECIPES[settings.recipe], settings, ledger, { ports, watchers: world.watcher ? [world.watcher] : [], handlerOf });
  };
  return { outcome: await Promise.race([run(), life.killed]), touches: life.touches };
}

export const isOver = ({ events }: LastingWorld) => events.at(-1)?.body.type === 'run.stopped';
