import type { Effect } from '../../model/effect.ts';
import type { EffectHandler } from '../effect-handler.ts';
import { commit } from './commit.ts';
import { putBack } from './put-back.ts';
import { runAgent } from './run-agent.ts';
import { runCommand } from './run-command.ts';
import { runGates } from './run-gates.ts';
import { writeReceipt } from './write-receipt.ts';

type Load<K extends Effect['kind']> = () => Promise<EffectHandler<Extract<Effect, { kind: K }>>>;

/** What a plain run does is at hand; what only one recipe does is loaded when it is first asked for. */
const handlers: { readonly [K in Effect['kind']]: Load<K> } = {
  'run-agent': async () => runAgent,
  'run-gates': async () => runGates,
  'run-command': async () => runCommand,
  commit: async () => commit,
  'put-back': async () => putBack,
  'write-receipt': async () => writeReceipt,
  'look-at-task': async () => (await import('./look-at-task.ts')).lookAtTask,
  'refuse-done': async () => (await import('./refuse-done.ts')).refuseDone,
  post: async () => (await import('./post.ts')).post,
  'start-child': async () => (await import('./start-child.ts')).startChild,
  'end-children': async () => (await import('./end-children.ts')).endChildren,
  'take-task': async () => (await import('./take-task.ts')).takeTask,
  'open-workspace': async () => (await import('./open-workspace.ts')).openWorkspace,
  'settle-plan': async () => (await import('./settle-plan.ts')).settlePlan,
  merge: async () => (await import('./merge.ts')).merge,
  'bring-base': async () => (await import('./bring-base.ts')).bringBase,
  'release-task': async () => (await import('./release-task.ts')).releaseTask,
  'close-workspace': async () => (await import('./close-workspace.ts')).closeWorkspace,
  'look-at-stories': async () => (await import('./look-at-stories.ts')).lookAtStories,
  'settle-stories': async () => (await import('./settle-stories.ts')).settleStories,
  'record-stories': async () => (await import('./record-stories.ts')).recordStories,
};

/** The file that carries an effect out. */
export async function handlerOf<E extends Effect>(effect: E): Promise<EffectHandler<E>> {
  return (await handlers[effect.kind]()) as unknown as EffectHandler<E>;
}
