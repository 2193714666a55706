import { basename } from 'node:path';
import type { Projection } from '../engine/contracts.ts';
import type { HideSecrets } from '../kit/pure/hide-secrets.ts';
import { isChildRun } from '../settings/schema/recipe-facts.ts';
import type { OpenedRun } from './opened-run.ts';
import { warnFunctionOf } from './run-options.ts';

interface PreparedNotifier {
  /** The run without the secrets of its channels: nothing that it starts gets them. */
  readonly openedRun: OpenedRun;
  readonly secrets: readonly string[];
  readonly open: (hide: HideSecrets) => Promise<readonly Projection[]>;
}

/** Reads whom the run tells. Loads nothing for a run that tells nobody. A child tells nobody either: the run that asked for it does. */
export async function prepareNotifier(openedRun: OpenedRun): Promise<PreparedNotifier> {
  const { settings, workspace, runFolder, journal, clock, options } = openedRun;
  const { notify } = settings;
  if (notify === undefined) return { openedRun, secrets: [], open: async () => [] };
  const { readSecrets, withoutSecretVariables } = await import('../people/notify/secrets.ts');
  const { env, cwd } = workspace;
  const { ready, missing, secrets } = await readSecrets(notify, { env, cwd });
  const isChild = isChildRun(settings);
  const without = { ...openedRun, workspace: { ...workspace, env: withoutSecretVariables(notify, env) } };
  const open = async (hide: HideSecrets) => {
    const warn = warnFunctionOf(options);
    for (const { name, why } of missing) warn(`${name} tells nobody: ${why}`);
    const [{ openNotifier }, { openTold }] = await Promise.all([import('../people/notify/notifier.ts'), import('../people/notify/channel-queue.ts')]);
    const told = await openTold(runFolder, journal.past.at(-1)?.seq ?? 0);
    return [
      openNotifier({
        ...{ channels: ready, intervalMs: notify.intervalMs, told, past: journal.past, project: basename(cwd) },
        ...{ cwd, env, hide, warn, nowMs: clock.nowMs },
      }),
    ];
  };
  return { openedRun: without, secrets, open: isChild ? async () => [] : open };
}
