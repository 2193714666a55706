import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Private words of earlier versions, each with the usual word that replaced it (GLOSSARY.md). */
const AVOIDED: ReadonlyMap<string, string> = new Map([
  ['wall', 'sandbox'],
  ['walls', 'sandboxes'],
  ['crew', 'work or workers'],
  ['wish', 'request or options'],
  ['kin', 'related'],
  ['lane', 'worker'],
]);

/** Journals of earlier versions have these names, and so have the types of their events and settings. */
const RECORDED = new Set(['WallRefused']);

const SRC = join(import.meta.dirname, '../../src');
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'));
const texts = files.map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }));

/** The single words behind *Avoid* in GLOSSARY.md. */
const toAvoid = [...readFileSync(join(SRC, '../GLOSSARY.md'), 'utf8').matchAll(/\*Avoid:\* (.*)\.$/gm)]
  .flatMap(([, words = '']) => words.replaceAll(/ \([^)]*\)/g, '').split(', '))
  .filter((word) => /^[a-z-]+$/.test(word));

/** Those that the source has, because they have another meaning too. May only shrink. */
const MEANS_OTHERWISE: ReadonlySet<string> = new Set(
  `
alert allowance attempt audit available blocked bot cache callback canary cluster command container crew database dead dirt ending entry evidence
  execution feature filter hear history human init instruction issue item kind label lane lease letters locked log memory mirror model module nightly
  normalize notification order outcome overlay own period phase ping pipeline planted policy pool project provider push queue quota rate record
  reference rejected request reset response restore room round row score seat server session status step store strategy stuck sub-agent subscription
  suspended tag thread ticket timeout token transcript transition truth unblocked update upstream user validation version wall wrapper
  `
    .trim()
    .split(/\s+/),
);

const wordsOf = (name: string) =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-.]/);
const avoidedIn = (name: string) => wordsOf(name).filter((word) => AVOIDED.has(word));

describe('the names of the source', () => {
  it('have no avoided word in a file name', () => {
    expect(files.filter((path) => avoidedIn(basename(path)).length > 0)).toEqual([]);
  });

  it('have no avoided word in an exported name', () => {
    const exported = texts.flatMap(({ path, text }) =>
      [...text.matchAll(/^export (?:async )?(?:function\*?|const|interface|type) (\w+)/gm)].map(([, name = '']) => ({
        path,
        name,
      })),
    );
    expect(exported.length).toBeGreaterThan(1000);
    expect(exported.filter(({ name }) => !RECORDED.has(name) && avoidedIn(name).length > 0)).toEqual([]);
  });
});

/** Names that are declared, and texts with a space between two words, without what is put into them. */
const DECLARED = /\b(?:function\*?|const|interface|type|readonly) (\w+)/g;
const QUOTED = /'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`|"((?:[^"\\\n]|\\.)*)"/g;

function wordsIn(text: string): readonly string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|^import[^;]*;|\$\{[^}]*\}/gm, '');
  const sentences = [...code.matchAll(QUOTED)].map(([, ...all]) => all.join('')).filter((each) => /[a-z] [a-z]/.test(each));
  return [...[...code.matchAll(DECLARED)].flatMap(([, name = '']) => wordsOf(name)), ...sentences.flatMap((each) => each.toLowerCase().split(/[^a-z-]+/))];
}

describe('the words that the glossary avoids', () => {
  const used = texts.map(({ path, text }) => ({ path, words: new Set([...wordsOf(basename(path)), ...wordsIn(text)]) }));

  it('are in no name and no text of the source, but for those that also mean something else', () => {
    expect(toAvoid.length).toBeGreaterThan(150);
    const refused = toAvoid.filter((word) => !MEANS_OTHERWISE.has(word));
    expect(used.flatMap(({ path, words }) => refused.filter((word) => words.has(word)).map((word) => `${path}: ${word}`))).toEqual([]);
  });

  it('are what the exceptions are made for', () => {
    expect([...MEANS_OTHERWISE].filter((word) => !toAvoid.includes(word))).toEqual([]);
  });
});
