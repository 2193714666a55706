import { absolute, isIn } from '../paths.ts';
import { block, type GuardPlace, never, type Objection, type Rule, warn } from '../rule.ts';
import { asText } from '../shell/holes.ts';
import { readOptions } from '../shell/options.ts';
import type { Step } from '../step.ts';

const NO_ROOT = "work as the user you are; what needs root is the operator's to do";

/** Installing system packages with sudo is common, so the guard only warns about it. It blocks everything else. */
function lookAtSudo({ args, isElsewhere }: Step): Objection | null {
  const words = args.filter((word) => !word.startsWith('-') && !/^\w+=/.test(word));
  const isPackages =
    /^(apt|apt-get|dnf|yum|apk|pacman|brew|zypper)$/.test(words[0] ?? '') &&
    (/^(install|update|add|upgrade|list|show|search)$/.test(words[1] ?? '') || words[0] === 'pacman');
  if (words[0] === 'true') return null;
  if (isPackages || isElsewhere) return warn('This changes the machine for everybody; say so in your report.');
  return block(`This runs as root; ${NO_ROOT}.`);
}

const isSetuid = (mode: string) => /^[=+]?0?[2467][0-7]{3}$/.test(mode) || /[ugoa]*[+=][rwxXt]*s/.test(mode);
const isForAll = (mode: string) =>
  /^0?[0-7]?(777|666)$/.test(mode) || /^(a|ugo|o|uo|go|ogu)?[+=]r?w?x?$/.test(mode) === false
    ? /^0?[0-7]?(777|666)$/.test(mode)
    : /^(a|ugo)[+=]rwx$|^o[+=]\w*w/.test(mode);

function lookAtChmod(step: Step, { home, root }: GuardPlace): Objection | null {
  const { operands, letters, names } = readOptions(step.args.map((word) => (/^-[rwxst]+$/.test(word) ? `a${word}` : word)));
  const [mode = '', ...paths] = operands;
  if (isSetuid(mode)) return block(`This makes a program that runs as its owner; ${NO_ROOT}.`);
  if (isForAll(mode)) return block('This lets everybody write; give only the rights that are needed, such as u+rwx.');
  const isRecursive = letters.has('R') || names.has('--recursive');
  const outside = paths.map((word) => absolute(word, { cwd: step.cwd, home })).find((path) => !isIn(path, root) && !/^\/(tmp|var\/tmp)\//.test(path));
  return isRecursive && outside !== undefined && !step.isElsewhere
    ? block(`This changes rights in ${asText(outside)}, which is not inside the project.`)
    : null;
}

/** Checks tools that set the mode of what they create. */
function lookAtMode({ args }: Step): Objection | null {
  const { values } = readOptions(args, ['m', 'o', 'g', 't', 'S', '--mode', '--owner', '--group', '--target-directory']);
  const given = (...names: readonly string[]) => names.flatMap((name) => values.get(name) ?? []);
  if (given('m', '--mode').some(isSetuid)) return block(`This makes a program that runs as its owner; ${NO_ROOT}.`);
  return given('o', '--owner').some((owner) => /^(root|0)$/.test(owner)) ? block(`This gives files to root; ${NO_ROOT}.`) : null;
}

function lookAtChown(step: Step, { home, root }: GuardPlace): Objection | null {
  const { operands, letters } = readOptions(step.args, ['--from', '--reference']);
  const [owner = '', ...paths] = operands;
  if (/^(root|0)([:.]|$)/.test(owner) && !step.isElsewhere) return block(`This gives files to root; ${NO_ROOT}.`);
  const outside = paths.map((word) => absolute(word, { cwd: step.cwd, home })).find((path) => !isIn(path, root) && !/^\/(tmp|var\/tmp)\//.test(path));
  return letters.has('R') && outside !== undefined && !step.isElsewhere
    ? block(`This changes the owner of ${asText(outside)}, which is not inside the project.`)
    : null;
}

export const PRIVILEGES: readonly Rule[] = [
  { id: 'becomes-root', category: 7, names: ['sudo', 'doas'], look: lookAtSudo },
  never(
    'becomes-another',
    7,
    ['su', 'pkexec', 'runuser', 'gosu', 'sudoedit', 'visudo', 'capsh', 'newgrp', 'machinectl', 'run0'],
    `This becomes another user; ${NO_ROOT}.`,
  ),
  { id: 'gives-rights-away', category: 7, names: ['chmod'], look: lookAtChmod },
  { id: 'gives-rights-away-at-birth', category: 7, names: ['install', 'mkdir', 'mkfifo', 'mknod'], look: lookAtMode },
  { id: 'gives-files-away', category: 7, names: ['chown', 'chgrp'], look: lookAtChown },
  never('gives-capabilities', 7, ['setcap', 'setfacl', 'chattr'], `This changes what a file may do beyond its owner; ${NO_ROOT}.`),
];
