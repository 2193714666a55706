import { judgeTool, verdictText } from '../../sandbox/guard/judge-tool.ts';
import { guardDecision } from '../hooks/guard-decision.ts';
import { advice, denial, type HookAnswer, warning } from '../hooks/hook-answer.ts';
import type { HookInput } from '../hooks/hook-input.ts';
import type { HookWorld } from './hook-world.ts';
import { spellingsOf } from './spellings.ts';

/** Whether an agent may use a tool that way. What cannot be read is denied. */
export async function answerGuard(input: HookInput, { stories, guard, warn }: HookWorld): Promise<HookAnswer> {
  const work = await stories(input);
  const { tool, toolInput } = input;
  if (tool === null) return denial("Ralph's guard could not read what you want to do: it may be too large. Do it in smaller steps.");
  const { place, isWalled } = guard(input);
  const file = toolInput['file_path'] ?? toolInput['notebook_path'] ?? toolInput['path'];
  const paths = typeof file === 'string' && file !== '' ? spellingsOf(withHome(file, place.home), place.cwd) : [];
  const command = tool === 'Bash' ? String(toolInput['command'] ?? '') : null;
  const call = { tool, paths, command };
  const why = work === null ? null : guardDecision(call, work.place);
  if (why !== null) return denial(why);
  const verdict = judgeTool(call, place);
  if (verdict.level === 'allow') return null;
  const text = `Ralph's guard: ${verdictText(verdict)}`;
  if (verdict.level === 'warn') {
    // Claude shows it to nobody when it runs by itself.
    warn(text);
    return warning(text);
  }
  return isWalled ? advice(text) : denial(text);
}

const withHome = (path: string, home: string | null) => (home !== null && path.startsWith('~/') ? home + path.slice(1) : path);
