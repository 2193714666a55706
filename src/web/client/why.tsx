import { useSignal } from '@preact/signals';
import { agentSaid, heldWhy } from '../../report/needs/agent-said.ts';
import type { GateView, IterationPage, ProofView, RunPage } from '../view/page.ts';
import { verdictOf } from '../view/shown.ts';
import { Ansi } from './ansi.tsx';
import { readDiff } from './api.ts';
import { exported } from './exported.ts';
import { clock, duration, money } from './format.ts';
import { STANDINGS } from './graph.tsx';
import { chosenIteration, chosenTask, evidence, page, shownIteration } from './state.ts';

/** Why the run, or the chosen task, is not done yet: the claim, and each proof with its output. */
export function Why() {
  const shown = page.value;
  if (shown === null) return null;
  const isMeant = ({ task }: { readonly task: string | null }) => chosenTask.value === null || task === chosenTask.value;
  const open = shown.report.not_proven.filter(isMeant);
  const proven = shown.report.proven.filter(isMeant);
  const isDone = open.length === 0 && proven.length > 0;
  return (
    <section class="panel why" aria-labelledby="why-title">
      <h2 id="why-title">
        {isDone ? 'Why it is done' : 'Why not done yet'} <span class="dim">{chosenTask.value ?? ''}</span>
        {chosenTask.value === null ? null : (
          <button type="button" class="quiet" onClick={showWholeRun}>
            Whole run
          </button>
        )}
      </h2>
      {isDone ? proven.slice(0, MOST_ITEMS).map((each) => <Proven key={each.task} item={each} />) : null}
      {open.slice(0, MOST_ITEMS).map((each) => (
        <Open key={each.task} item={each} />
      ))}
      {open.length > MOST_ITEMS ? <p class="dim">and {open.length - MOST_ITEMS} more</p> : null}
      {open.length + proven.length === 0 ? <Untouched /> : null}
      {evidence.value === null ? <NotInFile /> : <Evidence of={evidence.value} run={shown.run_id} />}
      <Diff run={shown.run_id} iteration={null} name="Changes of the run" />
    </section>
  );
}

/** A file has the evidence of the last iterations. */
function NotInFile() {
  const shown = shownIteration.value;
  if (exported === null || shown === null) return null;
  const has = Object.keys(exported.iterations).length;
  return (
    <p class="dim">
      The evidence of iteration {shown.iteration} is not in this file, which has that of the last {has}.
    </p>
  );
}

const MOST_ITEMS = 6;

function showWholeRun(): void {
  chosenTask.value = null;
  chosenIteration.value = null;
}

/** A task that this run has not begun. */
function Untouched() {
  const task = page.value?.tasks?.find(({ id }) => id === chosenTask.value);
  if (task === undefined) return null;
  const missing = task.needs.filter((need) => page.value?.tasks?.some(({ id, standing }) => id === need && standing !== 'complete'));
  return (
    <p class="verdict">
      <strong>{task.id}</strong> {missing.length === 0 ? `is ${STANDINGS[task.standing]}` : `waits for ${missing.join(', ')}`}
    </p>
  );
}

function Proven({ item: { task, level, commit } }: { readonly item: RunPage['report']['proven'][number] }) {
  const how = [level === null ? '' : `level ${level}`, commit === null ? '' : `commit ${commit.slice(0, 7)}`].filter(Boolean).join(', ');
  return (
    <p class="verdict good">
      <strong>{task ?? 'The run'}</strong> is proven{how === '' ? '' : ` (${how})`}
    </p>
  );
}

function Open({ item: { task, state, why, agent_said, waits_for_a_person } }: { readonly item: RunPage['report']['not_proven'][number] }) {
  const tone = state === 'running' ? 'open' : waits_for_a_person || state === 'unchecked' ? 'busy' : 'bad';
  const said = agentSaid(agent_said, why);
  return (
    <p class={`verdict ${tone}`}>
      <strong>{task ?? 'The run'}</strong> {STATES[state] ?? state}
      {why === '' || state === 'running' ? '' : <span class="untrusted">: {heldWhy(why)}</span>}
      {said === null ? null : <span class="untrusted dim"> {said}</span>}
    </p>
  );
}

const STATES: Readonly<Record<string, string>> = {
  running: 'is being worked on',
  open: 'is not begun',
  asks: 'asks you',
  held: 'is held for you',
  unproven: 'was claimed, but not proven',
  unfinished: 'is not finished',
  interrupted: 'was interrupted',
  unchecked: 'is unchecked',
  conflict: 'cannot be merged',
};

function Evidence({ of, run }: { readonly of: IterationPage; readonly run: string }) {
  const { to, ...bar } = page.value?.bars.find(({ iteration }) => iteration === of.iteration) ?? { ...of, proven: false, asks: false };
  const verdict = verdictOf({ ...bar, to });
  return (
    <div class="evidence">
      <h3>
        Iteration {of.iteration}
        {of.attempt === null ? '' : <span class="dim small"> attempt {of.attempt}</span>}{' '}
        <span class={`tag ${verdict}`}>{verdict === 'open' ? 'at work' : verdict === 'asks' ? 'asks you' : verdict}</span>
        <span class="dim small">
          {to === null ? `since ${clock(of.from)}` : duration(to - of.from)}
          {of.cost_usd === null ? '' : ` · ${money(of.cost_usd)}`}
        </span>
      </h3>
      {of.claim === null ? null : (
        <p>
          <span class="dim">Claim{of.claim_attempt === null || of.claim_attempt === of.attempt ? '' : ` of attempt ${of.claim_attempt}`}</span>{' '}
          <q class="untrusted">{of.claim}</q>
        </p>
      )}
      {of.proofs.length === 0 ? <p class="dim">Nothing was judged yet.</p> : null}
      {of.proofs.map((proof) => (
        <Proof key={`${proof.at} ${proof.where}`} proof={proof} />
      ))}
      {of.attempts.filter(({ verdict: how }) => how !== 'ok').length === 0 ? null : <Failures attempts={of.attempts} />}
      <Notes name="Reverted" texts={of.restored} />
      <Notes name="Refused" texts={of.refused} />
      <Notes name="Refused by the sandbox" texts={of.sandbox} />
      {of.has_changes ? <Diff run={run} iteration={of.iteration} name="Changes of this iteration" /> : null}
    </div>
  );
}

function Proof({ proof: { at, where, green, reason, gates } }: { readonly proof: ProofView }) {
  return (
    <div class="proof">
      <p>
        <span class={green ? 'good' : 'bad'}>{green ? '✓' : '✗'}</span> {where} <span class="dim small">{clock(at, true)}</span>
      </p>
      {reason === '' ? null : <p class="untrusted bad">{reason}</p>}
      {gates.map((gate) => (
        <Gate key={gate.command} gate={gate} />
      ))}
    </div>
  );
}

function Gate({ gate: { command, green, flaky, ending, duration_ms, ansi } }: { readonly gate: GateView }) {
  return (
    <details class={`gate ${green ? 'green' : 'red'}`} open={!green}>
      <summary>
        <span class={green ? 'good' : 'bad'}>{green ? '✓' : '✗'}</span> <code class="untrusted">{command}</code>
        <span class="dim small">
          {flaky ? 'flaky · ' : ''}
          {green ? '' : `${ending} · `}
          {(duration_ms / 1000).toFixed(1)}s
        </span>
      </summary>
      <pre class="untrusted">{ansi === '' ? <span class="dim">no output</span> : <Ansi text={ansi} />}</pre>
    </details>
  );
}

function Failures({ attempts }: Pick<IterationPage, 'attempts'>) {
  return (
    <ul class="plain">
      {attempts
        .filter(({ verdict }) => verdict !== 'ok')
        .map(({ attempt, role, verdict, why }) => (
          <li key={attempt} class="bad untrusted">
            Attempt {attempt} ({role}) {verdict}: {why}
          </li>
        ))}
    </ul>
  );
}

function Notes({ name, texts }: { readonly name: string; readonly texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <div>
      <h4>{name}</h4>
      <ul class="notes">
        {texts.map((text) => (
          <li key={text} class="untrusted">
            {text}
          </li>
        ))}
      </ul>
    </div>
  );
}

const MOST_LINES = 3000;

interface DiffProps {
  readonly run: string;
  /** Null: the whole run. */
  readonly iteration: number | null;
  readonly name: string;
}

function Diff({ run, iteration, name }: DiffProps) {
  const patch = useSignal<{ readonly of: string; readonly text: string } | null>(null);
  const of = `${run} ${iteration}`;
  const read = async () => {
    patch.value = { of, text: 'Reading…' };
    patch.value = { of, text: await readDiff(run, iteration) };
  };
  const shown = patch.value?.of === of ? patch.value.text : null;
  const lines = shown?.split('\n') ?? [];
  return (
    <details class="diff" key={of} onToggle={(event) => event.currentTarget.open && void read()}>
      <summary>{name}</summary>
      {shown === null ? null : (
        <pre class="untrusted">
          {shown === '' ? 'Nothing is changed.' : null}
          {lines.slice(0, MOST_LINES).map((line, index) => (
            <span key={index} class={lineClass(line)}>{`${line}\n`}</span>
          ))}
          {lines.length > MOST_LINES ? <span class="dim">… {lines.length - MOST_LINES} more lines are not shown.</span> : null}
        </pre>
      )}
    </details>
  );
}

function lineClass(line: string): string {
  if (/^(diff |index |--- |\+\+\+ )/.test(line)) return 'dim';
  if (line.startsWith('@@')) return 'accent';
  return line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : '';
}
