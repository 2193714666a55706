import { absolute } from '../../paths.ts';
import { block, type CategoryNumber, type GuardPlace, type Objection, type Rule, warn } from '../../rule.ts';
import { sensitiveToRead, sensitiveToWrite } from '../../sensitive-paths.ts';
import { type CodeText, namesHome, textsIn } from '../../shell/code-strings.ts';
import { isSecretName } from '../../shell/parameters.ts';
import type { Code, Language, Step } from '../../step.ts';
import { whyNotSql } from '../databases.ts';
import { whyKept } from '../destructive-files.ts';
import { asksADatabase, becomesRoot, givesAShell, killsAll, neverHasEnough, runsDecoded, runsFetched, sendsData } from './code-patterns.ts';

/** Code whose text is known. */
export interface KnownCode extends Pick<Code, 'language' | 'by'> {
  readonly text: string;
}

const REMOVER =
  /\b(rmtree|rmSync|rmdirSync|rm_rf|rm_r|rmdir|remove_dir|remove_entry\w*|remove_tree|removedirs|rimraf|secure_rm)\b|\b(fs|promises|fsp)\.rm\b|\.rm\s*\(/g;
/** Removes single files; with a listing it can empty a whole folder. */
const REMOVER_OF_FILES = /\b(os\.(remove|unlink)|unlink(Sync)?|File\.delete)\b/;
const LISTS = /\b(glob|walk|readdir\w*|scandir|iterdir)\b|\bDir\[/g;
const OUTRIGHT = /^\s*\(?\s*['"](\/|~|\.{1,2})\/?\*?['"]/;

/** How many characters may separate a path from the call that removes it. */
const NEAR = 120;
const MOST_PLACES = 50;

/** Objects to code that removes folders outside the project. */
function whyNotRemoved({ text, language }: KnownCode, step: Step, place: GuardPlace): Objection | null {
  const listed = REMOVER_OF_FILES.test(text) ? text.matchAll(LISTS) : [];
  const removers = [...text.matchAll(REMOVER), ...listed].slice(0, MOST_PLACES);
  if (removers.length === 0) return null;
  const isOutright = removers.some(({ 0: found, index }) => OUTRIGHT.test(text.slice(index + found.length, index + found.length + NEAR)));
  const isHome = removers.some(({ index }) => namesHome(text.slice(Math.max(index - NEAR, 0), index + NEAR)));
  if (isOutright || isHome) return OUTSIDE;
  const near = textsIn(text, language).filter(({ from, to }) => removers.some(({ index }) => from < index + NEAR && to > index - NEAR));
  return near.some((each) => isPath(each) && whyKept(each.text, step, place)?.level === 'block') ? OUTSIDE : null;
}

const OUTSIDE = block('This code removes what is not inside the project; remove only what you name inside it.');

/** Whether the text is nothing but a path with at least one name. */
const isPath = ({ text }: CodeText) => /^(~|\.|\/)?[\w.@*/~-]*\/[\w.@*/~-]*$/.test(text) && /\w/.test(text);

const WRITES =
  /write|append|puts|print|['"][wa]\+?b?\+?['"]|>>?|put_contents|copy|rename|symlink|unlink|chmod|remove|rmSync|truncate|mkdir|touch|\bmv\b|\bcp\b/i;
const READS = /\bopen|read|File\.|IO\.|slurp|cat|copy|require|file\(|file_get|get_contents|include/i;
const CLOSE = 80;

/** Objects to code that opens files an agent must not touch. */
function whyNotOpened({ text, language }: KnownCode, { cwd }: Step, place: GuardPlace): Objection | null {
  const here = { ...place, cwd };
  const isAtHome = namesHome(text);
  const texts = textsIn(text, language);
  for (const [at, { text: each, from, to }] of texts.entries()) {
    const spellings = spellingsOf(each, texts[at + 1]?.text, isAtHome);
    if (spellings.length === 0) continue;
    const around = text.slice(Math.max(from - CLOSE, 0), to + CLOSE);
    if (READS.test(around) && spellings.some((path) => sensitiveToRead(path, here)?.level === 'block')) return block(SECRETLY);
    if (WRITES.test(around) && spellings.some((path) => sensitiveToWrite(path, here)?.level === 'block')) return block(ELSEWHERE);
  }
  return null;
}

const SECRETLY = 'This code reads secrets; ask the operator for what you need.';
const ELSEWHERE = 'This code writes files of the system or of the user; change only files of the project.';

/** The paths a text may stand for: as it is, below the home, and joined with the text after it. */
function spellingsOf(text: string, next: string | undefined, isAtHome: boolean): readonly string[] {
  if (!/^[~./\w][\w.@/~-]*$/.test(text) || !/[./~]/.test(text)) return [];
  const plain = absolute(text, { cwd: '', home: '~' }).replace(/^\/+(?=~)/, '');
  if (!isAtHome || text.startsWith('~')) return [text];
  const below = `~/${plain.replace(/^\/+/, '')}`;
  return [text, below, ...(next === undefined || /\s/.test(next) ? [] : [`${below}/${next}`])];
}

type Look = (code: KnownCode, step: Step, place: GuardPlace) => Objection | null;

const rule = (id: string, category: CategoryNumber, look: Look): Rule => ({
  id,
  category,
  names: null,
  look(step, place) {
    const { code } = step;
    if (code === null || code.language === 'sh' || code.language === 'awk' || code.stream.text === null) return null;
    return look({ language: code.language, by: code.by, text: code.stream.text }, step, place);
  },
});

/** Softens a check for files that exist already: they are programs of the project, and single words in them prove little. */
const softOnDisk =
  (look: Look): Look =>
  (code, step, place) => {
    const found = look(code, step, place);
    return found !== null && step.code?.isOnDisk === true ? warn(found.why) : found;
  };

const when =
  (does: (code: string) => boolean, why: string): Look =>
  ({ text }) =>
    does(text) ? block(why) : null;

/** Skips files: they may be migrations, which drop tables for a good reason. */
const lookAtStatements: Look = ({ text, language, by }) => {
  if (by === 'file' || !asksADatabase(text)) return null;
  const found = textsIn(text, language).map((each) => whyNotSql(each.text));
  return found.find((each) => each?.level === 'block') ?? null;
};

/** The rules for code in languages other than the shell's. */
export const OTHER_CODE: readonly Rule[] = [
  rule('removes-more-than-the-project-by-code', 1, whyNotRemoved),
  rule('never-has-enough', 3, softOnDisk(when(neverHasEnough, 'This code starts or takes more and more until nothing else can run.'))),
  rule('sends-by-code', 4, when(sendsData, 'This code sends data to another machine; leave that to the operator.')),
  rule('gives-a-shell-by-code', 5, when(givesAShell, 'This code gives a shell to another machine; no agent needs that.')),
  rule('prints-all-variables-by-code', 6, ({ text, language }) =>
    dumpsEnvironment(text, language) || printsSecretVariable(text)
      ? block('This code shows variables that are secrets; ask the operator for what you need.')
      : null,
  ),
  rule('becomes-root-by-code', 7, when(becomesRoot, "This code becomes root; what needs root is the operator's to do.")),
  rule('runs-decoded-code', 12, softOnDisk(when(runsDecoded, 'This code runs what was made unreadable; write it out, so that everybody can see what is run.'))),
  rule('runs-fetched-code', 12, softOnDisk(when(runsFetched, 'This code runs what comes from the network unseen; save it, read it, and run it then.'))),
  rule('kills-everything-by-code', 14, when(killsAll, 'This code ends more than what you have started; end that by its number.')),
  rule('drops-tables-by-code', 16, lookAtStatements),
  rule('opens-sensitive-files-by-code', 18, whyNotOpened),
];

/** Matches the whole environment, not a single variable of it. */
const WHOLE: Readonly<Partial<Record<Language, RegExp>>> = {
  node: /\bprocess\.env\b(?!\s*(\?\.|\.|\[))/g,
  python: /\bos\.environb?\b(?!\s*(\[|\.(get|copy|pop|setdefault|update|clear)\b))/g,
  ruby: /\bENV\b(?!\s*(\[|\.(fetch|key\?|has_key\?|delete|store|update|include\?)))/g,
  perl: /%ENV\b|%\{?ENV\}?/g,
  php: /\$_(ENV|SERVER)\b(?!\s*\[)|\bgetenv\s*\(\s*\)/g,
};

/** The environment is passed to a process, copied, searched for a name or destructured. */
const PASSED = /(\.\.\.|\*\*|\benv(ironment)?["']?\s*(:|=>?)\s*(dict\(|\{)?|[}\])]\s*=\s*|\bin\s+|\|\s*|assign\([^)]{0,20}|\bdelete\s+|\blocal\s*\(?)\s*$/;
const LISTED = /\bfor\b[^;{]{0,40}\b(in|of)\s+$/;
const KEPT = /\b(\w{1,40})\s*=\s*(dict\()?\s*$/;
const BEFORE = 50;

/** Whether code prints all variables, including secrets. */
function dumpsEnvironment(code: string, language: Language): boolean {
  const whole = WHOLE[language];
  if (whole === undefined) return false;
  return [...code.matchAll(whole)].slice(0, MOST_PLACES).some(({ index }) => isShown(code, code.slice(Math.max(index - BEFORE, 0), index)));
}

function isShown(code: string, before: string): boolean {
  if (LISTED.test(before)) return true;
  if (PASSED.test(before)) return false;
  const name = KEPT.exec(before)?.[1];
  return name === undefined || new RegExp(`(log|print\\w*|puts|stringify|dumps|inspect|echo|write|Dumper)\\W{1,3}${name}\\s*[,);]`).test(code);
}

const SINGLE = /\b(?:process\.env(?:\.|\[['"])|os\.environ(?:\.get\(|\[)['"]|os\.getenv\(['"]|ENV(?:\.fetch\(|[[{])['"]?|getenv\(['"])(\w+)/g;
const PRINTS = /(console\.\w+|\bprint\w*|\bputs|\becho|\bpp?|\bsay|write)\s*\(?[^;\n!]{0,30}$/;
/** Code may check whether a variable is set. */
const ONLY_ASKED = /^['"\])}]*\s*(\?|\.length|!==?|===?|is\b|&&)/;

/** Whether code prints a variable that is a secret. */
const printsSecretVariable = (code: string): boolean =>
  [...code.matchAll(SINGLE)]
    .slice(0, MOST_PLACES)
    .some(
      ({ 0: found, 1: name = '', index }) =>
        isSecretName(name) &&
        PRINTS.test(code.slice(Math.max(index - BEFORE, 0), index)) &&
        !ONLY_ASKED.test(code.slice(index + found.length, index + found.length + BEFORE)),
    );
