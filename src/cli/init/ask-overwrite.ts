import { assertNever } from '../../kit/pure/assert-never.ts';
import { redact } from '../../kit/pure/redact.ts';
import type { ExistingSettings } from './existing-settings.ts';
import { ask, type Interview } from './interview.ts';
import { settingsText } from './new-settings.ts';
import { yesOr } from './readings.ts';

/** True where there is nothing to lose. What is there is shown first, without its secrets. */
export function* askOverwrite(existing: ExistingSettings): Interview<boolean> {
  return existing.kind === 'none' || (yield* ask('Overwrite? (y/N): ', yesOr(false), { before: shown(existing) }));
}

function shown(existing: Exclude<ExistingSettings, { kind: 'none' }>): readonly string[] {
  switch (existing.kind) {
    case 'readable':
      return [...redact(settingsText(existing.settings)).trimEnd().split('\n'), loadedFrom(existing.sources)];
    case 'malformed':
      return [`Existing settings are malformed: ${existing.why}`];
    default:
      return assertNever(existing);
  }
}

function loadedFrom([first = '', overlay]: readonly string[]): string {
  return overlay === undefined ? `Loaded from ${first}` : `Loaded from ${first} (with local overlay from settings.local.json)`;
}
