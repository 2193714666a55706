import { oneLine } from '../../kit/pure/one-line.ts';
import { OperatorError } from '../../model/operator-error.ts';
import { secretsInEnvironment } from '../../wiring/environment.ts';
import { resumeRun } from '../../wiring/resume-run.ts';
import type { FinishedRun } from '../../wiring/run-options.ts';
import { startRun } from '../../wiring/start-run.ts';
import { currentDirectory } from '../current-directory.ts';
import { promptFrom } from '../prompt-from.ts';
import { openTerminalConsole } from '../render/terminal-console.ts';
import type { RunFlags } from '../run-flags.ts';
import { settingsFromOptions } from '../settings-from-options.ts';
import { withFatalResult } from './fatal-result.ts';

export function runCommand(options: RunFlags): Promise<number> {
  return options.json ? withFatalResult((onStarted) => run(options, onStarted)) : run(options, () => undefined);
}

async function run(options: RunFlags, onStarted: (runFolder: string) => void): Promise<number> {
  const around = {
    cwd: currentDirectory(),
    projections(runFolder: string) {
      onStarted(runFolder);
      return [openTerminalConsole(options, runFolder, secretsInEnvironment())];
    },
    obeySignals: true,
    signal: new AbortController().signal,
    warn: (text: string) => void process.stderr.write(`warning: ${oneLine(text)}\n`),
  };
  const { resume } = options;
  if (resume !== undefined) {
    refuseOtherSettings(options);
    return report(await resumeRun({ ...around, run: resume === true ? null : resume }), options);
  }
  const over = settingsFromOptions(options);
  const request = { ...around, over, prompt: await promptFrom(options), requireProof: options.requireProof === true };
  if (options.dryRun) return await (await import('./dry-run.ts')).dryRun(request, options.json === true);
  return report(await startRun(request), options);
}

function report({ outcome, view, runFolder }: FinishedRun, { json }: RunFlags): number {
  if (json) process.stdout.write(`${JSON.stringify({ ...view, run_folder: runFolder })}\n`);
  return outcome.exit_code;
}

/** What a run cannot take up again would be dropped without a word. */
function refuseOtherSettings({ resume, json, quiet, verbose, ...others }: RunFlags): void {
  const [other] = Object.keys(others);
  if (other === undefined) return;
  const flag = `--${other.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw new OperatorError('usage', `cannot specify both --resume and ${flag}`, {
    hint: 'A run goes on with the settings it was started with; leave the flag out, or start a new run.',
    exitCode: 2,
  });
}
