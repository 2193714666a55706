import type { RunSettings } from '../../settings/schema/run-settings.ts';
import type { RunState, StartedRun } from '../../journal/state/state.ts';
import { shorten } from './excerpt.ts';
import { capital } from './gate-words.ts';

const NAME_CHARS = 40;
const ID_CHARS = 60;

/** `Claude`: as people call it. An agent of no known kind is called by its command. */
export function agentName(run: StartedRun | null): string {
  const { kind, command } = run?.settings.agent ?? { kind: '', command: 'the agent' };
  return command.split(/[\\/]/).at(-1) === kind ? capital(kind) : shorten(command, NAME_CHARS);
}

export function idText(id: string): string {
  return shorten(id, ID_CHARS);
}

/** The branch that results are merged for. */
export function baseOf({ run }: RunState): string {
  return shorten(run?.settings.work?.base ?? '', ID_CHARS);
}

/** ` for story S-012`; empty where all tasks are asked for. */
export function scopeText({ work }: RunSettings): string {
  if (work === null) return '';
  const { story, milestone, tags } = work.filter;
  const words = [
    ...(story === null ? [] : [`story ${idText(story)}`]),
    ...(milestone === null ? [] : [`milestone ${idText(milestone)}`]),
    ...(tags.length === 0 ? [] : [`${tags.length === 1 ? 'tag' : 'tags'} ${shorten(tags.join(', '), ID_CHARS)}`]),
  ];
  return words.length === 0 ? '' : ` for ${words.join(', ')}`;
}

/** `0s`, `56s`, `2m 16s`, `1h 0m 5s` (seed 000). */
export function spacedDuration(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return `${hours}h ${minutes}m ${seconds % 60}s`;
  return minutes > 0 ? `${minutes}m ${seconds % 60}s` : `${seconds}s`;
}
