import { setTimeout as sleep } from 'node:timers/promises';
import type { RunPage } from '../view/page.ts';
import { shownBar } from '../view/shown.ts';
import { type AgentTail, openAgentTail } from './agent-tail.ts';
import type { ToJson } from './clean-json.ts';
import type { Project } from './project.ts';

/** What one open page follows. */
export interface StreamRequest {
  /** Null: no run is chosen. */
  readonly run: string | null;
  /** What is chosen on the page; null: nothing. */
  readonly iteration: number | null;
  readonly task: string | null;
  /** Where the page was when its connection broke; null: it is new. */
  readonly lastId: string | null;
}

const EVERY_MS = 500;
/** Tells the page, a proxy, and a server whose reader is gone, that the connection is used. */
const BEAT_EVERY_MS = 5_000;

/**
 * The server-sent events of one page. It is asked for the next event only when the last one was taken, so a slow page gets fewer and newer ones, and none wait
 * here. The id is the position in the journal: whoever comes back with it gets only what is new.
 */
export async function* streamEvents(project: Project, request: StreamRequest, toJson: ToJson, signal: AbortSignal): AsyncGenerator<string, void> {
  using follower = openFollower(project, request, toJson);
  let beatAtMs = performance.now();
  yield 'retry: 1000\n\n';
  while (!signal.aborted) {
    for (const event of await follower.news(Date.now())) {
      yield event;
      beatAtMs = performance.now();
    }
    if (performance.now() - beatAtMs > BEAT_EVERY_MS) {
      yield eventText('beat', '0');
      beatAtMs = performance.now();
    }
    await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

interface Follower extends Disposable {
  news(nowMs: number): Promise<readonly string[]>;
}

function openFollower(project: Project, { run, iteration, task, lastId }: StreamRequest, toJson: ToJson): Follower {
  let overviewSent = '';
  let pageSent = '';
  let idSent = lastId;
  let tail: AgentTail | null = null;

  async function overviewNews(nowMs: number): Promise<readonly string[]> {
    const overview = await project.overview(nowMs);
    const text = toJson(overview);
    if (text === overviewSent) return [];
    overviewSent = text;
    return [eventText('overview', text)];
  }

  function pageNews(page: RunPage): readonly string[] {
    const id = `${page.run_id}:${page.seq}:${page.watch.standing}`;
    // The clock alone is no news.
    const key = toJson({ ...page, watch: { ...page.watch, elapsed_ms: 0, left_ms: 0 } });
    const isKnown = pageSent === '' && idSent === id;
    const isSame = pageSent === key;
    [pageSent, idSent] = [key, id];
    return isKnown || isSame ? [] : [eventText('page', toJson(page), id)];
  }

  async function runNews(id: string, nowMs: number): Promise<readonly string[]> {
    const followed = await project.run(id, nowMs);
    const page = (await followed?.page(nowMs)) ?? null;
    if (followed === null || page === null) return [];
    tail ??= openAgentTail(followed.folder);
    const bar = shownBar(page.bars, iteration, task);
    const said = tail.more(bar === null ? null : await followed.attempt(bar.iteration));
    return [...pageNews(page), ...(said === null ? [] : [eventText('agent', toJson(said))])];
  }

  return {
    news: async (nowMs) => [...(await overviewNews(nowMs)), ...(run === null ? [] : await runNews(run, nowMs))],
    [Symbol.dispose]: () => tail?.[Symbol.dispose](),
  };
}

/** JSON has no line break, so the data is one line. */
function eventText(event: string, data: string, id: string | null = null): string {
  return `${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
}
