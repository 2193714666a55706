import type { GitHistory } from '../../engine/ports/git-history.ts';
import { changesSince } from './git-changes.ts';
import { checkOut } from './git-checkout.ts';
import { readNote, writeNote } from './git-notes.ts';
import type { HistoryPlace } from './git-place.ts';
import { putBack, wasPutBack } from './git-put-back.ts';

export function openHistory(place: HistoryPlace): GitHistory {
  return {
    changesSince: (tree) => changesSince(place, tree),
    putBack: (tree, patterns, keptRef) => putBack(place, { tree, patterns, keptRef }),
    wasPutBack: (tree, patterns, keptRef) => wasPutBack(place, { tree, patterns, keptRef }),
    checkOut: (tree) => checkOut(place, tree),
    writeNote: (commit, text) => writeNote(place, commit, text),
    readNote: (commit) => readNote(place, commit),
  };
}
