import { countOf, currentDirectory } from '../../cli/shared/flags.ts';
import { untilSignalled } from '../../cli/shared/until-signalled.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { io } from '../../process/io.ts';
import { logsFolder } from '../../recipes/work/logs/log-entry.ts';
import { logFileIn, tailLog } from '../../recipes/work/logs/tail-log.ts';
import { stampedEntryText } from './entry-text.ts';

interface LogsFlags {
  readonly follow?: boolean;
  readonly lines?: string;
  readonly json?: boolean;
}

export async function logsCommand({ follow = false, lines, json = false }: LogsFlags): Promise<number> {
  const most = countOf('--lines', lines) ?? 20;
  const folder = await logsFolder(currentDirectory());
  using signalled = untilSignalled();
  const { signal } = signalled;
  const isThere = await tailLog(folder, (entry) => io().stdout.write(`${json ? JSON.stringify(entry) : stampedEntryText(entry)}\n`), {
    most,
    follow,
    signal,
  });
  if (!isThere && !follow) {
    throw new OperatorError('no-log', `there is no log at ${logFileIn(folder)}`, { hint: 'ralph work writes it; start one with: ralph work', exitCode: 2 });
  }
  return signalled.exitCode();
}
