import { textOfWords } from '../../cli/shared/text-of-words.ts';
import { openScope, type Scope } from '../../kit/async/scope.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { printable } from '../../kit/pure/text.ts';
import { allowTask, retryTask } from '../../plans/holds/hold-task.ts';
import { whoIsThere } from '../../process/io.ts';
import type { LeftTask } from '../../report/views/fleet-view.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { plansOf } from '../../store/postgres/fleets.ts';
import { registersOf } from '../join-fleet.ts';
import type { OpenFleet } from '../open-fleet.ts';
import { type FleetFlags, fleetHere, print } from './fleet-here.ts';
import { lookAtPlan } from './plan-view.ts';

interface NeedFlags extends FleetFlags {
  readonly plan?: string;
}

interface Need extends LeftTask {
  readonly plan: string;
}

export async function inboxCommand({ store, plan, json = false }: NeedFlags): Promise<number> {
  await using scope = openScope();
  const { fleet, needs } = await needsOf(store, plan, scope);
  print(json, { fleet: fleet.name, needs }, needs.length === 0 ? ['Nothing waits for you.'] : needs.flatMap(needLines));
  return 0;
}

export async function answerCommand(task: string, words: readonly string[], { store, plan, json = false }: NeedFlags): Promise<number> {
  refuseAgents();
  const answer = await textOfWords(words, 'answer');
  await using scope = openScope();
  const { need, ports } = await needOf(task, store, plan, scope);
  const question = need.question ?? `${need.state}: ${need.feedback}`;
  const told = await retryTask(ports, { planPath: need.plan, task, key: '', nowMs: Date.now(), answers: [{ question, answer }] });
  if (!told) throw nothingWaits(task);
  print(json, { task, plan: need.plan, answer }, [`The next worker that takes ${printable(task)} is told.`]);
  return 0;
}

export async function acceptCommand(task: string, { store, plan, json = false }: NeedFlags): Promise<number> {
  refuseAgents();
  await using scope = openScope();
  const { need, ports } = await needOf(task, store, plan, scope);
  const allowed = await allowTask(ports, { planPath: need.plan, task, nowMs: Date.now(), by: whoIsThere() });
  if (allowed === null) throw nothingWaits(task);
  print(json, { task, plan: need.plan, changed: need.changed }, [...needLines(need), `Accepted: the next worker that takes ${printable(task)} merges it.`]);
  return 0;
}

/** An agent must not decide what waits for a person. */
function refuseAgents(): void {
  if (environment()['RALPH_RUN_ID'] === undefined) return;
  throw new OperatorError('not-for-agents', 'this waits for a person, and this is an agent of a run', {
    hint: 'Leave it to the people who run it.',
    exitCode: 2,
  });
}

const nothingWaits = (task: string) =>
  new OperatorError('nothing-waits', `task ${printable(task)} does not wait for that`, { hint: 'See what waits: ralph fleet inbox', exitCode: 2 });

async function needsOf(
  store: string | undefined,
  path: string | undefined,
  scope: Scope,
): Promise<Pick<OpenFleet, 'fleet' | 'database'> & { readonly needs: readonly Need[] }> {
  const { database, fleet, clone } = await fleetHere(store, scope);
  const plans = (await plansOf(database, fleet.id)).filter((plan) => path === undefined || plan.path === path);
  const views = await Promise.all(plans.map((plan) => lookAtPlan(plan, { database, fleet: fleet.id, clone, workers: [] })));
  return { database, fleet, needs: views.flatMap(({ plan, left }) => left.map((one) => ({ plan, ...one }))) };
}

async function needOf(task: string, store: string | undefined, path: string | undefined, scope: Scope) {
  const { database, fleet, needs } = await needsOf(store, path, scope);
  const [need, ...others] = needs.filter((one) => one.task === task);
  if (need === undefined) throw nothingWaits(task);
  if (others.length === 0) return { need, ports: registersOf(database, fleet.id) };
  throw new OperatorError('which-plan', `several plans have a task ${printable(task)} that waits`, { hint: `Name one: --plan ${need.plan}`, exitCode: 2 });
}

export function needLines({ plan, task, state, question, changed, feedback }: Need): readonly string[] {
  const title = `${printable(task)} of ${printable(plan)}`;
  const id = printable(task);
  if (question !== null) return [`${title} asks: ${printable(question)}`, `  ralph fleet answer ${id} "…"`];
  if (changed.length > 0) return [`${title} is held: it is green only with changed ${printable(changed.join(', '))}`, `  ralph fleet accept ${id}`];
  return [
    `${title}: ${state}${feedback === '' ? '' : `, ${printable(feedback.split('\n')[0] ?? '')}`}`,
    `  ralph fleet answer ${id} "…", or: ralph task reset ${id}`,
  ];
}
