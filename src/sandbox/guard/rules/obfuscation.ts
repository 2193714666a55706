import { block, type Objection, type Rule, warn } from '../rule.ts';
import { HOLE, hasHole, MADE, SECRET } from '../shell/holes.ts';
import type { Step } from '../step.ts';

const PLAINLY = 'write the commands out, so that everybody can see what is run';

/** Tools whose output is meant to be evaluated. */
const MEANT =
  /^(ssh-agent|direnv|brew|pyenv|rbenv|nodenv|opam|fnm|nvm|conda|mamba|micromamba|dircolors|starship|mise|asdf|rtx|minikube|docker-machine|podman|register-python-argcomplete|zoxide|thefuck|keychain|luarocks|perl|lesspipe|devbox|pipenv|uv|volta|chruby|jenv|goenv|tfenv|gpg-agent|resize|tset)$/;

function lookAtCode({ name, code, isInFile, args }: Step): Objection | null {
  if (code === null) return null;
  const { stream, by, language } = code;
  if (stream.origin === 'download' && by !== 'argument') return block('This runs a download unread; save it, read it, then run it.');
  if (stream.origin === 'decoded') return block(`This runs encoded code that nobody can read; ${PLAINLY}.`);
  if (stream.text === null) return by === 'stdin' && language === 'sh' ? lookAtPiped(isInFile) : null;
  if (language !== 'sh' || by === 'file') return null;
  if (name === 'eval') return lookAtEval(stream.text, args, isInFile);
  return /^\s*[\uE000\uE001\uE004]\s*$/.test(stream.text) ? softer(isInFile, `Nobody can tell beforehand what this runs; ${PLAINLY}.`) : null;
}

const softer = (isInFile: boolean, why: string) => (isInFile ? warn(why) : block(why));

const lookAtPiped = (isInFile: boolean) => softer(isInFile, `Nobody can tell beforehand what goes into this shell; ${PLAINLY}.`);

function lookAtEval(text: string, args: readonly string[], isInFile: boolean): Objection | null {
  if (!hasHole(text)) return null;
  if (args.every((word) => word === MADE)) return null;
  return text.includes(MADE) || text.includes(SECRET) || /^\s*\uE000/.test(text) || text.includes(HOLE)
    ? softer(isInFile, `Nobody can tell beforehand what this evaluates; ${PLAINLY}.`)
    : null;
}

/** Only the output of tools that are made for it may be evaluated. */
function lookAtEvaluated({ name, args, isInFile }: Step, printers: readonly string[]): Objection | null {
  if (name !== 'eval' || args.length === 0 || !args.every((word) => word === MADE)) return null;
  return printers.length > 0 && printers.every((printer) => MEANT.test(printer))
    ? null
    : softer(isInFile, `Nobody can tell beforehand what this evaluates; ${PLAINLY}.`);
}

/** Filters that awk scripts commonly pipe to. */
const FILTER = /^"(sort|uniq|head|tail|wc|cat|column|cat 1>&2)( [\w ,.-]*)?"$/;

/** Whether an awk program pipes to or from a command. Text inside patterns does not count. */
function startsCommands(program: string): boolean {
  const plain = program.replaceAll(/"(?:\\[\s\S]|[^"\\])*"|(?<=[{(,~!;&|\n]\s{0,8}|^\s{0,8})\/(?:\\[\s\S]|[^/\\\n])*\//g, (found) => {
    if (found.startsWith('/')) return '0';
    return FILTER.test(found) ? '"filter"' : '"text"';
  });
  return /\bsystem\s*\(|(?<!\|)\|&?\s*(?!"filter")["\w(]/.test(plain);
}

function lookAtAwk({ code, isInFile }: Step): Objection | null {
  if (code?.language !== 'awk') return null;
  return startsCommands(code.stream.text ?? '')
    ? softer(isInFile, 'This starts commands from awk, where nobody looks for them; start them from the shell.')
    : null;
}

export const OBFUSCATION: readonly Rule[] = [
  { id: 'runs-unseen-code', category: 12, names: null, look: lookAtCode },
  { id: 'evaluates-unseen-code', category: 12, names: ['eval'], look: (step) => lookAtEvaluated(step, step.printers) },
  { id: 'starts-commands-from-awk', category: 12, names: ['awk', 'gawk', 'mawk', 'nawk'], look: lookAtAwk },
];
