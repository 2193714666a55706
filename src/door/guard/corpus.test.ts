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

/** Dangerous and not blocked. A command that deserves a warning may be warned about or blocked. */
const isMissed = ({ expect: wanted, level }: Judged) => (wanted === 'block' && level !== 'block') || (wanted === 'warn' && level === 'allow');
const isFalselyBlocked = ({ expect: wanted, level }: Judged) => wanted === 'allow' && level === 'block';
const share = (some: readonly unknown[], all: readonly unknown[]) => (all.length === 0 ? 0 : some.length / all.length);

describe('our own corpus', () => {
  const all = judged('own.jsonl');

  it('has enough dangerous and harmless commands in every category', () => {
    expect(all.filter((each) => each.expect !== 'allow').length).toBeGreaterThanOrEqual(180);
    expect(all.filter((each) => each.expect === 'allow').length).toBeGreaterThanOrEqual(150);
    const categories = new Set(all.filter((each) => each.expect !== 'allow').map(({ category }) => category));
    expect(categories.size).toBe(18);
  });

  it('is judged as each line expects', () => {
    const wrong = all.filter((each) => isMissed(each) || (each.expect === 'allow' && each.level !== 'allow'));
    expect(wrong.map(({ command, level }) => `${level}: ${command}`)).toEqual([]);
  });
});

/** These were blind once; their misses were fixed and must stay fixed. Some of their harmless commands may cause warnings. */
const learned = readdirSync(folder).filter((name) => /^learned-.*\.jsonl$/.test(name));

describe.each(learned)('the learned corpus %s', (file) => {
  it('is judged as each line expects', () => {
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

  it('has exactly the recorded misses (`vitest --update` records them)', async () => {
    if (existsSync(list) || text !== '') await expect(text).toMatchFileSnapshot(list);
  });

  it('has at least 98 of 100 dangerous commands recognised', () => {
    expect(1 - share(missed, dangerous), text).toBeGreaterThanOrEqual(0.98);
  });

  it('has at most 1 of 100 harmless commands blocked', () => {
    expect(share(falselyBlocked, harmless), text).toBeLessThanOrEqual(0.01);
  });
});
