import type { Effect } from '../../model/effect.ts';
import type { EffectHandler } from '../effect-handler.ts';
import { bringBase } from './bring-base.ts';
import { closeWorkspace } from './close-workspace.ts';
import { commit } from './commit.ts';
import { endChildren } from './end-children.ts';
import { lookAtStories } from './look-at-stories.ts';
import { lookAtTask } from './look-at-task.ts';
import { merge } from './merge.ts';
import { openWorkspace } from './open-workspace.ts';
import { post } from './post.ts';
import { putBack } from './put-back.ts';
import { recordStories } from './record-stories.ts';
import { refuseDone } from './refuse-done.ts';
import { releaseTask } from './release-task.ts';
import { runAgent } from './run-agent.ts';
import { runCommand } from './run-command.ts';
import { runGates } from './run-gates.ts';
import { settlePlan } from './settle-plan.ts';
import { settleStories } from './settle-stories.ts';
import { startChild } from './start-child.ts';
import { takeTask } from './take-task.ts';
import { writeReceipt } from './write-receipt.ts';

const handlers: { readonly [K in Effect['kind']]: EffectHandler<Extract<Effect, { kind: K }>> } = {
  'run-agent': runAgent,
  'run-gates': runGates,
  'run-command': runCommand,
  commit,
  'put-back': putBack,
  'write-receipt': writeReceipt,
  'look-at-task': lookAtTask,
  'refuse-done': refuseDone,
  post,
  'start-child': startChild,
  'end-children': endChildren,
  'take-task': takeTask,
  'open-workspace': openWorkspace,
  'settle-plan': settlePlan,
  merge,
  'bring-base': bringBase,
  'release-task': releaseTask,
  'close-workspace': closeWorkspace,
  'look-at-stories': lookAtStories,
  'settle-stories': settleStories,
  'record-stories': recordStories,
};

/** The file that carries an effect out. */
export function handlerOf<E extends Effect>(effect: E): EffectHandler<E> {
  return handlers[effect.kind] as unknown as EffectHandler<E>;
}
