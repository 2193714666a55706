import { CATEGORIES, type CategoryNumber } from './categories.ts';
import { listWordFor, type ReadLists, readLists } from './lists.ts';
import { parseLine } from './parse-line.ts';
import type { Objection, Rule } from './rule.ts';
import { GENERAL_RULES, rulesFor } from './rules/all-rules.ts';
import { shown, withoutSigns } from './shell/holes.ts';
import { runWords } from './shell/run-words.ts';
import { openScope } from './shell/scope.ts';
import type { Around, Shell, Trouble } from './shell/shell.ts';
import { UNKNOWN } from './shell/stream.ts';
import { walkScript } from './shell/walk.ts';
import type { Step } from './step.ts';
import { type GuardFinding, type GuardPlace, type Verdict, verdictOf } from './verdict.ts';

const USUAL_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** What is said of one line at most. */
const MOST_FINDINGS = 20;

/** Whether a command line may be run: it is read as a shell would read it, and each simple command in it is judged. Never throws, and takes time in proportion to its length. */
export function judgeCommand(line: string, place: GuardPlace): Verdict {
  const shell = openShell(place, line.length);
  shell.runText(withoutSigns(line), aroundOf(place));
  const lists = readLists(place.lists);
  const findings = new Map<string, GuardFinding>();
  for (const step of shell.steps) {
    for (const finding of findingsOf(step, place, lists)) findings.set(`${finding.rule} ${finding.part}`, finding);
    if (findings.size >= MOST_FINDINGS) break;
  }
  return verdictOf([...[...shell.troubles].map((trouble) => troubleFinding(trouble, line)), ...findings.values()]);
}

function openShell(place: GuardPlace, length: number): Shell {
  const shell: Shell = {
    place,
    steps: [],
    troubles: new Set(),
    budget: 4_000 + 4 * length,
    runText(text, around) {
      const script = parseLine(text);
      if (script !== null) return walkScript(script, shell, around);
      shell.troubles.add('unreadable');
      return UNKNOWN;
    },
    runScript: (script, around) => walkScript(script, shell, around),
    runWords: (words, around, extras) => runWords(words, shell, around, extras),
  };
  return shell;
}

function aroundOf({ cwd, home }: GuardPlace): Around {
  // Whoever started it is not its to end: it counts as the first of all processes.
  const variables = { PPID: '1', HOME: home ?? '/root', SHELL: '/bin/bash', BASH: '/bin/bash', IFS: ' \t\n', TMPDIR: '/tmp', PATH: USUAL_PATH };
  return {
    scope: openScope(cwd, variables),
    input: null,
    isDetached: false,
    isPiped: false,
    isEndless: false,
    into: [],
    isInFile: false,
    isElsewhere: false,
    depth: 0,
    calling: [],
  };
}

function findingsOf(step: Step, place: GuardPlace, lists: ReadLists): readonly GuardFinding[] {
  const word = listWordFor(step, lists);
  if (word === 'allow') return [];
  if (word === 'deny') return [finding(LISTED, step, { level: 'block', why: 'The operator of this project does not allow this command; do it another way.' })];
  if (word === 'warn') return [finding(LISTED, step, { level: 'warn', why: 'The operator of this project wants this command used with care.' })];
  return [...rulesFor(step.name), ...GENERAL_RULES].flatMap((rule) => {
    const objection = rule.look(step, place);
    return objection === null ? [] : [finding(rule, step, objection)];
  });
}

const LISTED = { id: 'listed-by-the-project', category: 0 } as const;

function finding({ id, category }: Pick<Rule, 'id' | 'category'>, { part }: Step, { level, why }: Objection): GuardFinding {
  return { level, category, name: CATEGORIES[category], rule: id, why, part };
}

const TROUBLES: Readonly<Record<Trouble, string>> = {
  unreadable: 'This cannot be read as a shell would read it; write it more plainly, or into a script, and run that.',
  'too-deep': 'This is nested so deep that nobody can say what it does; write it as plain steps.',
  'too-much': 'This does more than can be looked at; do it in smaller steps.',
};

function troubleFinding(trouble: Trouble, line: string): GuardFinding {
  const category: CategoryNumber = 12;
  return { level: 'block', category, name: CATEGORIES[category], rule: `${trouble}-line`, why: TROUBLES[trouble], part: shown(line.slice(0, 200)) };
}
