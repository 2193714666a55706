import { useLayoutEffect, useRef } from 'preact/hooks';
import type { AgentEntry } from '../view/page.ts';
import { Ansi } from './ansi.tsx';
import { exported } from './exported.ts';
import { agent, isAlive, shownIteration } from './state.ts';

interface Block {
  readonly entry: AgentEntry;
  /** Of a tool call. */
  readonly result: AgentEntry | null;
}

/** A tool call and its result are one block. */
function blocksOf(entries: readonly AgentEntry[]): readonly Block[] {
  const blocks: { entry: AgentEntry; result: AgentEntry | null }[] = [];
  for (const entry of entries) {
    const open = entry.kind === 'result' ? blocks.find((block) => isCallOf(block, entry)) : undefined;
    if (open !== undefined) open.result = entry;
    else blocks.push({ entry, result: null });
  }
  return blocks;
}

/** An agent may make several calls at a time, and their results come in any order. One without ids gets them in the order of its calls. */
const isCallOf = ({ entry, result }: Block, { id }: AgentEntry) => entry.kind === 'tool' && result === null && entry.id === id;

const NOTHING: { readonly attempt: string; readonly entries: readonly AgentEntry[] } = { attempt: '', entries: [] };

/** What the agent says and does, as it does it. Stays at the end unless somebody scrolls up. */
export function AgentStream() {
  const shown = shownIteration.value;
  const isShown = shown !== null && agent.value.attempt.startsWith(`${shown.iteration}.`);
  const { attempt, entries } = isShown ? agent.value : NOTHING;
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    if (isAtEnd.current && entries.length > 0 && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [entries]);
  const isLive = isAlive.value && shown?.to === null;
  return (
    <section class="panel agent" aria-labelledby="agent-title">
      <h2 id="agent-title">
        Agent <span class="dim small">{attempt === '' ? '' : `attempt ${attempt}`}</span>
        {isLive && attempt !== '' ? <span class="pulse" aria-hidden="true" /> : null}
      </h2>
      <div
        class="stream"
        ref={box}
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label="What the agent says"
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < 30;
        }}
      >
        {entries.length === 0 ? <p class="empty">{emptyText(attempt, shown?.iteration ?? 0)}</p> : null}
        {blocksOf(entries).map((block, index) => (
          <Said key={index} block={block} />
        ))}
      </div>
    </section>
  );
}

function emptyText(attempt: string, iteration: number): string {
  if (exported !== null && iteration > 0 && exported.agents[iteration] === undefined) return 'What it said is not in this file.';
  if (attempt !== '') return 'It has said nothing yet.';
  return iteration > 0 ? 'No agent has worked in this iteration.' : 'No agent has worked yet.';
}

function Said({ block: { entry, result } }: { readonly block: Block }) {
  if (entry.kind !== 'tool')
    return (
      <p class={`said ${entry.kind} untrusted`}>
        <Ansi text={entry.ansi} />
      </p>
    );
  const tone = result === null ? 'busy' : result.ok ? 'good' : 'bad';
  return (
    <details class="tool">
      <summary>
        <span class={tone} aria-hidden="true">
          ●
        </span>{' '}
        <strong class="untrusted">{entry.name}</strong> <span class="dim untrusted">{entry.ansi}</span>
      </summary>
      <pre class="untrusted">{result === null ? 'No result yet.' : <Ansi text={result.ansi || 'no output'} />}</pre>
    </details>
  );
}
