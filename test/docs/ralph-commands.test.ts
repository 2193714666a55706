import { describe, expect, it } from 'vitest';
import { andSoOn, commandsInMarkdown, commandsInSource, placeholder, readingsOf } from './ralph-commands.ts';
import { shellCommands } from './shell-words.ts';

const textsIn = (markdown: string) => commandsInMarkdown(markdown).map((command) => command.text);

describe('finding printed commands', () => {
  it('finds shell lines and inline code that begin with ralph', () => {
    const page = ['Try `ralph run` or `npm test`.', '```sh', 'npm ci', 'ralph run --agent claude', 'npx ralph run', 'cat x | ralph run', '```'].join('\n');
    expect(commandsInMarkdown(page)).toEqual([
      { line: 1, text: 'ralph run' },
      { line: 4, text: 'ralph run --agent claude' },
      { line: 5, text: 'npx ralph run' },
      { line: 6, text: 'cat x | ralph run' },
    ]);
  });

  it('ignores output if commands have a prompt', () => {
    expect(textsIn('```console\n$ ralph run\nralph is running\n```')).toEqual(['ralph run']);
  });

  it('ignores blocks of other languages', () => {
    expect(textsIn('```json\nralph run\n```\n```\nralph run\n```')).toEqual([]);
  });

  it('joins continued lines', () => {
    expect(textsIn('```sh\nralph run \\\n  --agent claude \\\n  --verbose\n```')).toEqual(['ralph run  --agent claude  --verbose']);
  });

  it('ignores words that only begin with ralph', () => {
    expect(textsIn('`ralph-proof x` `ralph` `ralph/tasks.json`')).toEqual([]);
  });

  it('reads the strings of a source file, not its comments', () => {
    const source = ['// Later: `ralph work`', "const hint = 'Run `ralph init` first.';", 'const next = `ralph run --resume ${id}`;'].join('\n');
    expect(commandsInSource(source).map((command) => command.text)).toEqual(['ralph init', 'ralph run --resume ${id}']);
  });
});

describe('reading a printed command', () => {
  it.each([
    ['ralph run', [['run']]],
    ['npx ralph run', [['run']]],
    ['setsid ralph run > log 2>&1 < /dev/null &', [['run']]],
    ['CI=1 ralph run', [['run']]],
    ['ralph run --resume <id>', [['run', '--resume', placeholder]]],
    ['ralph run --resume ${id}', [['run', '--resume', placeholder]]],
    ['ralph run --max-iterations N', [['run', '--max-iterations', placeholder]]],
    ['ralph run [--resume [RUN]]', [['run', '--resume', placeholder], ['run'], ['run', '--resume']]],
    [
      'ralph run --agent claude|codex',
      [
        ['run', '--agent', 'claude'],
        ['run', '--agent', 'codex'],
      ],
    ],
    [
      'ralph run --agent <claude|codex>',
      [
        ['run', '--agent', 'claude'],
        ['run', '--agent', 'codex'],
      ],
    ],
    ['ralph run …', [['run', andSoOn]]],
    ['ralph run ...', [['run', andSoOn]]],
    ['ralph run <file>...', [['run', placeholder, andSoOn]]],
    ['ralph run "fix it" # comment', [['run', 'fix it']]],
    ['cat a | ralph run > log && echo done', [['run']]],
  ])('%s', (text, readings) => {
    expect(readingsOf(text)).toEqual(readings);
  });
});

describe('cutting a shell line', () => {
  it.each([
    [`a 'b c' "d \\"e\\"" f\\ g`, [['a', 'b c', 'd "e"', 'f g']]],
    ['a && b; c || d', [['a'], ['b'], ['c'], ['d']]],
    ['a > file 2>&1 < in b', [['a', 'b']]],
    ["a --x='y z' # rest", [['a', '--x=y z']]],
    ['# only a comment', []],
    ['a b#c', [['a', 'b#c']]],
  ])('%s', (line, commands) => {
    expect(shellCommands(line)).toEqual(commands);
  });
});
