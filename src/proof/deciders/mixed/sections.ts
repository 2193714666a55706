import type { Split } from './manifest.ts';

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
