import { block, type CategoryNumber, type GuardPlace, type Objection, type Rule, warn } from '../rule.ts';
import { type Sensitive, sensitiveToWrite } from '../sensitive-paths.ts';
import { readOptions } from '../shell/options.ts';
import type { Step } from '../step.ts';

type Written = (args: readonly string[]) => readonly string[];

const operands: Written = (args) => readOptions(args).operands;
const last: Written = (args) => readOptions(args, ['t', 'm', 'o', 'g', 'S', 'e']).operands.slice(-1);
const values =
  (...names: readonly string[]): Written =>
  (args) => {
    const read = readOptions(args, names);
    return names.flatMap((name) => read.values.get(name) ?? []);
  };

/** With -i, a filter writes the files it reads. */
const inPlace: Written = (args) => (args.some((word) => /^-[a-zA-Z]*i|^--i/.test(word)) ? readOptions(args, ['e', 'f']).operands : []);

/** The files a command writes, by its arguments. */
const WRITERS: Readonly<Record<string, Written>> = {
  tee: operands,
  sponge: operands,
  cp: (args) => [...last(args), ...values('t', '--target-directory')(args)],
  mv: (args) => [...last(args), ...operands(args).slice(0, -1), ...values('t', '--target-directory')(args)],
  install: last,
  ln: last,
  rsync: last,
  dd: (args) => args.flatMap((word) => (word.startsWith('of=') ? [word.slice('of='.length)] : [])),
  sed: inPlace,
  perl: inPlace,
  touch: operands,
  truncate: operands,
  rm: operands,
  unlink: operands,
  chmod: (args) => operands(args).slice(1),
  chown: (args) => operands(args).slice(1),
  mkdir: operands,
  shred: operands,
  patch: operands,
  curl: values('o', '--output', '--output-dir'),
  wget: values('O', 'P', '--output-document', '--directory-prefix'),
  tar: (args) =>
    args.some((word) => /^-?[a-zA-Z]*x|^--extract/.test(word))
      ? values('C', '--directory')(args)
      : values('f')(args.map((word, at) => (at === 0 && /^[a-zA-Z]+$/.test(word) ? `-${word}` : word))),
  unzip: values('d'),
  pip: values('t', '--target', '--prefix', '--root'),
  pip3: values('t', '--target', '--prefix', '--root'),
  npm: values('--prefix', 'C'),
  crontab: () => [],
  git: (args) => (args[0] === 'clone' ? operands(args).slice(2) : []),
  vi: operands,
  vim: operands,
  nano: operands,
  ed: operands,
  ex: operands,
  emacs: operands,
  visudo: () => ['/etc/sudoers'],
  'ssh-keygen': (args) => (readOptions(args, ['f', 'E', 'I', 'N', 't', 'b', 'C']).letters.has('l') ? [] : values('f')(args)),
};

function lookAtWriting(step: Step, place: GuardPlace): Sensitive | null {
  if (step.isElsewhere) return null;
  const written = Object.hasOwn(WRITERS, step.name) ? WRITERS[step.name] : undefined;
  const targets = step.name === '' ? step.redirects.flatMap(({ isWrite, target }) => (isWrite ? [target] : [])) : (written?.(step.args) ?? []);
  const found = targets.flatMap((path) => sensitiveToWrite(path, { ...place, cwd: step.cwd }) ?? []);
  return found.find((each) => each.level === 'block') ?? found[0] ?? null;
}

/** The objection to writing there. */
export const whyNotWritten = ({ level, what }: Sensitive): Objection =>
  level === 'block' ? block(`This writes ${what}; change only files of the project.`) : warn(`This writes ${what}; be sure that it is wanted.`);

/** One rule for each category that a path can have. */
const rule = (id: string, category: CategoryNumber): Rule => ({
  id,
  category,
  names: ['', ...Object.keys(WRITERS)],
  look(step, place) {
    const found = lookAtWriting(step, place);
    return found === null || found.category !== category ? null : whyNotWritten(found);
  },
});

export const PATHS: readonly Rule[] = [
  rule('writes-to-devices', 2),
  rule('lets-somebody-in-by-ssh', 5),
  rule('writes-who-may-become-root', 7),
  rule('writes-git-configuration', 10),
  rule('writes-system-configuration', 11),
  rule('writes-the-history', 13),
  rule('writes-to-the-kernel', 14),
  rule('writes-what-starts-by-itself', 15),
  rule('writes-sensitive-files', 18),
];
