import { readFile, stat } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { OperatorError } from '../../model/operator-error.ts';
import type { RunSettings } from '../../model/run-settings.ts';
import { resumeRun } from '../../wiring/resume-run.ts';
import type { FinishedRun } from '../../wiring/run-options.ts';
import { startRun } from '../../wiring/start-run.ts';
import { openTerminalConsole } from '../render/terminal-console.ts';
import type { RunFlags } from '../run-flags.ts';
import { settingsFromOptions } from '../settings-from-options.ts';

export async function runCommand(options: RunFlags): Promise<number> {
  const cwd = process.cwd();
  const around = {
    cwd,
    projections: (runFolder: string) => [openTerminalConsole(options, runFolder)],
    obeySignals: true,
    signal: new AbortController().signal,
  };
  if (options.resume !== undefined) return report(await resumeRun({ ...around, run: options.resume === true ? null : options.resume }), options);
  const over = settingsFromOptions(options);
  const prompt = await promptFrom(options);
  const request = { ...around, prompt, over, requireProof: options.requireProof === true };
  if (options.dryRun) return await (await import('./dry-run.ts')).dryRun(request);
  return report(await startRun(request), options);
}

function report({ outcome, view, runFolder }: FinishedRun, { json }: RunFlags): number {
  if (json) process.stdout.write(`${JSON.stringify({ ...view, run_folder: runFolder })}\n`);
  return outcome.exit_code;
}

/** Exactly one of the two, as seed 001 has it; its words for what is missing. */
async function promptFrom({ prompt, promptFile }: RunFlags): Promise<RunSettings['prompt']> {
  if (prompt !== undefined && promptFile !== undefined) throw wrong('cannot specify both --prompt and --prompt-file', 'Leave one of them out.');
  if (prompt !== undefined) return { from: 'text', text: prompt };
  if (promptFile === undefined)
    throw wrong('must specify prompt (--prompt or --prompt-file)', 'For example: ralph run -p "Make the tests pass" --agent claude');
  if (promptFile === '-') return { from: 'text', text: await readAll(process.stdin) };
  await refuseUnreadable(promptFile);
  return { from: 'file', path: promptFile };
}

async function refuseUnreadable(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw wrong(`prompt file not found: ${path}`, 'Check the path; it is relative to the directory you are in.');
  if (found.isDirectory()) throw wrong(`prompt file is a directory: ${path}`, 'Name a file.');
  await readFile(path).catch((error: Error) => {
    throw wrong(`prompt file cannot be read: ${path}: ${error.message}`, 'Check its permissions.');
  });
}

function wrong(message: string, hint: string): OperatorError {
  return new OperatorError('usage', message, { hint, exitCode: 2 });
}
