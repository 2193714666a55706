import type { HideSecrets } from '../../kit/pure/hide-secrets.ts';
import { colouredText, shownText } from '../view/shown-text.ts';

/** Fields that may contain colours of a terminal; the page shows them as data. */
const COLOURED = new Set(['ansi', 'lines']);

export type ToJson = (value: unknown) => string;

/** JSON in which no text has a secret, a control character or one that deceives. */
export function openCleanJson(hide: HideSecrets): ToJson {
  const clean = (key: string, value: unknown) => {
    if (typeof value !== 'string') return value;
    return hide(COLOURED.has(key) ? colouredText(value) : shownText(value));
  };
  return (value) => JSON.stringify(value, clean);
}
