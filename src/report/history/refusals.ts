import type { EventBody } from '../../journal/events/journal-event.ts';
import { type EventTable, lookUp } from '../../journal/events/recipe-events.ts';
import type { Moment } from './items.ts';

/** Something that an agent, git or a person did and Ralph did not let stand. The text is untrusted. */
export interface Refusal {
  readonly kind: 'protected' | 'plan' | 'commit' | 'spec' | 'sandbox';
  /** Null: the run as a whole. */
  readonly iteration: number | null;
  readonly item: string;
  readonly text: string;
}

const SANDBOX = {
  network: 'no connection to',
  write: 'no write:',
  planted: 'reverted an unexpected change to',
  history: 'reverted a change of the history:',
} as const;

export function refusalsIn({ event: { body }, item }: Moment): readonly Refusal[] {
  const iteration = 'iteration' in body ? body.iteration : null;
  return (lookUp(REFUSED, body) ?? []).map(([kind, text]) => ({ kind, iteration, item, text }));
}

const REFUSED: EventTable<[], readonly (readonly [Refusal['kind'], string])[]> = {
  'paths.restored': ({ paths }) => reverted(paths),
  'plan.settled': ({ restored, refused }) => [...reverted(restored), ...refused.map((text) => ['plan', text] as const)],
  'stories.settled': ({ undone, refused }) => [
    ...undone.map((path) => ['protected', `reverted ${path}`] as const),
    ...refused.map((text) => ['plan', text] as const),
  ],
  'commit.refused': ({ detail }) => [['commit', `not committed: ${detail}`]],
  'spec.seen': ({ path, obeyed }) => [['spec', `${path} was changed during the run${obeyed ? '' : ', which kept the version it was started with'}`]],
  'wall.refused': (body) => [['sandbox', sandboxRefusalText(body)]],
};

export function sandboxRefusalText({ what, target }: Extract<EventBody, { type: 'wall.refused' }>): string {
  return `${SANDBOX[what]} ${target}`;
}

function reverted(paths: readonly string[]): readonly (readonly ['protected', string])[] {
  return paths.length === 0 ? [] : [['protected', `changes to protected paths were reverted: ${paths.join(', ')}`]];
}
