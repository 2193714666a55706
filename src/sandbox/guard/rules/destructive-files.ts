import { absolute, baseName, isIn, startsUnknown } from '../paths.ts';
import { block, type GuardPlace, type Objection, type Rule, warn } from '../rule.ts';
import { asText, couldBe, hasHole, isKnown, MADE, STAR } from '../shell/holes.ts';
import { readOptions } from '../shell/options.ts';
import { findStarts, isFindFiltered } from '../shell/printed.ts';
import type { Step } from '../step.ts';

const KEEP_TO_THE_PROJECT = 'remove only what lies inside the project, by its name';

/** Temporary folders, in which an agent may delete. */
const isScratch = (path: string) => /^(\/private)?\/(tmp|var\/tmp|dev\/shm)\/[^/]/.test(path) || /^\/var\/folders\/.+\//.test(path);

/** Temporary folders that do not contain the project or the home, and are not inside them. */
const isFree = (path: string, { root, home }: GuardPlace) =>
  isScratch(path) && [root, home].every((folder) => folder === null || !isScratch(folder) || (!isIn(path, folder) && !isIn(folder, path)));

const isEverything = (name: string) => /^(\*|\.\*|\*\*|\.\[\^\.\]\*|\{\*,\.\*\})$/.test(asText(name)) || name === `.${STAR}`;

/** The objection to removing a folder with its content, or null. */
export function whyKept(word: string, step: Pick<Step, 'cwd' | 'isElsewhere'>, place: GuardPlace): Objection | null {
  const { home, root } = place;
  const path = absolute(word, { cwd: step.cwd, home });
  if (step.isElsewhere) return isTop(path) ? block(`This removes ${asText(word)} where it runs; name what is to go.`) : null;
  if (startsUnknown(path)) return isPlainlyInside(word) ? null : whyUnknownKept(path);
  if (isFree(path, place)) return null;
  if (!isIn(path, root) || path === root) return block(`This removes ${asText(path)}, which is not inside the project; ${KEEP_TO_THE_PROJECT}.`);
  const inside = path.slice(root.length + 1);
  if (isHistory(inside)) return block('This removes the history of the project; leave .git alone.');
  return !inside.includes('/') && isEverything(inside) ? block(`This removes all of the project; ${KEEP_TO_THE_PROJECT}.`) : null;
}

const isTop = (path: string) => /^\/([^/]*)?$/.test(path) && path !== '/tmp';
const isHistory = (inside: string) => /^\.git(\/(?!.*\.lock$)|$)/.test(inside) || (inside.startsWith('.') && couldBe(inside, '.git'));

/** Whether the path is inside its folder wherever that folder is, and has a name. */
const isPlainlyInside = (word: string) => isKnown(word) && /^(\.\/)?[\w@-][\w.@/-]*$/.test(word) && !word.split('/').includes('..');

/** The beginning of the path is unknown: an empty variable before a slash makes it the root of the disk. */
function whyUnknownKept(path: string): Objection | null {
  const rest = path.slice(1);
  if (/^\/*$/.test(rest) && rest !== '') return block('If that variable is empty, this removes the whole disk; name the folder.');
  if (rest.startsWith('/') && isEverything(baseName(rest)) && rest.lastIndexOf('/') === 0)
    return block('If that variable is empty, this removes the whole disk; name the folder.');
  return path === MADE || hasHole(path) ? warn('Ralph cannot tell what this removes; name the files.') : null;
}

const worst = (all: readonly (Objection | null)[]): Objection | null =>
  all.find((each) => each?.level === 'block') ?? all.find((each) => each !== null) ?? null;

function lookAtRm(step: Step, place: GuardPlace): Objection | null {
  const { letters, names, operands } = readOptions(step.args);
  if (names.has('--no-preserve-root')) return block(`This is meant for the root of the disk; ${KEEP_TO_THE_PROJECT}.`);
  const isRecursive = letters.has('r') || letters.has('R') || names.has('--recursive');
  if (isRecursive || /^(rimraf|del|del-cli|srm|trash)$/.test(step.name)) return worst(operands.map((word) => whyKept(word, step, place)));
  return worst(operands.map((word) => whyFileKept(word, step, place)));
}

/** For single files: outside the project the guard only warns. The rules for paths block files of the system. */
function whyFileKept(word: string, step: Step, place: GuardPlace): Objection | null {
  const { home, root } = place;
  const path = absolute(word, { cwd: step.cwd, home });
  if (step.isElsewhere || startsUnknown(path) || isFree(path, place)) return null;
  if (isIn(path, root)) {
    const inside = path.slice(root.length + 1);
    if (/^\.git\/(?!.*\.lock$)/.test(inside)) return block('This removes a part of the history of the project; leave .git alone.');
    return inside === STAR ? block(`This removes all files of the project; ${KEEP_TO_THE_PROJECT}.`) : null;
  }
  if (/^\/[^/]*$/.test(path) || baseName(path) === STAR) return block(`This removes ${asText(path)}; ${KEEP_TO_THE_PROJECT}.`);
  return warn(`This removes ${asText(path)}, which is not inside the project.`);
}

function lookAtFind({ args, cwd, isElsewhere }: Step, place: GuardPlace): Objection | null {
  const { home, root } = place;
  const isRemoving =
    args.includes('-delete') || args.some((word, at) => /^-(exec|execdir|ok)$/.test(word) && /^(\/\S*\/)?(rm|unlink|shred)$/.test(args[at + 1] ?? ''));
  if (!isRemoving || isElsewhere) return null;
  const starts = findStarts(args).map((start) => absolute(start, { cwd, home }));
  if (starts.some((start) => !isIn(start, root) && !isFree(start, place))) return block(`This deletes outside of the project; ${KEEP_TO_THE_PROJECT}.`);
  if (args.includes('-delete') && starts.some((start) => start === root) && !isFindFiltered(args))
    return block('This deletes every file that it finds in the project; limit it with -name.');
  return null;
}

function lookAtTruncate(step: Step, place: GuardPlace): Objection | null {
  const { operands } = readOptions(step.args, ['s', 'r', '--size', '--reference']);
  const outside = operands.map((word) => absolute(word, { cwd: step.cwd, home: place.home })).find((path) => !isIn(path, place.root) && !isFree(path, place));
  return outside === undefined
    ? null
    : block(`This shortens or empties ${asText(outside)}, which is not inside the project; change only files of the project.`);
}

function lookAtMove(step: Step, place: GuardPlace): Objection | null {
  const { operands } = readOptions(step.args, ['t', 'S']);
  if (operands.at(-1) === '/dev/null') return block('What is moved to /dev/null is gone; remove it by its name if that is meant.');
  return worst(
    operands.slice(0, -1).map((word) => {
      const path = absolute(word, { cwd: step.cwd, home: place.home });
      if (startsUnknown(path) || isIn(path, place.root) === false)
        return /^\/[^/]*$/.test(path) || path === place.home ? block(`This moves ${asText(path)} away; ${KEEP_TO_THE_PROJECT}.`) : null;
      return path === place.root || baseName(path) === '.git' ? block('This moves the project or its history away; leave it where it is.') : null;
    }),
  );
}

/** Checks archivers that delete the files they pack. */
function lookAtPacking(step: Step, place: GuardPlace): Objection | null {
  const { names, operands } = readOptions(step.args, ['f', 'C', 'X', 'T', 'I']);
  return names.has('--remove-files') ? worst(operands.map((word) => whyKept(word, step, place))) : null;
}

function lookAtRsync(step: Step, place: GuardPlace): Objection | null {
  const { names, operands } = readOptions(step.args, ['e', 'f', '--exclude', '--include', '--rsh', '--filter']);
  const target = operands.at(-1) ?? '';
  if (![...names].some((name) => name.startsWith('--delete')) || target.includes(':')) return null;
  return whyKept(target, step, place);
}

export const DESTRUCTIVE_FILES: readonly Rule[] = [
  { id: 'removes-more-than-the-project', category: 1, names: ['rm', 'rimraf', 'del', 'del-cli', 'srm', 'trash', 'rmdir', 'unlink'], look: lookAtRm },
  { id: 'finds-and-deletes', category: 1, names: ['find', 'fd'], look: lookAtFind },
  { id: 'cuts-files-outside', category: 1, names: ['truncate'], look: lookAtTruncate },
  { id: 'moves-things-away', category: 1, names: ['mv'], look: lookAtMove },
  { id: 'packs-things-away', category: 1, names: ['tar', 'bsdtar'], look: lookAtPacking },
  { id: 'mirrors-nothing-over-something', category: 1, names: ['rsync'], look: lookAtRsync },
  {
    id: 'shreds-files',
    category: 1,
    names: ['shred', 'wipe', 'scrub'],
    look: () => block('Shredded files cannot be restored; remove them by name with rm.'),
  },
];
