import { isSecretName } from '../../shell/parameters.ts';
import type { Language } from '../../step.ts';

/** The whole environment, where no single variable is taken from it. */
const WHOLE: Readonly<Partial<Record<Language, RegExp>>> = {
  node: /\bprocess\.env\b(?!\s*(\?\.|\.|\[))/g,
  python: /\bos\.environb?\b(?!\s*(\[|\.(get|copy|pop|setdefault|update|clear)\b))/g,
  ruby: /\bENV\b(?!\s*(\[|\.(fetch|key\?|has_key\?|delete|store|update|include\?)))/g,
  perl: /%ENV\b|%\{?ENV\}?/g,
  php: /\$_(ENV|SERVER)\b(?!\s*\[)|\bgetenv\s*\(\s*\)/g,
};

/** Passed on to a process, copied, asked for a name, or taken apart. */
const PASSED = /(\.\.\.|\*\*|\benv(ironment)?["']?\s*(:|=>?)\s*(dict\(|\{)?|[}\])]\s*=\s*|\bin\s+|\|\s*|assign\([^)]{0,20}|\bdelete\s+|\blocal\s*\(?)\s*$/;
const LISTED = /\bfor\b[^;{]{0,40}\b(in|of)\s+$/;
const KEPT = /\b(\w{1,40})\s*=\s*(dict\()?\s*$/;
const BEFORE = 50;

/** Whether code shows every variable, secrets among them. */
export function dumpsEnvironment(code: string, language: Language): boolean {
  const whole = WHOLE[language];
  if (whole === undefined) return false;
  return [...code.matchAll(whole)].slice(0, MOST_PLACES).some(({ index }) => isShown(code, code.slice(Math.max(index - BEFORE, 0), index)));
}

const MOST_PLACES = 50;

function isShown(code: string, before: string): boolean {
  if (LISTED.test(before)) return true;
  if (PASSED.test(before)) return false;
  const name = KEPT.exec(before)?.[1];
  return name === undefined || new RegExp(`(log|print\\w*|puts|stringify|dumps|inspect|echo|write|Dumper)\\W{1,3}${name}\\s*[,);]`).test(code);
}

const SINGLE = /\b(?:process\.env(?:\.|\[['"])|os\.environ(?:\.get\(|\[)['"]|os\.getenv\(['"]|ENV(?:\.fetch\(|[[{])['"]?|getenv\(['"])(\w+)/g;
const PRINTS = /(console\.\w+|\bprint\w*|\bputs|\becho|\bpp?|\bsay|write)\s*\(?[^;\n!]{0,30}$/;
/** Whether it is there may be asked. */
const ONLY_ASKED = /^['"\])}]*\s*(\?|\.length|!==?|===?|is\b|&&)/;

/** Whether code prints one variable that is a secret. */
export const printsSecretVariable = (code: string): boolean =>
  [...code.matchAll(SINGLE)]
    .slice(0, MOST_PLACES)
    .some(
      ({ 0: found, 1: name = '', index }) =>
        isSecretName(name) &&
        PRINTS.test(code.slice(Math.max(index - BEFORE, 0), index)) &&
        !ONLY_ASKED.test(code.slice(index + found.length, index + found.length + BEFORE)),
    );
