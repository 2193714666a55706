import { nameOf } from '../repository.ts';
import type { Tool } from '../tools/tool.ts';

/** The claimed file with the base's part of it. Null: that part is the same. Whole: the entire file is a decider. */
export function splitMixed(path: string, { base, claimed }: Texts, tools: readonly Tool[]): Split | 'whole' | null {
  const name = nameOf(path);
  switch (name) {
    case 'package.json':
    case 'composer.json': {
      const keys = tools.filter(({ configuration }) => configuration.includes(name)).flatMap((tool) => tool.keys ?? []);
      const split = splitManifest({ base, claimed }, name, new Set(keys));
      return split === 'unreadable' ? 'whole' : split;
    }
    case 'pyproject.toml':
    case 'setup.cfg':
    case 'tox.ini':
      return splitSections(base, claimed, { name, owned: ownedBy(name, tools) });
    case 'Cargo.toml':
      return base === null
        ? 'whole'
        : splitSections(base, claimed, { name, owned: [...ownedBy(name, tools), ...(isSilencing(claimed) ? ['bin', 'example'] : [])] });
    case 'go.mod':
      return base === null ? 'whole' : splitGoMod(base, claimed);
    default:
      return 'whole';
  }
}

const ownedBy = (name: string, tools: readonly Tool[]) =>
  tools.filter(({ configuration }) => configuration.includes(name)).flatMap(({ sections }) => sections ?? []);

/** A program may have tests in its source, and these keys tell Cargo not to run them. */
const isSilencing = (text: string) => /^\s*(?:test|doctest|harness)\s*=/m.test(text);

/** The result for a mixed file: the base's part of it with the claimed rest. */
interface Split {
  /** The differences, each in a few words. */
  readonly why: readonly string[];
  readonly text: string;
}

/** Before and after; null if the file did not exist. */
interface Texts {
  readonly base: string | null;
  readonly claimed: string;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * The claimed package.json (or composer.json) with the base's version of those keys that the gate obeys; null if they are the same. Scripts are handled one
 * by one: an old one is the base's, a new one is the agent's, unless npm would run it before or after another.
 */
function splitManifest({ base, claimed }: Texts, name: string, keys: ReadonlySet<string>): Split | 'unreadable' | null {
  const before = base === null ? {} : objectIn(base);
  const after = objectIn(claimed);
  if (before === null || after === null) return 'unreadable';
  const why: string[] = [];
  const result = new Map(Object.entries(after));
  for (const key of keys) {
    const wanted = key === 'scripts' ? splitScripts(before, after, { name, why }) : before[key];
    if (canonical(wanted) === canonical(after[key])) continue;
    if (key !== 'scripts') why.push(`"${key}" in ${name} changed`);
    result.set(key, wanted);
  }
  return why.length === 0 ? null : { why, text: printed(result, claimed) };
}

/** Keeps the format of the claimed file. A key without a value is left out. */
function printed(result: ReadonlyMap<string, unknown>, claimed: string): string {
  const text = JSON.stringify(Object.fromEntries(result), null, indentOf(claimed)) + (claimed.endsWith('\n') ? '\n' : '');
  return claimed.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
}

const LIFECYCLE = ['install', 'uninstall', 'publish', 'pack', 'prepare', 'version', 'test', 'start', 'stop', 'restart', 'run'];

function splitScripts(before: Json, after: Json, { name: file, why }: { readonly name: string; readonly why: string[] }): Json | undefined {
  const old = recordOf(before['scripts']);
  const now = recordOf(after['scripts']);
  const names = new Set([...Object.keys(old), ...Object.keys(now), ...LIFECYCLE]);
  const isHook = (name: string) => names.has(name.replace(/^(?:pre|post)/, '')) && /^(?:pre|post)/.test(name);
  const added = Object.entries(now).filter(([name]) => !Object.hasOwn(old, name));
  const hooks = added.filter(([name]) => isHook(name)).map(([name]) => name);
  if (Object.entries(old).some(([name, line]) => canonical(now[name]) !== canonical(line))) why.push(`the scripts of ${file} changed`);
  for (const name of hooks) why.push(`${file} has a new ${name} script`);
  if (after['scripts'] === undefined && before['scripts'] === undefined) return undefined;
  const kept = Object.entries(now).filter(([name]) => !hooks.includes(name));
  return Object.fromEntries([...kept.map(([name, line]) => [name, Object.hasOwn(old, name) ? old[name] : line] as const), ...Object.entries(old)]);
}

function objectIn(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const recordOf = (value: unknown): Json => (isRecord(value) ? value : {});

/** The order of keys does not count. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1))) : inner,
  );
}

/** The indentation of the file; two spaces if it has none. */
const indentOf = (text: string) => /^\{\r?\n([ \t]{1,8})"/.exec(text)?.[1] ?? 2;

interface Section {
  /** Without brackets, quotes and spaces; empty for the text before the first heading. */
  readonly name: string;
  readonly text: string;
}

/**
 * The claimed TOML or INI with the base's version of those sections that the gate obeys; null if they are the same. Sections are found by their headings. The
 * text before the first heading is the base's too, since it may contain `tool.pytest.addopts = "…"`.
 */
export function splitSections(
  base: string | null,
  claimed: string,
  { name, owned }: { readonly name: string; readonly owned: readonly string[] },
): Split | null {
  const isOwned = (section: Section) => section.name === '' || (!isDependencies(section.name) && owned.some((each) => isBelow(section.name, each)));
  const isToml = name.endsWith('.toml');
  const before = sectionsOf(base ?? '', isToml).filter(isOwned);
  const after = sectionsOf(claimed, isToml);
  const names = [...new Set([...before, ...after.filter(isOwned)].map((section) => section.name))];
  const different = names.filter((each) => essence(before, each) !== essence(after, each));
  if (different.length === 0) return null;
  const placed = new Set<string>();
  const pieces: string[] = [];
  for (const section of after) {
    if (!different.includes(section.name)) pieces.push(section.text);
    else if (!placed.has(section.name)) pieces.push(...textsOf(before, section.name));
    placed.add(section.name);
  }
  const missing = different.filter((each) => !placed.has(each)).flatMap((each) => textsOf(before, each));
  return {
    why: different.map((each) => (each === '' ? `${name} changed` : `[${each}] in ${name} changed`)),
    text: [...pieces, ...missing].map(endLine).join(''),
  };
}

const endLine = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`);
const textsOf = (sections: readonly Section[], name: string) => sections.filter((section) => section.name === name).map(({ text }) => text);

/** `[tool]` may contain anything and counts alone; all others include the sections below them. */
const isBelow = (name: string, owner: string) => name === owner || (owner !== 'tool' && name.startsWith(owner) && /^[.:-]/.test(name.slice(owner.length)));

/** Dependencies are always the agent's. */
const isDependencies = (name: string) => /(?:^|\.)(?:\w+-)?dependencies(?:\.|$)/.test(name);

/** Keys of Cargo's [package] that no test can see. */
const told = /^(?:version|description|authors|license|license-file|readme|repository|homepage|documentation|keywords|categories)\s*=/;

/** Without blank lines and comments. */
function essence(sections: readonly Section[], name: string): string {
  return textsOf(sections, name)
    .map((text) =>
      text
        .split('\n')
        .map((line) => line.trimEnd())
        .filter((line) => !/^\s*(?:[#;].*)?$/.test(line) && !(name === 'package' && told.test(line)))
        .join('\n'),
    )
    .join('\n');
}

/** In TOML a string or a list may span lines: a line in it that looks like a heading is none. */
function sectionsOf(text: string, isToml: boolean): readonly Section[] {
  const sections: { name: string; lines: string[] }[] = [{ name: '', lines: [] }];
  const plain = isToml ? text.replace(quoted, (found) => found.replace(/[^\n]/g, ' ')).split('\n') : [];
  let depth = 0;
  for (const [at, line] of text.split(/(?<=\n)/).entries()) {
    const heading = depth === 0 && (!isToml || /^\s*\[/.test(plain[at] ?? '')) ? headingOf(line) : null;
    if (heading !== null) sections.push({ name: heading, lines: [] });
    else depth = Math.max(0, depth + brackets(plain[at] ?? ''));
    sections.at(-1)?.lines.push(line);
  }
  return sections.map(({ name, lines }) => ({ name, text: lines.join('') })).filter(({ name, text: own }) => name !== '' || own !== '');
}

const quoted = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*/g;
const brackets = (line: string) => line.split('[').length - line.split(']').length;

function headingOf(line: string): string | null {
  const [, name] = line.length > 500 ? [] : (/^\s*\[{1,2}([^[\]=]+)\]{1,2}\s*(?:[#;].*)?$/.exec(line.trimEnd()) ?? []);
  return name === undefined ? null : name.replace(/["'\s]/g, '');
}

/** The claimed go.mod with the base's `replace` and `toolchain`: a replaced package may contain the assertions. Null if they are the same. */
export function splitGoMod(base: string | null, claimed: string): Split | null {
  const pattern = /^(?:replace|toolchain|exclude|tool)\b[ \t]*(?:\([^)]*\)|[^\n]*)\r?\n?/gm;
  const before = (base ?? '').match(pattern) ?? [];
  const now = claimed.match(pattern) ?? [];
  const plain = (parts: readonly string[]) => parts.join('').replace(/\s+/g, ' ').trim();
  if (plain(before) === plain(now)) return null;
  return { why: ['the replaced modules in go.mod changed'], text: `${endLine(claimed.replace(pattern, ''))}${before.map(endLine).join('')}` };
}
