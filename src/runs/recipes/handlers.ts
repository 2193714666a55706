import { runAgent } from '../../agents/run-agent/run-agent.ts';
import type { EffectHandler } from '../../engine/contracts.ts';
import type { Effect } from '../../journal/effects/effect.ts';
import { runGates } from '../../proof/run-gates.ts';
import { writeReceipt } from '../../proof/write-receipt.ts';
import { commit, revertPaths, runCommand } from '../../workspace/effects/scm.ts';
import { promptOf } from './prompt-of.ts';

type Load<K extends Effect['kind']> = () => Promise<EffectHandler<Extract<Effect, { kind: K }>>>;

/** What a plain run does is imported; what only one recipe does is loaded on first use. */
const handlers: { readonly [K in Effect['kind']]: Load<K> } = {
  'run-agent': async () => runAgent(promptOf),
  'run-gates': async () => runGates,
  'run-command': async () => runCommand,
  'find-living': async () => (await import('../../proof/prove/prove.ts')).findLiving,
  prove: async () => (await import('../../proof/prove/prove.ts')).prove,
  commit: async () => commit,
  'put-back': async () => revertPaths,
  'write-receipt': async () => writeReceipt,
  'look-at-task': async () => (await import('../../recipes/supervise/effects/task-folder.ts')).lookAtTask,
  'refuse-done': async () => (await import('../../recipes/supervise/effects/task-folder.ts')).refuseDone,
  post: async () => (await import('../../recipes/supervise/effects/post.ts')).post,
  'start-child': async () => (await import('../../recipes/supervise/effects/children.ts')).startChild,
  'end-children': async () => (await import('../../recipes/supervise/effects/children.ts')).endChildren,
  'take-task': async () => (await import('../../recipes/work/effects/take-task.ts')).takeTask,
  'open-workspace': async () => (await import('../../recipes/work/effects/workspaces.ts')).openWorkspace,
  'settle-plan': async () => (await import('../../recipes/work/effects/settle-plan.ts')).settlePlan,
  merge: async () => (await import('../../recipes/work/effects/merge.ts')).merge,
  'bring-base': async () => (await import('../../recipes/work/effects/workspaces.ts')).bringBase,
  'release-task': async () => (await import('../../recipes/work/effects/release-task.ts')).releaseTask,
  'answer-task': async () => (await import('../../recipes/work/effects/answer-task.ts')).answerTask,
  'close-workspace': async () => (await import('../../recipes/work/effects/workspaces.ts')).closeWorkspace,
  'look-at-stories': async () => (await import('../../recipes/review/effects/look-at-stories.ts')).lookAtStories,
  'settle-stories': async () => (await import('../../recipes/review/effects/settle-stories.ts')).settleStories,
  'record-stories': async () => (await import('../../recipes/review/effects/record-stories.ts')).recordStories,
};

export async function handlerOf<E extends Effect>(effect: E): Promise<EffectHandler<E>> {
  return (await handlers[effect.kind]()) as unknown as EffectHandler<E>;
}
