import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandPort, CommandRequest } from '../../engine/ports/command.ts';
import { openScope } from '../../kit/async/scope.ts';
import { withoutGitVariables } from '../../kit/pure/without-git-variables.ts';
import { openGuardian } from '../../process/guardian.ts';
import { openShell } from '../../sandbox/command-shell.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { openMask } from '../../sandbox/environment/open-mask.ts';

/** Runs checks outside a run, without a sandbox, as the operator would by hand. No process that they start outlives it. */
export interface CheckShell extends AsyncDisposable {
  readonly shell: CommandPort;
  /** The marker and the log of one run. */
  placeOf(number: number): Pick<CommandRequest, 'marker' | 'logFile'>;
}

export async function openCheckShell(name: string): Promise<CheckShell> {
  const scope = openScope();
  const marker = `${name}-${randomUUID()}`;
  const guardian = openGuardian(`${marker}/`);
  scope.defer(() => guardian.close());
  const logs = await mkdtemp(join(tmpdir(), `ralph-${name}-`));
  scope.defer(() => rm(logs, { recursive: true, force: true }));
  const shell = openShell({
    env: withoutGitVariables(environment()),
    mask: openMask(environment()).openStream,
    guardian: { ...guardian, reportLeft: () => undefined },
  });
  return {
    shell,
    placeOf: (number) => ({ marker: `${marker}/${number}`, logFile: join(logs, `${number}.log`) }),
    [Symbol.asyncDispose]: () => scope[Symbol.asyncDispose](),
  };
}
