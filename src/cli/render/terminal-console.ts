import type { Projection } from '../../wiring/run-options.ts';
import { openConsole } from './console.ts';
import { openScreen } from './screen.ts';
import { terminalLook } from './terminal-look.ts';

interface Wishes {
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** The console of this process. Says at the end where the run keeps everything. */
export function openTerminalConsole({ quiet, verbose }: Wishes, runFolder: string): Projection {
  const screen = openScreen();
  const console = openConsole({
    ...terminalLook(process.stderr),
    write: screen.write,
    timestamps: false,
    quiet: quiet === true,
    verbose: verbose === true,
    nowMs: Date.now,
  });
  return {
    ...console,
    onEvent(event, state) {
      console.onEvent(event, state);
      if (event.body.type === 'run.stopped' && !quiet) screen.write(`  folder      ${runFolder}\n`);
    },
    close: () => screen.close(),
  };
}
