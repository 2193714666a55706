import type { Command } from 'commander';
import { AGENT_HELP } from '../../../agents/definitions.ts';
import { agentsOption, collect, type Finish, otherName, repeatable } from '../../../cli/shared/flags.ts';
import { addOptions, OUTPUT_OPTIONS, PROOF_OPTIONS, SANDBOX_OPTIONS } from '../../../cli/shared/setting-options.ts';

export function addRun(program: Command, finish: Finish): void {
  const run = program
    .command('run', { isDefault: true })
    .description('Run an agent on one prompt until it claims to be done and every check is green.')
    .argument('[prompt]', 'the prompt, in quotes');
  addOptions(run, 'run', [
    { title: 'Prompt and agent:', group: 'agent', options: PROMPT_AND_AGENT },
    { title: 'Proof:', group: 'proof', options: PROOF },
    { title: 'Limits:', group: 'limits', options: [] },
    SANDBOX_OPTIONS,
    { title: 'Resume and output:', group: 'output', options: OUTPUT },
  ]);
  run.action(async (prompt, options) => finish(await (await import('./run.ts')).runCommand(prompt ?? null, options)));
}

const PROMPT_AND_AGENT = [
  ['-p, --prompt <text>', 'the prompt'],
  ['-f, --prompt-file <path>', 'a file with the prompt, read again for every iteration; - reads standard input'],
  { flag: '--agent', help: AGENT_HELP },
  agentsOption,
  ...['--backend', '--tool', '--agent-kind', '--model', '--autonomy'],
] as const;

const PROOF = [
  repeatable('--check <command>', 'a shell command that must exit 0 before a claim counts, besides those in the settings; repeatable'),
  () => otherName('--guardrail <command>', 'check').argParser(collect),
  ...['--completion-response', '--completion-promise', '--require-proof', '--require-change', ...PROOF_OPTIONS],
] as const;

const OUTPUT = [
  ['--resume [run]', 'continue a run that was killed or stopped (default: the newest)'],
  '--stream-agent-output',
  ['--dry-run', 'print the command and the prompt, run nothing'],
  ...OUTPUT_OPTIONS,
] as const;
