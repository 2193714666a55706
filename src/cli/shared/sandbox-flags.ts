import type { SettingsFile } from '../../settings/schema/settings-file.ts';
import { choiceOf } from './flag-values.ts';

/** The options that say what stands around an agent, as commander hands them over. */
export interface SandboxFlags {
  /** False with `--no-sandbox`, true where a caller has no `=` to add. */
  readonly sandbox?: string | boolean;
  readonly allowHost?: readonly string[];
  readonly protect?: readonly string[];
}

const MODES = ['docker', 'os', 'guard', 'auto'] as const;

/** The same as a settings file that lies over the others. */
export function sandboxSettings({ sandbox, allowHost, protect }: SandboxFlags): SettingsFile {
  const mode = modeOf(sandbox);
  const said = { ...(mode !== null && { mode }), ...(allowHost && { allowHosts: [...allowHost] }) };
  return { ...(Object.keys(said).length > 0 && { sandbox: said }), ...(protect && { protect: [...protect] }) };
}

/** Alone it forces docker (seed 003). */
function modeOf(sandbox: SandboxFlags['sandbox']): (typeof MODES)[number] | null {
  if (typeof sandbox === 'string') return choiceOf('--sandbox', sandbox, MODES);
  return sandbox === undefined ? null : sandbox ? 'docker' : 'guard';
}
