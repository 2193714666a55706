import { importsOf, isProduct, isTestPlace, nameOf } from '../repository.ts';
import type { Trail } from './trail.ts';

/** Names of programs that check something else. */
const checking = /(?:^|[._-])(?:tests?|specs?|checks?|checker|verify|validate|smoke|e2e|ci|selftest|lint|runtests?|suite)(?:[._-]|$)|^(?:test|check)[A-Z_]/;
const isNamedSo = (path: string) => checking.test(nameOf(path));
/** `lib/x.spec.js` is a test in any folder. */
const isSpec = (path: string) => /[._-](?:test|spec)\.\w+$|(?:^|\/)test_[^/]*$/.test(path);
const isTool = (path: string) => /(?:^|\/)(?:scripts?|tools?|ci|hack|qa|checks?)\//.test(path);

const asserts = /\bassert\b|\bexpect\s*\(|\bshould\.|\bunittest\b|\bpytest\b|\bnode:test\b/;
const loads = /^\s*(?:import|from)\s+\.?\w|\brequire\s*\(|\bimport\s*\(/m;
const judges = /\b(?:diff|cmp|assert|pytest|jest|vitest|mocha|unittest|tests?|fail(?:ed|ures?)?)\b|--test\b|\|\|\s*exit|\bexit [1-9]/i;

interface Called {
  readonly path: string;
  readonly text: string;
  /** Whether its output is compared or kept: for a test only the exit code counts. */
  readonly isCompared: boolean;
  readonly isKept: boolean;
}

/** Whether a program that a gate starts is there to check others. Many gates also start the product and look at its output. */
export function isTestProgram({ path, text, isCompared, isKept }: Called, trail: Trail): boolean {
  if (isSpec(path) || isTestPlace(path)) return true;
  if (isProduct(path)) return false;
  if (isNamedSo(path) || (isTool(path) && !isCompared)) return true;
  if (isCompared || isKept) return false;
  return asserts.test(text) && (loads.test(text) || importsOf(text, '', trail.index).length > 0);
}

/** The same for a shell script or another program of the project, which is a decider unless it is the product. */
export function isProductProgram({ path, text, isCompared, isKept }: Called): boolean {
  if (isTestPlace(path) || isNamedSo(path)) return false;
  return isProduct(path) || ((isCompared || isKept) && !judges.test(text));
}
