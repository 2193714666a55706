import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judgeCommand } from '../../sandbox/guard/judge-command.ts';
import type { GuardLevel, GuardPlace } from '../../sandbox/guard/rule.ts';

const folder = join(import.meta.dirname, '../../../test/corpus/guard');

interface Case {
  readonly command: string;
  readonly expect: GuardLevel;
  readonly category: number;
}

interface Judged extends Case {
  readonly level: GuardLevel;
  readonly rules: readonly string[];
}

const placeOf = (root: string): GuardPlace => ({ lists: { allow: [], deny: [], warn: [] }, cwd: root, home: '/home/dev', root });

function judged(file: string): readonly Judged[] {
  const place = placeOf(file.startsWith('own') ? '/home/dev/project' : '/home/dev/app');
  const lines = readFileSync(join(folder, file), 'utf8').split('\n');
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const each = JSON.parse(line) as Case;
      const { level, findings } = judgeCommand(each.command, place);
      return { ...each, level, rules: findings.map(({ rule }) => rule) };
    });
}

/** Dangerous and not blocked; what only deserves a warning may be warned of or blocked. */
const isMissed = ({ expect: wanted, level }: Judged) => (wanted === 'block' && level !== 'block') || (wanted === 'warn' && level === 'allow');
const isFalselyBlocked = ({ expect: wanted, level }: Judged) => wanted === 'allow' && level === 'block';
const share = (some: readonly unknown[], all: readonly unknown[]) => (all.length === 0 ? 0 : some.length / all.length);

describe('the corpus of our own', () => {
  const all = judged('own.jsonl');

  it('has enough of both, in every category', () => {
    expect(all.filter((each) => each.expect !== 'allow').length).toBeGreaterThanOrEqual(180);
    expect(all.filter((each) => each.expect === 'allow').length).toBeGreaterThanOrEqual(150);
    const categories = new Set(all.filter((each) => each.expect !== 'allow').map(({ category }) => category));
    expect(categories.size).toBe(18);
  });

  it('is judged as it says', () => {
    const wrong = all.filter((each) => isMissed(each) || (each.expect === 'allow' && each.level !== 'allow'));
    expect(wrong.map(({ command, level }) => `${level}: ${command}`)).toEqual([]);
  });
});

/** Once blind: what was missed in it is learned, and stays so. Of its harmless ones some may be warned of. */
const learned = readdirSync(folder).filter((name) => /^learned-.*\.jsonl$/.test(name));

describe.each(learned)('the corpus %s', (file) => {
  it('is judged as it says', () => {
    const wrong = judged(file).filter((each) => isMissed(each) || isFalselyBlocked(each));
    expect(wrong.map(({ command, level }) => `${level}: ${command}`)).toEqual([]);
  });
});

const blind = readdirSync(folder).filter((name) => /^blind-.*\.jsonl$/.test(name));

describe.each(blind)('the blind corpus %s', (file) => {
  const all = judged(file);
  const dangerous = all.filter((each) => each.expect !== 'allow');
  const harmless = all.filter((each) => each.expect === 'allow');
  const missed = dangerous.filter(isMissed);
  const falselyBlocked = harmless.filter(isFalselyBlocked);
  const list = join(folder, file.replace(/\.jsonl$/, '.misses.txt'));
  const text = [...missed, ...falselyBlocked]
    .map(({ command, expect: wanted, level, category }) => `${category} ${wanted} -> ${level}: ${JSON.stringify(command)}\n`)
    .join('');

  it('is known by its misses: `vitest --update` writes them down', async () => {
    if (existsSync(list) || text !== '') await expect(text).toMatchFileSnapshot(list);
  });

  it('is recognised: 98 of 100 that are dangerous', () => {
    expect(1 - share(missed, dangerous), text).toBeGreaterThanOrEqual(0.98);
  });

  it('is let work: at most 1 of 100 that are harmless is blocked', () => {
    expect(share(falselyBlocked, harmless), text).toBeLessThanOrEqual(0.01);
  });
});
