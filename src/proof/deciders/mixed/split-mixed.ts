import { nameOf } from '../repository.ts';
import type { Tool } from '../tools/tool.ts';
import { type Split, splitManifest, type Texts } from './manifest.ts';
import { splitGoMod, splitSections } from './sections.ts';

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
