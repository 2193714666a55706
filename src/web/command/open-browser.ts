import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDetached } from '../../process/start-detached.ts';
import { environment } from '../../sandbox/environment/environment.ts';

/** Whether it works or not, the address was printed. */
export function openBrowser(address: string, cwd: string): void {
  const file = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const logFile = join(tmpdir(), `ralph-ui-${randomUUID()}.log`);
  void startDetached({ file, args: [address], cwd, env: environment(), marker: 'ralph-ui', logFile }).catch(() => undefined);
}
