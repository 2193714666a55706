import { useSignal } from '@preact/signals';
import { agentSaid, heldWhy } from '../../report/needs/agent-said.ts';
import type { NeedItem } from '../view/page.ts';
import { act, chooseRun } from './api.ts';
import { duration, shortRun } from './format.ts';
import { busy, chosenTask, nowMs, overview } from './state.ts';

const WORDS: Readonly<Record<NeedItem['kind'], string>> = {
  question: 'Question',
  held: 'Held claim',
  login: 'Logged out',
  budget: 'Budget',
  dead: 'Dead check',
  conflict: 'Conflict',
  failed: 'Failed',
  stuck: 'Stuck',
  kept: 'Kept',
};

/** The only part that calls for attention: what waits for a person, the most urgent first. */
export function Needs() {
  const needs = overview.value?.needs ?? [];
  return (
    <section class={`panel needs ${needs.length > 0 ? 'calls' : ''}`} aria-labelledby="needs-title">
      <h2 id="needs-title">
        Needs you <span class={needs.length > 0 ? 'count busy' : 'count'}>{needs.length}</span>
      </h2>
      {needs.length === 0 ? (
        <p class="empty">{overview.value?.fleets === undefined ? 'Nobody waits for you.' : 'No run of this machine waits for you.'}</p>
      ) : null}
      <ul class="plain">
        {needs.map((need) => (
          <Need key={need.key} need={need} />
        ))}
      </ul>
    </section>
  );
}

function Need({ need }: { readonly need: NeedItem }) {
  const { run_id, task, kind, text, said, since, can, command } = need;
  const words = agentSaid(said, text);
  const show = () => {
    chooseRun(run_id);
    chosenTask.value = task;
  };
  const isReadOnly = overview.value?.read_only ?? true;
  return (
    <li class="need">
      <button type="button" class="need-head" onClick={show}>
        <span class={`tag ${kind}`}>{WORDS[kind]}</span>
        <strong class="ellipsis">{task ?? `run ${shortRun(run_id)}`}</strong>
        <span class="dim small age">{duration(nowMs.value - since)}</span>
      </button>
      <p class="need-text untrusted">{heldWhy(text)}</p>
      {words === null ? null : <p class="need-text dim untrusted">{words}</p>}
      {can === 'answer' && !isReadOnly ? <Words need={need} label="Your answer about" button="Answer" send={answerTo(need)} /> : null}
      {can === 'accept' && !isReadOnly ? <Approve need={need} /> : null}
      {can === 'retry' && !isReadOnly ? (
        <Words need={need} label="What the next agent should know about" button="Try again" send={tryAgain(need)} mayBeEmpty />
      ) : null}
      {can === 'budget' && !isReadOnly ? <Raise need={need} /> : null}
      {can === 'resume' && !isReadOnly ? (
        <button type="button" class="primary" disabled={busy.value} onClick={() => void act({ kind: 'resume', run: run_id })}>
          Continue the run
        </button>
      ) : null}
      {can === null || isReadOnly ? <code class="command">{command}</code> : null}
    </li>
  );
}

type Send = (text: string) => Promise<boolean>;

const answerTo =
  ({ run_id: run, task }: NeedItem): Send =>
  (text) =>
    act({ kind: 'answer', run, task, text });

const tryAgain =
  ({ run_id: run, task }: NeedItem): Send =>
  (text) =>
    act({ kind: 'instruct', run, instruction: { kind: 'again', task, text: text === '' ? null : text, agent: null } });

/** A held claim passes, or goes back with what should be different. */
function Approve({ need }: { readonly need: NeedItem }) {
  const isRefusing = useSignal(false);
  return (
    <>
      <div class="actions">
        <button type="button" class="primary" disabled={busy.value} onClick={() => void act({ kind: 'accept', run: need.run_id, task: need.task })}>
          Accept the claim
        </button>
        <button type="button" aria-expanded={isRefusing.value} onClick={() => (isRefusing.value = !isRefusing.value)}>
          Request changes…
        </button>
      </div>
      {isRefusing.value ? <Words need={need} label="What should be different about" button="Send it back" send={tryAgain(need)} /> : null}
    </>
  );
}

/** In dollars, for the run in all. */
function Raise({ need: { run_id: run } }: { readonly need: NeedItem }) {
  const text = useSignal('');
  const usd = Number(text.value);
  const submit = (event: Event) => {
    event.preventDefault();
    if (usd > 0) void act({ kind: 'instruct', run, instruction: { kind: 'budget', usd } });
  };
  const id = `raise-${run}`;
  return (
    <form class="actions" onSubmit={submit}>
      <label for={id}>New cost limit in all, in dollars</label>
      <input id={id} type="number" min="0.01" step="any" value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
      <button type="submit" class="primary" disabled={busy.value || !(usd > 0)}>
        Raise
      </button>
    </form>
  );
}

interface WordsProps {
  readonly need: NeedItem;
  readonly label: string;
  readonly button: string;
  readonly send: Send;
  readonly mayBeEmpty?: boolean;
}

function Words({ need: { task, key }, label, button, send, mayBeEmpty = false }: WordsProps) {
  const text = useSignal('');
  const submit = async (event: Event) => {
    event.preventDefault();
    const words = text.value.trim();
    if ((words !== '' || mayBeEmpty) && (await send(words))) text.value = '';
  };
  const id = `words-${key}`;
  return (
    <form class="answer" onSubmit={(event) => void submit(event)}>
      <label class="hidden" for={id}>
        {label} {task ?? 'the run'}
      </label>
      <textarea
        id={id}
        rows={2}
        placeholder={`${label} ${task ?? 'the run'}…`}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit(event);
        }}
      />
      <button type="submit" class="primary" disabled={busy.value || (!mayBeEmpty && text.value.trim() === '')}>
        {button}
      </button>
    </form>
  );
}
