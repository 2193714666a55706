import { absolute } from '../../paths.ts';
import type { Objection } from '../../rule.ts';
import { block } from '../../rule.ts';
import { sensitiveToRead, sensitiveToWrite } from '../../sensitive-paths.ts';
import { type CodeText, namesHome, textsIn } from '../../shell/code-strings.ts';
import type { Code, Step } from '../../step.ts';
import type { GuardPlace } from '../../verdict.ts';
import { whyKept } from '../destructive-files.ts';

/** Code whose text is known. */
export interface KnownCode extends Pick<Code, 'language' | 'by'> {
  readonly text: string;
}

const REMOVER =
  /\b(rmtree|rmSync|rmdirSync|rm_rf|rm_r|rmdir|remove_dir|remove_entry\w*|remove_tree|removedirs|rimraf|secure_rm)\b|\b(fs|promises|fsp)\.rm\b|\.rm\s*\(/g;
/** One file after the other, as far as a folder goes. */
const REMOVER_OF_FILES = /\b(os\.(remove|unlink)|unlink(Sync)?|File\.delete)\b/;
const LISTS = /\b(glob|walk|readdir\w*|scandir|iterdir)\b|\bDir\[/g;
const OUTRIGHT = /^\s*\(?\s*['"](\/|~|\.{1,2})\/?\*?['"]/;

/** How far from what removes it a path may stand. */
const NEAR = 120;
const MOST_PLACES = 50;

/** Whether code removes folders that are not inside the project. */
export function whyNotRemoved({ text, language }: KnownCode, step: Step, place: GuardPlace): Objection | null {
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

/** A path with a name in it, and nothing else. */
const isPath = ({ text }: CodeText) => /^(~|\.|\/)?[\w.@*/~-]*\/[\w.@*/~-]*$/.test(text) && /\w/.test(text);

const WRITES =
  /write|append|puts|print|['"][wa]\+?b?\+?['"]|>>?|put_contents|copy|rename|symlink|unlink|chmod|remove|rmSync|truncate|mkdir|touch|\bmv\b|\bcp\b/i;
const READS = /\bopen|read|File\.|IO\.|slurp|cat|copy|require|file\(|file_get|get_contents|include/i;
const CLOSE = 80;

/** Whether code opens files that are not an agent's business. */
export function whyNotOpened({ text, language }: KnownCode, { cwd }: Step, place: GuardPlace): Objection | null {
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

/** The paths a text may stand for: as it is, from the home, and with the text after it. */
function spellingsOf(text: string, next: string | undefined, isAtHome: boolean): readonly string[] {
  if (!/^[~./\w][\w.@/~-]*$/.test(text) || !/[./~]/.test(text)) return [];
  const plain = absolute(text, { cwd: '', home: '~' }).replace(/^\/+(?=~)/, '');
  if (!isAtHome || text.startsWith('~')) return [text];
  const below = `~/${plain.replace(/^\/+/, '')}`;
  return [text, below, ...(next === undefined || /\s/.test(next) ? [] : [`${below}/${next}`])];
}
