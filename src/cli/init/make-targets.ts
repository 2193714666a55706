import type { Project } from './project.ts';

/** In the order make itself looks for them. */
const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];
const WANTED = ['lint', 'check', 'test'] as const;

export interface MakeTargets {
  readonly file: string;
  readonly targets: readonly (typeof WANTED)[number][];
}

/** Those of the targets we look for that the Makefile has. */
export function makeTargets({ texts }: Project): MakeTargets {
  const file = MAKEFILES.find((name) => texts.has(name)) ?? 'Makefile';
  const all = new Set((texts.get(file) ?? '').split('\n').flatMap(targetsOf));
  return { file, targets: WANTED.filter((target) => all.has(target)) };
}

/** `lint test: deps` names two targets; `test := x` is a variable, and a recipe begins with a tab. */
function targetsOf(line: string): readonly string[] {
  const [, targets = ''] = /^([^\s:=#][^:=#]*):(?!:{0,2}=)/.exec(line) ?? [];
  return targets.split(/\s+/);
}
