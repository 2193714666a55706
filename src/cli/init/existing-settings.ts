import { OperatorError } from '../../kit/pure/operator-error.ts';
import type { SettingsFile } from '../../settings/schema/settings-file.ts';
import { loadSettings } from '../../settings/load-settings.ts';

export type ExistingSettings =
  | { readonly kind: 'none' }
  | { readonly kind: 'readable'; readonly settings: SettingsFile; readonly sources: readonly string[] }
  /** Why names the file. */
  | { readonly kind: 'malformed'; readonly why: string };

/** What a run would find here, merged; what it would refuse is no obstacle to settings that replace it. */
export async function existingSettings(cwd: string): Promise<ExistingSettings> {
  try {
    const { settings, sources } = await loadSettings(cwd);
    return sources.length === 0 ? { kind: 'none' } : { kind: 'readable', settings, sources };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { kind: 'malformed', why: error.message.replace('failed to load settings: ', '') };
  }
}
