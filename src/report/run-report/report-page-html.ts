import { agentSaid } from '../needs/agent-said.ts';
import { type Html, html } from './html.ts';
import { timelinePicture } from './html-timeline.ts';
import {
  agentTable,
  factsOf,
  notBegunTexts,
  notProvenTitle,
  provenTable,
  refusedTexts,
  standingText,
  type Table,
  taskTable,
  timelineTable,
  type When,
} from './report-tables.ts';
import type { NotProvenView, RunReport } from './report-view.ts';

const STYLE = `:root{color-scheme:light dark;--text:#1c1e21;--dim:#63676d;--back:#fff;--box:#f4f5f6;--line:#d9dce0;--good:#1a7f37;--bad:#c8313c;--busy:#9a6700}
@media(prefers-color-scheme:dark){:root{--text:#e4e6e9;--dim:#9aa0a8;--back:#15171a;--box:#1f2226;--line:#363b42;--good:#4cc26a;--bad:#ff7b72;--busy:#d8a838}}
body{margin:2rem auto;max-width:70rem;padding:0 1rem;font:15px/1.5 system-ui,sans-serif;color:var(--text);background:var(--back)}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem;border-bottom:1px solid var(--line)}h3{font-size:1rem}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.25rem .6rem .25rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
th,dt,.axis,.time{color:var(--dim);fill:var(--dim)}.axis{font-size:13px}.end{text-anchor:end}.time{white-space:nowrap}
pre{background:var(--box);padding:.7rem;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem}dd{margin:0;overflow-wrap:anywhere}
.good{color:var(--good)}.bad{color:var(--bad)}.busy{color:var(--busy)}svg{width:100%;height:auto;background:var(--box)}
rect{fill:var(--dim)}rect.green{fill:var(--good)}rect.red,rect.failed{fill:var(--bad)}rect.abandoned,rect.open{fill:var(--busy)}`;

/** One file without a script and without anything from elsewhere. The policy forbids the rest, should an escape ever be missing. */
export function reportPageHtml(report: RunReport, when: When): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>ralph ${report.recipe}: ${report.title}</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
<h1>ralph ${report.recipe}: ${report.title}</h1>
<p class="${report.status === 'running' ? 'busy' : report.done ? 'good' : 'bad'}">${standingText(report, when)}</p>
<dl>${[['Run', report.run_id] as const, ...factsOf(report, when)].map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>
${section(`Proven (${report.proven.length})`, tableOf(provenTable(report, when)))}
${section(
  `Not proven (${report.not_proven.length})`,
  report.not_proven.map((item) => itemOf(report, item)),
)}
${section(`Not begun (${report.totals.not_begun})`, listOf(notBegunTexts(report)))}
${section('Questions', listOf(report.questions.map(({ task, text }) => (task === null ? text : `${task}: ${text}`))))}
${section(
  'What to do next',
  report.next.map(({ command, why }) => html`<p>${why}</p><pre>${command}</pre>`),
)}
${section('Refused changes', listOf(refusedTexts(report)))}
${section('Cost, time and tokens', [...tableOf(taskTable(report)), ...tableOf(agentTable(report))])}
${section('Timeline', [timelinePicture(report, when), ...entriesOf(report, when)])}
</body>
</html>
`.markup;
}

/** Only for a constant of this file. */
const trusted = (markup: string): Html => ({ markup });

function section(heading: string, content: readonly Html[]): Html {
  return content.length === 0 ? html`` : html`<section><h2>${heading}</h2>${content}</section>`;
}

function tableOf({ head, rows }: Table): readonly Html[] {
  if (rows.length === 0) return [];
  return [
    html`<table><thead><tr>${head.map((cell) => html`<th>${cell}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table>`,
  ];
}

function listOf(texts: readonly string[]): readonly Html[] {
  return texts.length === 0 ? [] : [html`<ul>${texts.map((text) => html`<li>${text}</li>`)}</ul>`];
}

const WHERE = { workspace: '', clean: ' in a clean copy', merged: ' on the merged result' } as const;

function itemOf(report: RunReport, item: NotProvenView): Html {
  const red = item.red.map(
    ({ command, ending, where, lines }) =>
      html`<p class="bad">Red${WHERE[where]}: ${command} (${ending})</p><pre>${lines.trim() === '' ? 'It printed nothing.' : lines}</pre>`,
  );
  const said = agentSaid(item.agent_said, item.why);
  return html`<h3>${notProvenTitle(report, item)}</h3><p>${item.why}</p>${said === null ? [] : [html`<p>${said}</p>`]}${red}`;
}

const MOST_ENTRIES = 500;

function entriesOf(report: RunReport, when: When): readonly Html[] {
  const { leftOut } = timelineTable(report, when, MOST_ENTRIES);
  const rows = report.timeline.map(
    ({ at, task, text, tone }) => html`<tr><td class="time">${when(at)}</td><td>${task ?? ''}</td><td class="${tone}">${text}</td></tr>`,
  );
  return [leftOut === 0 ? html`` : html`<p>${leftOut} entries in between are left out.</p>`, html`<table><tbody>${rows}</tbody></table>`];
}
