import type { Projection } from '../../../engine/projection.ts';
import { keepHeartbeat } from './heartbeat-file.ts';
import { keepLaneLogs } from './lane-logs.ts';
import { keepWorkLog } from './work-log.ts';
import { openSecretHider } from '../../../kit/pure/hide-secrets.ts';
import type { WorkSpec } from '../../../settings/schema/work-spec.ts';
import { secretsInEnvironment } from '../../../sandbox/environment/environment.ts';

interface Means {
  readonly nowMs: () => number;
  readonly warn: (text: string) => void;
}

/** What a run on a plan leaves in the folder of its logs for people and scripts (seed 000). */
export function workViews({ logs }: WorkSpec, { nowMs, warn }: Means): readonly Projection[] {
  const hide = openSecretHider(secretsInEnvironment());
  return [keepWorkLog(logs, warn), keepHeartbeat(logs, { nowMs, warn }), keepLaneLogs(logs, { nowMs, hide, warn })];
}
