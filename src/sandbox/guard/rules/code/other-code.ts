import type { CategoryNumber } from '../../categories.ts';
import { block, type Objection, type Rule, warn } from '../../rule.ts';
import { textsIn } from '../../shell/code-strings.ts';
import type { Step } from '../../step.ts';
import type { GuardPlace } from '../../verdict.ts';
import { whyNotSql } from '../databases.ts';
import { asksADatabase, becomesRoot, givesAShell, killsAll, neverHasEnough, runsDecoded, runsFetched, sendsData } from './code-patterns.ts';
import { dumpsEnvironment, printsSecretVariable } from './environment-dump.ts';
import { type KnownCode, whyNotOpened, whyNotRemoved } from './file-access.ts';

type Look = (code: KnownCode, step: Step, place: GuardPlace) => Objection | null;

const rule = (id: string, category: CategoryNumber, look: Look): Rule => ({
  id,
  category,
  names: null,
  look(step, place) {
    const { code } = step;
    if (code === null || code.language === 'sh' || code.language === 'awk' || code.stream.text === null) return null;
    return look({ language: code.language, by: code.by, text: code.stream.text }, step, place);
  },
});

/** What lies there is a program of the project, and known by more than single words in it. */
const softOnDisk =
  (look: Look): Look =>
  (code, step, place) => {
    const found = look(code, step, place);
    return found !== null && step.code?.isOnDisk === true ? warn(found.why) : found;
  };

const when =
  (does: (code: string) => boolean, why: string): Look =>
  ({ text }) =>
    does(text) ? block(why) : null;

/** What lies in a file may be a migration, which drops things for a good reason. */
const lookAtStatements: Look = ({ text, language, by }) => {
  if (by === 'file' || !asksADatabase(text)) return null;
  const found = textsIn(text, language).map((each) => whyNotSql(each.text));
  return found.find((each) => each?.level === 'block') ?? null;
};

/** What code in other languages than the shell's does. */
export const OTHER_CODE: readonly Rule[] = [
  rule('removes-more-than-the-project-by-code', 1, whyNotRemoved),
  rule('never-has-enough', 3, softOnDisk(when(neverHasEnough, 'This code starts or takes more and more until nothing else can run.'))),
  rule('sends-by-code', 4, when(sendsData, 'This code sends data to another machine; leave that to the operator.')),
  rule('gives-a-shell-by-code', 5, when(givesAShell, 'This code gives a shell to another machine; no agent needs that.')),
  rule('prints-all-variables-by-code', 6, ({ text, language }) =>
    dumpsEnvironment(text, language) || printsSecretVariable(text)
      ? block('This code shows variables that are secrets; ask the operator for what you need.')
      : null,
  ),
  rule('becomes-root-by-code', 7, when(becomesRoot, "This code becomes root; what needs root is the operator's to do.")),
  rule('runs-decoded-code', 12, softOnDisk(when(runsDecoded, 'This code runs what was made unreadable; write it out, so that everybody can see what is run.'))),
  rule('runs-fetched-code', 12, softOnDisk(when(runsFetched, 'This code runs what comes from the network unseen; save it, read it, and run it then.'))),
  rule('kills-everything-by-code', 14, when(killsAll, 'This code ends more than what you have started; end that by its number.')),
  rule('drops-tables-by-code', 16, lookAtStatements),
  rule('opens-sensitive-files-by-code', 18, whyNotOpened),
];
