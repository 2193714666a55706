import { surroundings } from '../../process/surroundings.ts';
import { oneLine } from '../../kit/pure/one-line.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { lookAround } from './look-around.ts';
import { SETTINGS, settingsAreThere } from './settings-place.ts';
import { writeSettings } from './write-settings.ts';
import { answersFromFlags, type UnaskedAnswers } from './answers-from-flags.ts';
import type { InitFlags } from './init-flags.ts';
import { newSettings, settingsText } from './new-settings.ts';

/** `ralph init --yes`: for scripts. Result on standard output, what it was made of on standard error. */
export async function initUnasked(cwd: string, flags: InitFlags): Promise<number> {
  if ((await settingsAreThere(cwd)) && !flags.force) {
    throw new OperatorError('settings-exist', `${SETTINGS} is there already`, { hint: 'Add --force to replace it.', exitCode: 2 });
  }
  const unasked = answersFromFlags(flags, await lookAround(cwd));
  const settings = newSettings(unasked.answers);
  const text = settingsText(settings);
  if (!flags.dryRun) await writeSettings(cwd, text);
  const written = !flags.dryRun;
  if (flags.json) {
    const { agent, guardrails } = unasked;
    surroundings().stdout.write(`${JSON.stringify({ file: SETTINGS, written, agent, guardrails, settings })}\n`);
    return 0;
  }
  surroundings().stderr.write(`${madeOf(unasked).map(oneLine).join('\n')}\n`);
  surroundings().stdout.write(written ? `Settings written to ${SETTINGS}\n` : text);
  return 0;
}

function madeOf({ agent, guardrails }: UnaskedAnswers): readonly string[] {
  const gates = guardrails.map(({ command, from }) => `Guardrail: ${command} (from ${from})`);
  const none = 'warning: there is no guardrail, so nothing will prove that work is done; name one with --guardrail';
  return [`Agent: ${agent.command} (from ${agent.from})`, ...(gates.length === 0 ? [none] : gates)];
}
