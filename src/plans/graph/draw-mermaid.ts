import { truncateCodePoints } from '../../kit/pure/truncate-code-points.ts';
import type { Plan } from '../../journal/words/plan.ts';
import type { Standings } from './standing.ts';
import { allStandings, looks } from './standing-looks.ts';

const LONGEST_LABEL = 60;

/** The plan as a Mermaid flowchart. Tasks are named by their place in the plan, since ids may be words of Mermaid's own. */
export function drawMermaid(plan: Plan, standings: Standings): string {
  const names = new Map(plan.tasks.map((task, index) => [task.id, `n${index}`]));
  const nodes = plan.tasks.map((task) => {
    const label = [task.id, task.title].map(escaped).filter((text) => text !== '');
    return `  ${names.get(task.id)}["${label.join('<br/>') || names.get(task.id)}"]:::${standings.get(task.id) ?? 'waiting'}`;
  });
  const edges = plan.tasks.flatMap((task) =>
    [...new Set(task.needs)].flatMap((need) => (names.has(need) ? [`  ${names.get(need)} --> ${names.get(task.id)}`] : [])),
  );
  const classes = allStandings.map((standing) => `  classDef ${standing} fill:${looks[standing].fill},stroke:${looks[standing].stroke},color:#212529`);
  return `${['flowchart LR', ...nodes, ...edges, ...classes].join('\n')}\n`;
}

/** All but letters, digits and a few signs become entities: quotes would end the label, and Mermaid reads directives anywhere. */
function escaped(text: string): string {
  const line = truncateCodePoints(text.replaceAll(/[\s\p{C}]+/gu, ' ').trim(), LONGEST_LABEL, '…');
  return line.replaceAll(/[^\p{L}\p{M}\p{N} .,_…-]/gu, (sign) => `#${sign.codePointAt(0)};`);
}
