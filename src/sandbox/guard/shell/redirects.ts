import type { Redirection } from 'unbash';
import { absolute } from '../paths.ts';
import { joined, NOTHING, type Step, type Stream, textStream, UNKNOWN } from '../step.ts';
import { type Around, type Extras, NO_EXTRAS, type Scope, type Shell } from './shell.ts';
import { resolveHereDoc, resolveText } from './words.ts';

interface Redirects {
  readonly input: Stream | null;
  readonly extras: Extras;
}

/** The new input of a command, and the files it is redirected to or from. */
export function redirected(all: readonly Redirection[], shell: Shell, around: Around): Redirects {
  let { input } = around;
  const redirects: Step['redirects'][number][] = [];
  for (const each of all) {
    const read = readFrom(each, shell, around);
    input = read.input ?? input;
    if (read.file !== null) redirects.push(read.file);
  }
  return { input, extras: { ...NO_EXTRAS, redirects } };
}

interface Redirect {
  readonly input: Stream | null;
  readonly file: Step['redirects'][number] | null;
}

function readFrom(each: Redirection, shell: Shell, around: Around): Redirect {
  if (each.type === 'HereDoc') return { input: textStream(resolveHereDoc(each.body, shell, around)), file: null };
  if (each.target === undefined) return { input: null, file: null };
  const target = behindLinks(resolveText(each.target, shell, around), around.scope, shell.place.home);
  if (each.type === 'HereString') return { input: textStream(`${target}\n`), file: null };
  if (/^[<>]&$/.test(each.operator) && /^[\d-]+$/.test(target)) return { input: null, file: null };
  const isWrite = each.operator.includes('>');
  const read = isWrite ? null : (around.scope.files.get(absolute(target, { cwd: around.scope.cwd, home: shell.place.home })) ?? UNKNOWN);
  return { input: read, file: { isWrite, target } };
}

/** The name of a step that writes a file, with its path and its text. */
export const WRITTEN = '>';

/** Records what goes into a file, in case the same line runs it. */
export function written(out: Stream, redirects: Step['redirects'], { shell, around }: { readonly shell: Shell; readonly around: Around }): Stream {
  const writes = redirects.filter(({ isWrite }) => isWrite);
  for (const { target } of writes) {
    const path = absolute(target, { cwd: around.scope.cwd, home: shell.place.home });
    around.scope.files.set(path, joined(around.scope.files.get(path) ?? NOTHING, out));
    if (out.text !== null && out.text !== '') shell.runWords([WRITTEN, target], { ...around, input: out });
  }
  return writes.length > 0 ? NOTHING : out;
}

/** The most names of a path that are followed. */
const MOST_NAMES = 64;

/**
 * Resolves a word through the links that this line has created; returns the word itself when there is none. The last name is not resolved, because a command on
 * a link acts on the link.
 */
export function behindLinks(word: string, { links, cwd }: Pick<Scope, 'links' | 'cwd'>, home: string | null): string {
  if (links.size === 0 || !word.includes('/')) return word;
  const path = absolute(word, { cwd, home });
  let end = path.indexOf('/', 1);
  for (let names = 0; end !== -1 && names < MOST_NAMES; names += 1) {
    const target = links.get(path.slice(0, end));
    if (target !== undefined) return `${target === '/' ? '' : target}${path.slice(end)}`;
    end = path.indexOf('/', end + 1);
  }
  return word;
}
