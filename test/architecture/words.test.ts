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
    const exported = files.flatMap((path) =>
      [...readFileSync(join(SRC, path), 'utf8').matchAll(/^export (?:async )?(?:function\*?|const|interface|type) (\w+)/gm)].map(([, name = '']) => ({
        path,
        name,
      })),
    );
    expect(exported.length).toBeGreaterThan(1000);
    expect(exported.filter(({ name }) => !RECORDED.has(name) && avoidedIn(name).length > 0)).toEqual([]);
  });
});
