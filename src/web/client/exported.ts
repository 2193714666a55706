import type { AgentEntry, ExportedRun, RunPage } from '../view/page.ts';

/** The run that `ralph ui --export` has written into this very page; null: there is a server to ask. */
export const exported: ExportedRun | null = exportedHere();

function exportedHere(): ExportedRun | null {
  const text = document.getElementById('exported')?.textContent;
  return text ? (JSON.parse(text) as ExportedRun) : null;
}

/** The last exported moment that is not later. */
export function momentOf({ moments }: ExportedRun, seq: number): RunPage | null {
  return moments.findLast((moment) => moment.seq <= seq) ?? moments[0] ?? null;
}

export function agentOf({ agents }: ExportedRun, iteration: number | null): { readonly attempt: string; readonly entries: readonly AgentEntry[] } {
  return agents[iteration ?? 0] ?? { attempt: '', entries: [] };
}
