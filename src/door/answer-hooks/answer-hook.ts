import { denial, type HookAnswer } from '../hooks/hook-answer.ts';
import { type HookInput, readHookInput } from '../hooks/hook-input.ts';
import type { HookName } from '../hooks/hook-name.ts';
import { assertNever } from '../../kit/pure/assert-never.ts';
import { answerContext } from './answer-context.ts';
import { answerGuard } from './answer-guard.ts';
import { answerStop } from './answer-stop.ts';
import type { HookWorld } from './hook-world.ts';

/** What a hook answers, in a loop and without one. Never throws: who cannot say whether it is allowed denies it, all others stay out of the way. */
export async function answerHook(name: HookName, input: unknown, world: HookWorld): Promise<HookAnswer> {
  try {
    return await answer(name, readHookInput(input), world);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    world.warn(`the hook ${name} failed: ${why}`);
    return name === 'guard' ? denial(`Ralph's guard could not look at this: ${why}. Try again, or do it another way.`) : null;
  }
}

async function answer(name: HookName, input: HookInput, world: HookWorld): Promise<HookAnswer> {
  switch (name) {
    case 'stop':
      return await answerStop(input, world);
    case 'context':
      return answerContext(input, world);
    case 'guard':
      return await answerGuard(input, world);
    case 'session-start':
      world.sessions.forget(input.session);
      return null;
    default:
      return assertNever(name);
  }
}
