import type { FleetView } from '../../../report/views/fleet-view.ts';
import { chooseRun } from '../api.ts';
import { duration, money } from '../format.ts';
import { chosenRun, overview } from '../state.ts';

type PlanOfFleet = FleetView['plans'][number];

/** The fleets of the store, with `--store`: what the machines do together. Nothing is steered from here. */
export function Fleets() {
  const fleets = overview.value?.fleets;
  if (fleets === undefined) return null;
  return (
    <>
      {fleets.trouble === null ? null : <p class="empty untrusted">As last seen: {fleets.trouble}</p>}
      {fleets.seen.map((fleet) => (
        <Fleet key={fleet.fleet} fleet={fleet} />
      ))}
    </>
  );
}

function Fleet({ fleet: { fleet, mode, budget, at_work, workers, plans } }: { readonly fleet: FleetView }) {
  const { limit_usd, spent_usd, reserved_usd } = budget;
  return (
    <section class="panel fleet" aria-label={`Fleet ${fleet}`}>
      <h2>
        Fleet <span class="untrusted">{fleet}</span> <span class={`tag ${mode === 'running' ? 'open' : 'busy'}`}>{mode}</span>{' '}
        <span class="count">{at_work} at work</span>
      </h2>
      <p class="dim small">
        {money(spent_usd)} spent{limit_usd === null ? ', no limit' : ` of ${money(limit_usd)}, ${money(reserved_usd)} reserved`}
      </p>
      {plans.map((plan) => (
        <Plan key={plan.plan} plan={plan} />
      ))}
      <ul class="plain small">
        {workers.map(({ run, host, workers: count = 1, agent = '', state, silent_ms }) => (
          <li key={run} class="untrusted">
            {host} · <RunName run={run} /> · {count} x {agent} · {state === 'working' ? 'at work' : `${state} ${duration(silent_ms)} ago`}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A run whose journal was copied can be looked at. */
function RunName({ run }: { readonly run: string }) {
  if (!overview.value?.runs.some(({ run_id }) => run_id === run)) return <>{run}</>;
  return (
    <button type="button" class="link" aria-current={run === chosenRun.value ? 'true' : undefined} onClick={() => chooseRun(run)}>
      {run}
    </button>
  );
}

function Plan({ plan: { plan, base, counts, merging, held, left } }: { readonly plan: PlanOfFleet }) {
  return (
    <>
      <h3 class="untrusted">
        {plan} on {base}: {counts['done'] ?? 0} done, {held.length} in progress, {left.length} need you
      </h3>
      <table class="merges">
        <tbody>
          {merging === null ? null : <Row name="the merge seat" tag={merging.alive ? 'busy' : 'bad'} word="taken" text={merging.holder ?? ''} />}
          {held.map(({ task, holder, alive }) => (
            <Row key={task} name={task} tag={alive ? 'open' : 'bad'} word={alive ? 'in progress' : 'lost'} text={holder ?? ''} />
          ))}
          {left.map(({ task, state, question, changed, feedback }) => (
            <Row key={task} name={task} tag="busy" word={state} text={question ?? (changed.join(', ') || feedback)} />
          ))}
        </tbody>
      </table>
    </>
  );
}

interface RowProps {
  readonly name: string;
  readonly tag: string;
  readonly word: string;
  readonly text: string;
}

function Row({ name, tag, word, text }: RowProps) {
  return (
    <tr>
      <td class="untrusted">{name}</td>
      <td>
        <span class={`tag ${tag}`}>{word}</span>
      </td>
      <td class="untrusted">{text}</td>
    </tr>
  );
}
