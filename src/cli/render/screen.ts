import { openPatientWriter, type PatientWriter } from './patient-writer.ts';
import { openUnblockedTerminal } from './unblocked-terminal.ts';

/** Where this process tells what happens: stderr, since stdout is for results. Nobody who stops reading there stops the loop. */
export function openScreen(): PatientWriter {
  return openPatientWriter((process.stderr.isTTY && openUnblockedTerminal()) || process.stderr);
}
