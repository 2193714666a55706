import { surroundings } from '../../process/surroundings.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { type ExistingSettings, existingSettings } from './existing-settings.ts';
import { type Found, lookAround } from './look-around.ts';
import { SETTINGS, settingsAreThere } from './settings-place.ts';
import { writeSettings } from './write-settings.ts';
import { askOverwrite } from './ask-overwrite.ts';
import type { Interview } from './interview.ts';
import { type Answers, newSettings, settingsText } from './new-settings.ts';
import { questions } from './questions.ts';
import { dim, holdInterview, questionScreen } from './terminal-interview.ts';

/** Asks at the terminal, then writes. Nothing is written before the last answer. */
export async function initByAsking(cwd: string): Promise<number> {
  if (!surroundings().stdin.isTTY) throw noTerminal();
  await settingsAreThere(cwd);
  const [existing, found] = await Promise.all([existingSettings(cwd), lookAround(cwd)]);
  const screen = questionScreen();
  const ending = await holdInterview(wholeInterview(existing, found), screen);
  if (ending.kind === 'aborted') {
    screen.write('\nAborted.\n');
    return ending.exitCode;
  }
  if (ending.value === 'declined') return 0;
  await writeSettings(cwd, settingsText(newSettings(ending.value)));
  screen.write(`\nSettings written to ${SETTINGS}\n${dim('Next: say in PROMPT.md what is to be done, then: ralph run -f PROMPT.md', screen)}\n`);
  return 0;
}

function* wholeInterview(existing: ExistingSettings, found: Found): Interview<Answers | 'declined'> {
  return (yield* askOverwrite(existing)) ? yield* questions(found) : 'declined';
}

function noTerminal(): OperatorError {
  return new OperatorError('no-terminal', 'init requires an interactive terminal', {
    hint: 'In a script nothing can be asked: ralph init --yes takes what it finds, and flags for the rest.',
    exitCode: 2,
  });
}
