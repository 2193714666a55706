import type { QuotaView } from '../view/page.ts';
import { clock, howKnown, percent, summedMoney } from './format.ts';
import { connection, overview } from './state.ts';

/** The top: what is proven today, what it costs, and how much of each account is left. */
export function Strip() {
  const now = overview.value;
  const today = now?.today;
  return (
    <header class="strip">
      <div class="brand">
        <img src="/assets/icon.svg" alt="" width="26" height="26" />
        <div>
          <h1>Ralph</h1>
          <p class="dim ellipsis">{now?.project ?? ''}</p>
        </div>
      </div>
      <dl class="figures">
        <Figure name="Proven" value={`${today?.proven ?? 0}`} tone="good" />
        <Figure name="Claimed" value={`${today?.claimed ?? 0}`} />
        <Figure name="Refused" value={`${today?.refused ?? 0}`} tone={today?.refused ? 'bad' : ''} />
        {today === undefined ? null : (
          <>
            <Figure name="Cost today" value={summedMoney(today.cost_usd, today)} title={howKnown(today)} />
            <Figure name="Per proven" value={summedMoney(today.cost_per_proven_usd, today)} title={howKnown(today)} />
          </>
        )}
      </dl>
      <div class="quotas">
        {now?.quota.map((window) => (
          <Quota key={`${window.account} ${window.window}`} window={window} />
        ))}
      </div>
      <Light />
    </header>
  );
}

function Figure({ name, value, tone = '', title = '' }: { readonly name: string; readonly value: string; readonly tone?: string; readonly title?: string }) {
  return (
    <div class="figure" title={title || undefined}>
      <dt>{name}</dt>
      <dd class={value === '0' || value === '–' ? 'dim' : tone}>{value}</dd>
    </div>
  );
}

function Quota({ window: { account, window, used, resets_at, rejected, burn, fits_until } }: { readonly window: QuotaView }) {
  const share = rejected ? 1 : (used ?? 0);
  const until = resets_at === null ? '' : ` until ${clock(resets_at)}`;
  const fits = fits_until === null ? '' : `, fits until ${clock(fits_until)}`;
  const text = rejected ? `used up${until}` : used === null ? `in use${until}` : `${percent(used)} used${fits || until}`;
  return (
    <div class="quota">
      <span class="ellipsis">
        {account} <span class="dim">{window.replaceAll('_', ' ')}</span>
      </span>
      <span class="meter" role="meter" aria-label={`${account} ${window}`} aria-valuenow={Math.round(share * 100)} aria-valuemin={0} aria-valuemax={100}>
        <span class={share > 0.9 ? 'bad' : share > 0.7 ? 'busy' : 'good'} style={{ width: `${Math.min(100, share * 100)}%` }} />
      </span>
      <span class={`small ellipsis ${fits_until === null ? 'dim' : 'bad'}`} title={`${text}${fits === '' ? '' : `; reset${until}`}`}>
        {text}
      </span>
      <Burn burn={burn} />
    </div>
  );
}

const [BURN_WIDTH, BURN_HEIGHT] = [110, 14];

/** How the used share grew. */
function Burn({ burn }: Pick<QuotaView, 'burn'>) {
  const [first, last] = [burn[0], burn.at(-1)];
  if (first === undefined || last === undefined || last.at === first.at) return null;
  const x = (at: number) => (BURN_WIDTH * (at - first.at)) / (last.at - first.at);
  const y = (used: number) => BURN_HEIGHT - 1 - (BURN_HEIGHT - 2) * Math.min(1, used);
  return (
    <svg class="burn" width={BURN_WIDTH} height={BURN_HEIGHT} viewBox={`0 0 ${BURN_WIDTH} ${BURN_HEIGHT}`} aria-hidden="true">
      <polyline points={burn.map(({ at, used }) => `${x(at).toFixed(1)},${y(used).toFixed(1)}`).join(' ')} />
    </svg>
  );
}

const LIGHTS = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Not connected: what you see may be old',
  exported: 'An exported run',
  refused: 'Open the address that ralph ui has printed',
} as const;

function Light() {
  const now = connection.value;
  return (
    <p class={`light ${now}`} role="status">
      {overview.value?.read_only ? <span class="tag">read only</span> : null}
      <i aria-hidden="true" />
      {LIGHTS[now]}
    </p>
  );
}
