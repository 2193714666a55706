import type { Hold } from '../graph/select-task.ts';
import type { CrewPorts } from '../../engine/ports/ports.ts';

/** With both it is looked where a result is that the file does not know of; without, the register alone is believed. */
export type DoneSight = Partial<Pick<CrewPorts, 'whereIs' | 'plan'>>;

/**
 * A task is done by its register and not by the file. Where the checkout does not have the result yet, it could not follow. Where it has, a person has set
 * the task back: unless the file was read before the result came, so it is read once more.
 */
export async function withWhatIsUndone({ whereIs, plan }: DoneSight, holds: ReadonlyMap<string, Hold>): Promise<ReadonlyMap<string, Hold>> {
  const odd = [...holds].filter(([, { register }]) => register?.state === 'done' && register.base !== null);
  if (odd.length === 0 || !whereIs || !plan) return holds;
  const places = new Map<string, Hold['done']>();
  for (const [id, { register }] of odd) places.set(id, DONE[await whereIs(register?.base ?? '')]);
  const tasks = (await plan.read())?.plan?.tasks ?? [];
  for (const { id, status } of tasks) if (status === 'complete' && places.has(id)) places.set(id, 'here');
  return new Map([...holds].map(([id, hold]) => [id, withPlace(hold, places.get(id))]));
}

const DONE = { checkout: 'undone', base: 'here', elsewhere: 'elsewhere' } as const satisfies Record<Awaited<ReturnType<CrewPorts['whereIs']>>, Hold['done']>;

function withPlace(hold: Hold, done: Hold['done']): Hold {
  return done === undefined ? hold : { ...hold, done };
}

/** What whoever takes the task must know, if a person has set it back. */
export function undoneNumber(hold: Hold | undefined): { readonly undone?: number } {
  return hold?.done === 'undone' ? { undone: hold.n } : {};
}
