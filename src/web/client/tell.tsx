import { useSignal } from '@preact/signals';
import type { Instruction } from '../../journal/words/instruction.ts';
import type { RequestView, RunPage } from '../view/page.ts';
import { act } from './api.ts';
import { clock, money } from './format.ts';
import { busy, chosenTask, overview, page, pastPage } from './state.ts';

/** What a person tells the run about the chosen task or as a whole, and what became of everything that was told before. */
export function Tell() {
  const shown = page.value;
  if (shown === null) return null;
  const mayTell = overview.value?.read_only === false && pastPage.value === null && shown.can.includes('note');
  if (!mayTell && shown.requests.length === 0) return null;
  const told = shown.sent.length + shown.requests.length;
  return (
    <details class="panel tell">
      <summary>
        <h2>
          Tell the run <span class="count">{told}</span>
        </h2>
      </summary>
      {mayTell ? <Form shown={shown} /> : null}
      <Requests shown={shown} />
    </details>
  );
}

const WAITING: ReadonlySet<string> = new Set(['failed', 'conflict', 'parked', 'blocked']);

function Form({ shown: { run_id: run, can, agents, tasks, cost_limit_usd } }: { readonly shown: RunPage }) {
  const text = useSignal('');
  const agent = useSignal('');
  const task = chosenTask.value;
  const standing = tasks?.find(({ id }) => id === task)?.standing;
  const words = text.value.trim();
  const tell = async (instruction: Instruction) => {
    if (await act({ kind: 'instruct', run, instruction })) text.value = '';
  };
  const retry: Instruction = { kind: 'again', task, text: words === '' ? null : words, agent: agent.value === '' ? null : agent.value };
  const isRetry = task === null ? agent.value !== '' : standing !== undefined && WAITING.has(standing);
  return (
    <div class="tell-form">
      <label for="note">
        A note for the next prompt <strong class="untrusted">{task === null ? '' : `of ${task}`}</strong>
      </label>
      <textarea id="note" rows={2} value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
      <div class="actions">
        <button type="button" class="primary" disabled={busy.value || words === ''} onClick={() => void tell({ kind: 'note', task, text: words })}>
          Leave the note
        </button>
        {agents.length > 1 ? (
          <select aria-label="Agent" value={agent.value} onChange={(event) => (agent.value = event.currentTarget.value)}>
            <option value="">usual agent</option>
            {agents.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        ) : null}
        {isRetry ? (
          <button type="button" disabled={busy.value} onClick={() => void tell(retry)}>
            {task === null ? 'Use this agent' : 'Try again'}
          </button>
        ) : null}
        {task !== null && can.includes('skip') && standing !== 'complete' && standing !== 'blocked' ? (
          <button type="button" disabled={busy.value} onClick={() => void tell({ kind: 'skip', task })}>
            Skip {task}
          </button>
        ) : null}
      </div>
      <Budget limit={cost_limit_usd} tell={tell} />
    </div>
  );
}

function Budget({ limit, tell }: { readonly limit: number | null; readonly tell: (instruction: Instruction) => Promise<void> }) {
  const text = useSignal('');
  const usd = Number(text.value);
  return (
    <form
      class="actions"
      onSubmit={(event) => {
        event.preventDefault();
        if (usd > 0) void tell({ kind: 'budget', usd }).then(() => (text.value = ''));
      }}
    >
      <label for="budget">Cost limit in all, now {limit === null ? 'none' : money(limit)}</label>
      <input id="budget" type="number" min="0.01" step="any" value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
      <button type="submit" disabled={busy.value || !(usd > 0)}>
        Set
      </button>
    </form>
  );
}

function Requests({ shown: { sent, requests } }: { readonly shown: RunPage }) {
  return (
    <ul class="plain requests">
      {sent.map(({ at, by, text }) => (
        <Request key={`sent ${at} ${text}`} at={at} by={by} text={text} state="sent" />
      ))}
      {requests.map(({ at, by, text, applied_at }: RequestView) => (
        <Request key={`${at} ${text}`} at={at} by={by} text={text} state={applied_at === null ? 'seen' : 'applied'} />
      ))}
    </ul>
  );
}

const TONES = { sent: 'busy', seen: 'open', applied: 'good' } as const;

function Request({ at, by, text, state }: { readonly at: number; readonly by: string; readonly text: string; readonly state: keyof typeof TONES }) {
  return (
    <li>
      <span class={`tag ${TONES[state]}`}>{state}</span> <span class="untrusted">{text}</span>{' '}
      <span class="dim small untrusted">
        {by} · {clock(at, true)}
      </span>
    </li>
  );
}
