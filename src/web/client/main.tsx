import { effect } from '@preact/signals';
import { type ComponentType, render } from 'preact';
import { AgentStream } from './agent.tsx';
import { followEvidence, followHistory, followServer } from './api.ts';
import { Board } from './board.tsx';
import { Fleets } from './fleet/fleet.tsx';
import { followGraph, Graph } from './graph.tsx';
import { History } from './history.tsx';
import { Merges } from './merges.tsx';
import { Needs } from './needs.tsx';
import { RunHead } from './run-head.tsx';
import { Runs } from './runs.tsx';
import { Scrubber } from './scrubber.tsx';
import { chosenRun, connection, notice, nowMs, overview, TABS, type Tab, tab } from './state.ts';
import { Strip } from './strip.tsx';
import { Tell } from './tell.tsx';
import { Timeline } from './timeline.tsx';
import { Why } from './why.tsx';

const VIEWS: Readonly<Record<Tab, ComponentType>> = { timeline: Timeline, graph: Graph, board: Board, merges: Merges, history: History };

function Page() {
  const View = VIEWS[tab.value];
  return (
    <>
      <a class="skip" href="#centre">
        Skip to the run
      </a>
      <Strip />
      <div class={connection.value === 'lost' || connection.value === 'refused' ? 'body old' : 'body'}>
        <nav class="left" aria-label="What needs you, and all runs">
          <Needs />
          <Runs />
        </nav>
        <main class="centre" id="centre" tabIndex={-1}>
          <Fleets />
          <RunHead />
          <Tabs />
          <div class="panel view" role="tabpanel" id="view" aria-labelledby={`tab-${tab.value}`}>
            <View />
          </div>
          <Scrubber />
        </main>
        <aside class="right" aria-label="Evidence and agent">
          <Why />
          <Tell />
          <AgentStream />
        </aside>
      </div>
      <Notice />
    </>
  );
}

function Tabs() {
  const move = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    const at = TABS.findIndex(({ id }) => id === tab.value);
    tab.value = TABS[(at + by + TABS.length) % TABS.length]?.id ?? 'timeline';
    document.getElementById(`tab-${tab.value}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label="Views of the run" onKeyDown={move}>
      {TABS.map(({ id, name }) => (
        <button
          key={id}
          id={`tab-${id}`}
          type="button"
          role="tab"
          aria-selected={tab.value === id}
          aria-controls="view"
          tabIndex={tab.value === id ? 0 : -1}
          onClick={() => (tab.value = id)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

function Notice() {
  const said = notice.value;
  return (
    <div class={`notice ${said === null ? '' : 'shown'} ${said?.isBad ? 'bad' : ''}`} role="status">
      {said === null ? null : (
        <>
          <span class="untrusted">{said.text}</span>
          <button type="button" aria-label="Close" onClick={() => (notice.value = null)}>
            ×
          </button>
        </>
      )}
    </div>
  );
}

/** The address keeps the chosen run and view, so that a reload shows the same. The key is not in it any more: a cookie has it. */
function followAddress(): void {
  const words = new URLSearchParams(location.hash.slice(1));
  const [run, wanted] = [words.get('run'), words.get('tab')];
  if (run !== null) chosenRun.value = run;
  tab.value = TABS.find(({ id }) => id === wanted)?.id ?? 'timeline';
  effect(() => {
    const now = new URLSearchParams({ ...(chosenRun.value !== null && { run: chosenRun.value }), tab: tab.value });
    history.replaceState(null, '', `${location.pathname}#${now}`);
  });
}

followAddress();
followServer();
followEvidence();
followHistory();
followGraph();
effect(() => {
  const needs = overview.value?.needs.length ?? 0;
  document.title = `${needs > 0 ? `(${needs}) ` : ''}Ralph ${overview.value?.project ?? ''}`;
});
setInterval(() => {
  // Without a connection nobody knows whether time still runs for a run.
  if (!document.hidden && connection.value === 'live') nowMs.value = Date.now();
}, 1000);
const root = document.getElementById('page');
if (root !== null) render(<Page />, root);
