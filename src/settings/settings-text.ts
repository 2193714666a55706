import { readText } from '../kit/files/read-text.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';

/** The text of a settings file without the mark some editors put before it, null if it is missing. A pipe is refused: whoever should write into it may never come. */
export async function settingsText(path: string, name: string, whenEmpty: string): Promise<string | null> {
  const read = await readText(path, 'refuse pipes');
  if (read.kind === 'no-text') {
    if (read.why === 'missing') return null;
    if (read.why !== 'empty')
      throw unreadable(name, read.why === 'refused' ? `${read.reason}: it cannot be read` : read.reason, 'It must be a readable file of text.');
  }
  const text = read.kind === 'text' ? read.text.replace(/^\uFEFF/, '') : '';
  if (text.trim() === '') throw unreadable(name, 'it is empty', whenEmpty);
  return text;
}

export function unreadable(name: string, reason: string, hint: string, cause?: unknown): OperatorError {
  return new OperatorError('settings-unreadable', `failed to load settings: ${name}: ${reason}`, { hint, exitCode: 2, cause });
}

export function invalid(name: string, problem: string, hint = 'The settings are described in docs/reference/settings.md.'): OperatorError {
  return new OperatorError('settings-invalid', `failed to load settings: ${name}: ${problem}`, { hint, exitCode: 2 });
}
