import type { Code } from '../step.ts';
import type { Running } from './code-of.ts';
import { commandLines, runsCommands } from './code-strings.ts';
import { asText, hasHole } from './holes.ts';
import { callScope, innerScope } from './scope.ts';
import { type Around, runLoosely, type Shell } from './shell.ts';
import { type Stream, UNKNOWN } from './stream.ts';
import { ITSELF } from './walk.ts';

/** Runs code on paper, and says what it prints; null: that is known of the command better. */
export function runCode(running: Running, shell: Shell, inner: Around): Stream | null {
  const { code, script } = running;
  const { text, origin } = code.stream;
  if (script !== null && inner.calling.includes(script.path)) return shell.runWords([ITSELF, script.called], inner);
  if (text === null || /^\s*[\uE000\uE001\uE004]\s*$/.test(text)) return { text: null, origin };
  const calling = script === null ? inner.calling : [...inner.calling, script.path];
  const there = { ...inner, calling, input: code.by === 'stdin' ? null : inner.input, isInFile: inner.isInFile || code.isOnDisk };
  return code.language === 'sh' ? runShell(running, text, { shell, around: there }) : runOther(code, text, { shell, around: there });
}

interface Where {
  readonly shell: Shell;
  readonly around: Around;
}

function runShell({ code, args, isApart, script, called }: Running, text: string, { shell, around }: Where): Stream {
  const scope = isApart ? callScope(innerScope(around.scope), args) : around.scope;
  // Scripts find their own folder by these; one that is sourced has no name of its own.
  if (script !== null) scope.variables.set('BASH_SOURCE', [script.called]);
  if (isApart && called !== null) scope.variables.set('0', called);
  if (!code.isOnDisk) return shell.runText(asText(text), { ...around, scope });
  runLoosely(shell, asText(text), { ...around, scope });
  return UNKNOWN;
}

function runOther({ language, stream }: Code, text: string, { shell, around }: Where): Stream | null {
  const lines = runsCommands(text) ? commandLines(text, language) : [];
  for (const line of lines.filter((each) => !hasHole(each))) runLoosely(shell, line, { ...around, input: null });
  return language === 'awk' ? null : { text: null, origin: stream.origin };
}
