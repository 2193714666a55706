import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shellQuote } from '../../src/kit/pure/shell-words.ts';
import { openGitPlace, type Place } from '../support/place.ts';
import { CLI, cleanEnv } from '../support/ralph.ts';
import { skipLoudly } from '../support/skip-loudly.ts';

/** Completes each line in a real bash, as Tab does after its last character. */
function completeInBash(place: Place, lines: readonly string[]): readonly (readonly string[])[] {
  const script = [
    `ralph() { ${shellQuote(process.execPath)} ${shellQuote(CLI)} "$@"; }`,
    'eval "$(ralph completion bash)"',
    ...lines.map((line) => {
      const words = line.split(' ').map(shellQuote).join(' ');
      return `COMP_WORDS=(ralph ${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _ralph; echo "\${COMPREPLY[*]}"`;
    }),
    'complete -p ralph',
  ].join('\n');
  const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-c', script], { cwd: place.path, encoding: 'utf8', env: cleanEnv(place.path, {}) });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const printed = stdout.trimEnd().split('\n');
  expect(printed.pop()).toBe('complete -o bashdefault -o default -F _ralph ralph');
  return printed.map((line) => line.split(' ').filter(Boolean));
}

/** In an interactive zsh Ctrl-X does what Tab does, and writes down the line. */
const ZSH_SETTINGS = `PROMPT=
autoload -Uz compinit; compinit -u -D
eval "$(ralph completion zsh)"
completed() { zle complete-word; print -r -- "$BUFFER" >> "$OUT"; BUFFER=; }
zle -N completed; bindkey '^X' completed
ready() { print -r -- ready >> "$OUT"; }; precmd_functions=(ready)
`;

/** Types each line into such a zsh, on a terminal of its own. */
const ZSH_TYPIST = `zmodload zsh/zpty
zpty shell zsh -f -i
until_lines() { for i in {1..3000}; do [[ -r $OUT && $(wc -l < $OUT) -ge $1 ]] && return; while zpty -r -t shell text; do :; done; sleep 0.02; done; exit 1; }
zpty -w shell "source $SETTINGS"
until_lines 1
n=1
for line in "$@"; do zpty -w -n shell "$line"$'\\x18'; until_lines $((++n)); done
zpty -d shell
cat "$OUT"
`;

/** With `ralph` on PATH, as people have it. */
async function placeWithRalph(): Promise<{ readonly place: Place; readonly env: Record<string, string> }> {
  const place = await openGitPlace();
  const bin = join(place.beside, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'ralph'), `#!/bin/sh\nexec ${shellQuote(process.execPath)} ${shellQuote(CLI)} "$@"\n`, { mode: 0o755 });
  await place.write('task-graph.yaml', 'nodes:\n  - id: T-1\n    title: One\nedges: []\n');
  await place.write('PROMPT.md', 'x\n');
  await mkdir(join(place.path, '.git', 'ralph', 'runs', '20260101-000000-aaaaaa'), { recursive: true });
  return { place, env: cleanEnv(place.beside, { PATH: `${bin}${delimiter}${process.env['PATH']}`, TERM: 'dumb' }) };
}

const isMissing = (shell: string) =>
  skipLoudly(spawnSync(shell, ['--version']).error === undefined ? null : `completion in ${shell}: there is no ${shell} here`);

describe('the script of ralph completion', () => {
  it('completes commands, options, run ids and task ids in bash', async () => {
    await using place = await openGitPlace();
    await place.write('task-graph.yaml', 'nodes:\n  - id: T-1\n    title: One\nedges: []\n');
    const { result } = await place.ralph(['run', 'x', '--agent', place.agent, '--guardrail', 'true', '--json']);
    const [run = ''] = String((result as { readonly run_folder: string }).run_folder)
      .split('/')
      .slice(-1);

    expect(completeInBash(place, ['sup', 'loop --check', 'runs show ', 'task show T', 'task show nope'])).toEqual([
      ['supervise'],
      ['--check', '--checks', '--check-timeout'],
      [run],
      ['T-1'],
      [],
    ]);
  });

  it.skipIf(isMissing('zsh'))('completes the same in zsh, and files where Ralph knows nothing better', async () => {
    const { place, env } = await placeWithRalph();
    await using _place = place;
    const [settings, typist] = [join(place.beside, 'settings.zsh'), join(place.beside, 'typist.zsh')];
    await writeFile(settings, ZSH_SETTINGS);
    await writeFile(typist, ZSH_TYPIST);
    const lines = ['ralph superv', 'ralph loop --check-t', 'ralph runs show ', 'ralph task show T', 'ralph run -f PRO'];
    const { stdout, stderr, status } = spawnSync('zsh', ['-f', typist, ...lines], {
      cwd: place.path,
      encoding: 'utf8',
      env: { ...env, OUT: join(place.beside, 'out'), SETTINGS: settings },
      timeout: 120_000,
    });

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const completed = ['supervise', 'loop --check-timeout', 'runs show 20260101-000000-aaaaaa', 'task show T-1', 'run -f PROMPT.md'];
    expect(stdout.split('\n').map((line) => line.trim())).toEqual(['ready', ...completed.map((line) => `ralph ${line}`), '']);
  });

  it.skipIf(isMissing('fish'))('completes the same in fish, and files only where Ralph knows nothing better', async () => {
    const { place, env } = await placeWithRalph();
    await using _place = place;
    const lines = ['superv', 'loop --check-t', 'runs show ', 'task show T', 'run -f PRO'];
    const script = `ralph completion fish | source; for line in ${lines.map((line) => `'ralph ${line}'`).join(' ')}; echo -- $line; complete -C $line; end`;
    const { stdout, stderr, status } = spawnSync('fish', ['--no-config', '-c', script], { cwd: place.path, encoding: 'utf8', env, timeout: 120_000 });

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const completed = ['supervise', '--check-timeout', '20260101-000000-aaaaaa', 'T-1', 'PROMPT.md'];
    expect(stdout.trimEnd().split('\n')).toEqual(lines.flatMap((line, index) => [`ralph ${line}`, completed[index] ?? '']));
  });
});
