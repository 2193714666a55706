import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** In the sandbox /tmp is another folder, so writing there would prove nothing. */
const notPrivate = fileURLToPath(new URL('../../node_modules/.cache/sandbox-tests', import.meta.url));
let users = 0;
let usual: string | undefined;

/** Temporary files lie in a folder that the sandbox shows, until the last user of it has ended; tests that run at the same time share it. */
export async function useSharedTemporaryFolder(): Promise<Disposable> {
  if (users === 0) usual = process.env['TMPDIR'];
  users += 1;
  process.env['TMPDIR'] = notPrivate;
  await mkdir(notPrivate, { recursive: true });
  return {
    [Symbol.dispose]() {
      users -= 1;
      if (users > 0) return;
      if (usual === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = usual;
    },
  };
}
