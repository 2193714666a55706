import type { HookName } from '../hooks/hook-name.ts';
import { askDoor } from '../door-client.ts';

const TIMEOUT_MS = 20_000;

/** What the loop behind that socket answers, null for nothing to say; undefined: none is there, or it has no stories. */
export async function askLoop(socket: string, name: HookName, input: unknown): Promise<unknown> {
  const answer = await askDoor(socket, { method: 'POST', path: `/v1/hooks/${name}`, body: input ?? null, timeoutMs: TIMEOUT_MS });
  return answer.kind === 'answered' && answer.status < 300 ? answer.body : undefined;
}
