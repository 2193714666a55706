import type { DayView, HistoryView } from '../view/page.ts';
import { duration, howKnown, money, percent, summedMoney } from './format.ts';
import { history } from './state.ts';

/** Days, gates and agents over all runs of the project. */
export function History() {
  const all = history.value;
  if (all === null) return <p class="empty">Adding up all runs…</p>;
  return (
    <div class="history">
      <Days days={all.days.slice(-30)} />
      <Gates gates={all.gates} />
      <Agents agents={all.agents} />
    </div>
  );
}

const CHART_HEIGHT = 120;

function Days({ days }: { readonly days: readonly DayView[] }) {
  const most = Math.max(1, ...days.map(({ claimed, proven }) => Math.max(claimed, proven)));
  const mostUsd = Math.max(0.01, ...days.map(({ cost_usd }) => cost_usd ?? 0));
  return (
    <section aria-labelledby="days-title">
      <h3 id="days-title">Results and cost by day</h3>
      <div class="days" role="img" aria-label={days.map(dayText).join('; ')}>
        {days.map((day) => (
          <div key={day.date} class="day" title={dayText(day)}>
            <div class="columns" style={{ height: `${CHART_HEIGHT}px` }}>
              <span class="proven" style={{ height: `${(100 * day.proven) / most}%` }} />
              <span class="refused" style={{ height: `${(100 * day.refused) / most}%` }} />
              <span class="cost" style={{ height: `${(100 * (day.cost_usd ?? 0)) / mostUsd}%` }} />
            </div>
            <span class="small dim">{day.date.slice(5)}</span>
          </div>
        ))}
      </div>
      <p class="legend dim small" aria-hidden="true">
        <span>
          <i class="swatch proven" />
          proven
        </span>
        <span>
          <i class="swatch red" />
          refused
        </span>
        <span>
          <i class="swatch cost" />
          cost, up to {money(mostUsd)}
        </span>
      </p>
    </section>
  );
}

function dayText({ date, proven, refused, cost_usd, ...known }: DayView): string {
  return `${date}: ${proven} proven, ${refused} refused, ${summedMoney(cost_usd, known)}`;
}

function Gates({ gates }: Pick<HistoryView, 'gates'>) {
  return (
    <section aria-labelledby="gates-title">
      <h3 id="gates-title">Gates</h3>
      <div class="scrolls">
        <table>
          <thead>
            <tr>
              <th scope="col">Command</th>
              <th scope="col">Ran</th>
              <th scope="col">Red</th>
              <th scope="col">Mean</th>
              <th scope="col">Slowest</th>
            </tr>
          </thead>
          <tbody>
            {gates.map(({ command, runs, red, mean_ms, slowest_ms }) => (
              <tr key={command}>
                <td>
                  <code class="untrusted">{command}</code>
                </td>
                <td>{runs}</td>
                <td class={red > 0 ? 'bad' : ''}>{percent(red / runs)}</td>
                <td>{seconds(mean_ms)}</td>
                <td>{seconds(slowest_ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const seconds = (ms: number) => (ms < 10_000 ? `${(ms / 1000).toFixed(1)}s` : duration(ms));

function Agents({ agents }: Pick<HistoryView, 'agents'>) {
  return (
    <section aria-labelledby="agents-title">
      <h3 id="agents-title">Agents</h3>
      <div class="scrolls">
        <table>
          <thead>
            <tr>
              <th scope="col">Agent</th>
              <th scope="col">Runs</th>
              <th scope="col">Proven</th>
              <th scope="col">Cost</th>
              <th scope="col">Per proven</th>
            </tr>
          </thead>
          <tbody>
            {agents.map(({ agent, model, runs, proven, results, cost_usd, cost_per_proven_usd, ...known }) => (
              <tr key={`${agent} ${model}`}>
                <td class="untrusted">{[agent, model].filter(Boolean).join(' ')}</td>
                <td>{runs}</td>
                <td>
                  {proven} of {results}
                </td>
                <td title={howKnown(known)}>{summedMoney(cost_usd, known)}</td>
                <td title={howKnown(known)}>{summedMoney(cost_per_proven_usd, known)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
