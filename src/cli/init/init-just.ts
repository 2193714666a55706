import { surroundings } from '../../process/surroundings.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { type JustAnswer, writeJustfile } from './write-justfile.ts';
import type { InitFlags } from './init-flags.ts';

/** `ralph init --just`: recipes for `just`, and no settings. */
export async function initJust(cwd: string, flags: InitFlags): Promise<number> {
  refuseFlagsOfSettings(flags);
  const answer = await writeJustfile(cwd, { force: flags.force ?? false, dryRun: flags.dryRun ?? false });
  if (flags.json) surroundings().stdout.write(`${JSON.stringify({ file: answer.file, written: answer.written, import: answer.importLine?.line ?? null })}\n`);
  else surroundings().stdout.write(flags.dryRun ? answer.text : `${lines(answer).join('\n')}\n`);
  return 0;
}

/** They would be dropped without a word. */
function refuseFlagsOfSettings({ just: _just, force: _force, dryRun: _dryRun, json: _json, ...others }: InitFlags): void {
  const [first] = Object.keys(others);
  if (first === undefined) return;
  throw new OperatorError('usage', '--just writes no settings', { hint: 'Run ralph init once more without it for those.', exitCode: 2 });
}

function lines({ file, written, importLine }: JustAnswer): readonly string[] {
  const what = written ? `Recipes written to ${file}` : `${file} has the recipes already`;
  if (importLine === null) return [`${what}; just --list shows them`];
  return [what, `There is a ${importLine.into} already, and it is left as it is. Add this line to it:`, '', `  ${importLine.line}`, ''];
}
