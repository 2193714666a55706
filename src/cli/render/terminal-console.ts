import type { Projection } from '../../engine/projection.ts';

/** Placeholder until the console is wired. */
export function openTerminalConsole(_options: object, runFolder: string): Projection {
  process.stderr.write(`run folder ${runFolder}\n`);
  return {
    onEvent({ body }) {
      process.stderr.write(
        `${body.type} ${body.type === 'run.stopped' ? JSON.stringify(body.outcome) : body.type === 'attempt.ended' ? `${body.verdict} ${body.why}` : ''}\n`,
      );
    },
  };
}
