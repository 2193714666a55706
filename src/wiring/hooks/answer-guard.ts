import { guardDecision } from '../../core/hooks/guard-decision.ts';
import { denial, type HookAnswer } from '../../core/hooks/hook-answer.ts';
import type { HookInput } from '../../core/hooks/hook-input.ts';
import type { HookWorld } from './hook-world.ts';
import { spellingsOf } from './spellings.ts';

/** Whether an agent may use a tool that way. What cannot be read is denied. */
export async function answerGuard(input: HookInput, { stories }: HookWorld): Promise<HookAnswer> {
  const work = await stories(input);
  if (work === null) return null;
  const { tool, toolInput } = input;
  if (tool === null) return denial("Ralph's guard could not read what you want to do: it may be too large. Do it in smaller steps.");
  const file = toolInput['file_path'] ?? toolInput['notebook_path'];
  const paths = typeof file === 'string' && file !== '' ? spellingsOf(file, input.cwd ?? work.place.root) : [];
  const command = tool === 'Bash' ? String(toolInput['command'] ?? '') : null;
  const why = guardDecision({ tool, paths, command }, work.place);
  return why === null ? null : denial(why);
}
