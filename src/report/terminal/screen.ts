import { surroundings } from '../../process/surroundings.ts';
import { openPatientWriter, type PatientWriter } from './patient-writer.ts';
import { openUnblockedTerminal } from './unblocked-terminal.ts';

/** Where this process tells what happens: stderr, since stdout is for results. Nobody who stops reading there stops the loop. */
export function openScreen(): PatientWriter {
  const { stderr } = surroundings();
  return openPatientWriter((stderr.isTTY && openUnblockedTerminal()) || stderr);
}
