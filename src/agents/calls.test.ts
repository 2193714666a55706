import { describe, expect, it } from 'vitest';
import { OperatorError } from '../kit/pure/operator-error.ts';
import type { Autonomy, CallSpec, KnownFlags } from './agent-definition.ts';
import { definitions } from './definitions.ts';
import { definitionFor, definitionNamed } from './find-definition.ts';

const plain: CallSpec = {
  output: 'events',
  autonomy: 'full',
  model: null,
  budgetUsd: null,
  flags: [],
  asRoot: false,
  insideGit: true,
  isSandboxed: false,
  env: {},
  promptFile: '/attempt/prompt.md',
  cwd: '/work',
  judges: false,
};
const call = (agent: string, spec: Partial<CallSpec> = {}, known: KnownFlags = null) => definitionNamed(agent).call({ ...plain, ...spec }, known);
const line = (agent: string, spec: Partial<CallSpec> = {}, known: KnownFlags = null) => call(agent, spec, known).args.join(' ');

describe('the call of each agent at each autonomy', () => {
  it.each<[string, Autonomy, string]>([
    ['claude', 'full', '-p --output-format stream-json --verbose --dangerously-skip-permissions'],
    ['claude', 'edits', '-p --output-format stream-json --verbose --permission-mode acceptEdits'],
    ['claude', 'ask', '-p --output-format stream-json --verbose'],
    ['codex', 'full', 'exec --json --sandbox workspace-write -'],
    ['codex', 'edits', 'exec --json --sandbox workspace-write -'],
    ['codex', 'ask', 'exec --json --sandbox read-only -'],
    ['amp', 'full', '--dangerously-allow-all --stream-json -x'],
    ['amp', 'edits', '--stream-json -x'],
    ['amp', 'ask', '--stream-json -x'],
    ['opencode', 'full', 'run --format json --print-logs --log-level ERROR --auto'],
    ['opencode', 'edits', 'run --format json --print-logs --log-level ERROR'],
    ['opencode', 'ask', 'run --format json --print-logs --log-level ERROR'],
    ['gemini', 'full', '--output-format stream-json --approval-mode yolo --skip-trust'],
    ['gemini', 'edits', '--output-format stream-json --approval-mode auto_edit --skip-trust'],
    ['gemini', 'ask', '--output-format stream-json'],
    ['stream-json', 'full', ''],
    ['stream-json', 'ask', ''],
    ['command', 'full', ''],
    ['command', 'ask', ''],
  ])('%s, %s', (agent, autonomy, expected) => expect(line(agent, { autonomy })).toBe(expected));

  it.each([
    ['claude', '-p --output-format stream-json --verbose --dangerously-skip-permissions --model m --max-turns 5'],
    ['codex', 'exec --json --sandbox workspace-write --model m --max-turns 5 -'],
    ['opencode', 'run --format json --print-logs --log-level ERROR --auto --model m --max-turns 5'],
    ['gemini', '--output-format stream-json --approval-mode yolo --skip-trust --model m --max-turns 5'],
  ])("%s takes a model and the operator's flags, which come after ours", (agent, expected) => {
    expect(line(agent, { model: 'm', flags: ['--max-turns', '5'] })).toBe(expected);
  });

  it.each<[string, Autonomy, string]>([
    ['claude', 'full', '-p --output-format text --dangerously-skip-permissions --model m --max-turns 5'],
    ['claude', 'edits', '-p --output-format text --permission-mode acceptEdits --model m --max-turns 5'],
    ['claude', 'ask', '-p --output-format text --model m --max-turns 5'],
    ['codex', 'full', 'exec --sandbox workspace-write --model m --max-turns 5 -'],
    ['codex', 'ask', 'exec --sandbox read-only --model m --max-turns 5 -'],
  ])('%s, %s, asked for text, differs only in its format', (agent, autonomy, expected) => {
    expect(line(agent, { output: 'text', autonomy, model: 'm', flags: ['--max-turns', '5'] })).toBe(expected);
  });

  it('amp, asked for text, still has its message last', () => {
    expect(line('amp', { output: 'text', flags: ['--mode', 'smart'] })).toBe('--dangerously-allow-all --mode smart -x');
    expect(line('amp', { output: 'text', autonomy: 'edits' })).toBe('-x');
  });

  it.each(['amp', 'stream-json', 'command'])('%s reports that it has no option for a model', (agent) => {
    expect(() => call(agent, { model: 'm' })).toThrow(OperatorError);
  });

  it.each(definitions.map(({ name }) => name))('%s never gets the prompt as an argument', (agent) => {
    expect(line(agent)).not.toContain('prompt');
  });
});

describe('an agent that judges', () => {
  it.each<[string, KnownFlags, string]>([
    ['claude', null, '-p --output-format stream-json --verbose --setting-sources user --strict-mcp-config --tools Read,Grep,Glob'],
    [
      'codex',
      new Set(['--sandbox', '--ignore-rules']),
      'exec --json --sandbox read-only --ignore-rules -c features.shell_tool=false -c features.unified_exec=false -c features.code_mode=false -c project_doc_max_bytes=0 -c skills.include_instructions=false -c projects={"/work"={trust_level="untrusted"}} -',
    ],
    ['amp', null, '--dangerously-allow-all --stream-json -x'],
  ])('%s takes nothing from the work tree, and gets no tool that runs or writes, if it supports that', (agent, known, expected) => {
    expect(line(agent, { judges: true }, known)).toBe(expected);
  });

  it('takes the settings that the operator names', () => {
    expect(line('claude', { judges: true, flags: ['--setting-sources', 'user,project'] })).toMatch(
      /--verbose --tools Read,Grep,Glob --setting-sources user,project$/,
    );
  });

  it('is sealed only where its own flags say so, and the operator has not chosen others', () => {
    const judge = (agent: string, ...flags: readonly string[]) => definitionNamed(agent).judge?.(flags);
    expect(judge('claude', '--settings', '{}', '--model', 'x')).toEqual({ isSealed: true, canRead: true });
    expect(judge('codex', '-c', 'model_reasoning_effort="high"')).toEqual({ isSealed: true, canRead: false });
    for (const flag of ['--tools', '--tools=Bash', '--mcp-config', '--setting-sources', '--plugin-dir']) expect(judge('claude', flag)?.isSealed).toBe(false);
    for (const flag of ['--yolo', '--enable', '-p', 'features.shell_tool=true', '-cfeatures.shell_tool=true', '--config=mcp_servers.x={}'])
      expect(judge('codex', flag)?.isSealed).toBe(false);
    for (const agent of ['amp', 'gemini', 'opencode', 'stream-json', 'command']) expect(judge(agent)).toBeUndefined();
  });
});

describe('claude', () => {
  it('as root is refused full autonomy in one clear line', () => {
    const refusal = { code: 'claude-as-root', exitCode: 4, hint: expect.stringContaining('IS_SANDBOX=1') };
    expect(() => call('claude', { asRoot: true })).toThrow(expect.objectContaining(refusal));
    expect(() => call('claude', { asRoot: true, env: { IS_SANDBOX: '0' } })).toThrow(expect.objectContaining(refusal));
    expect(() => call('claude', { asRoot: true, autonomy: 'ask', flags: ['--permission-mode', 'bypassPermissions'] })).toThrow(
      expect.objectContaining(refusal),
    );
  });

  it('as root may do anything in a sandbox, and only edit without one', () => {
    expect(line('claude', { asRoot: true, env: { IS_SANDBOX: '1' } })).toContain('--dangerously-skip-permissions');
    expect(call('claude', { asRoot: true, isSandboxed: true }).env).toEqual({ IS_SANDBOX: '1' });
    expect(call('claude', { isSandboxed: true }).env).toEqual({});
    expect(line('claude', { asRoot: true, autonomy: 'edits' })).toContain('acceptEdits');
  });

  it('has only the permission mode that the operator chose', () => {
    const args = '-p --output-format stream-json --verbose';
    expect(line('claude', { flags: ['--permission-mode', 'plan'] })).toBe(`${args} --permission-mode plan`);
    expect(line('claude', { flags: ['--permission-mode=dontAsk'] })).toBe(`${args} --permission-mode=dontAsk`);
  });
});

describe('codex', () => {
  it('gets --full-auto where its help offers no sandbox', () => {
    expect(line('codex', {}, new Set(['--json', '--full-auto']))).toBe('exec --json --full-auto -');
    expect(line('codex', { autonomy: 'ask' }, new Set(['--json']))).toBe('exec --json -');
  });

  it('gets --sandbox wherever its help offers it, even beside --full-auto', () => {
    expect(line('codex', {}, new Set(['--sandbox', '--full-auto']))).toBe('exec --json --sandbox workspace-write -');
  });

  it.each(['--json', '--experimental-json'])('has the format the operator chose, once: %s', (flag) => {
    expect(line('codex', { flags: [flag] })).toBe(`exec --sandbox workspace-write ${flag} -`);
  });

  it('has the model the operator chose, once', () => {
    expect(line('codex', { model: 'a', flags: ['-m', 'b'] })).toBe('exec --json --sandbox workspace-write -m b -');
  });

  it('is told to run where there is no repository', () => {
    expect(line('codex', { insideGit: false })).toBe('exec --json --sandbox workspace-write --skip-git-repo-check -');
  });

  it.each([['--sandbox', 'danger-full-access'], ['-s', 'read-only'], ['--sandbox=read-only'], ['--yolo'], ['--dangerously-bypass-approvals-and-sandbox']])(
    'has the sandbox the operator chose: %s',
    (...flags) => expect(line('codex', { flags })).toBe(`exec --json ${flags.join(' ')} -`),
  );
});

describe('amp', () => {
  it('gets its allow-all flag only where its help still names it', () => {
    expect(line('amp', {}, new Set(['--execute', '--stream-json']))).toBe('--stream-json -x');
    expect(line('amp', {}, new Set(['--dangerously-allow-all']))).toBe('--dangerously-allow-all --stream-json -x');
  });
});

describe('any other command', () => {
  it.each(['command', 'stream-json'])('also gets its prompt as a file (%s)', (agent) => {
    expect(call(agent).env).toEqual({ RALPH_PROMPT_FILE: '/attempt/prompt.md' });
  });
});

describe('the agent behind a command', () => {
  it.each([
    ['claude', 'claude'],
    ['/opt/bin/claude', 'claude'],
    ['CLAUDE.EXE', 'claude'],
    ["'C:\\Tools\\Claude.exe' --x", 'claude'],
    ['codex --profile work', 'codex'],
    ['amp', 'amp'],
    ['opencode', 'opencode'],
    ['gemini', 'gemini'],
    ['node agent.mjs', 'command'],
    ['./my-claude.sh', 'command'],
    ['stream-json', 'command'],
    ['', 'command'],
  ])('%j is %s', (command, agent) => expect(definitionFor(command).name).toBe(agent));

  it('can be chosen by name', () => {
    expect(definitionNamed('stream-json').name).toBe('stream-json');
    expect(() => definitionNamed('hal')).toThrow(expect.objectContaining({ code: 'unknown-agent', exitCode: 2 }));
  });

  it('is asked for its flags only where versions differ', () => {
    expect(definitions.filter(({ helpArgs }) => helpArgs !== null).map(({ name }) => name)).toEqual(['codex', 'amp']);
  });
});
