import type { EffectHandler } from '../../engine/contracts.ts';
import { stopIfDiskIsFull } from '../../engine/disk-full.ts';
import type { RunCommand } from '../../journal/effects/effect.ts';
import type { CommandEnded } from '../../journal/events/scm.ts';
import { slug } from '../../kit/pure/text.ts';
import { errorLineIn } from '../../process/error-line.ts';
import { scmLog, scmMarker } from './scm-place.ts';

/** Of the end of what a task says: enough to find the line that tells most. */
const KEEP_CHARS = 100_000;

/** A push, or any other task of the SCM's own: words, never a shell. */
export const runCommand: EffectHandler<RunCommand> = {
  async perform(effect, ports, _report, signal) {
    const { place, settings } = ports;
    const logFile = await scmLog(place, effect, slug(effect.argv.slice(0, 3).join(' ')));
    const { ending, output, durationMs } = await ports.command.run(
      {
        command: effect.argv,
        cwd: place.workspace,
        marker: scmMarker(place, effect),
        logFile,
        timeoutMs: settings.scm?.timeoutMs ?? 0,
        maxOutputBytes: settings.limits.outputBytes,
        keepChars: KEEP_CHARS,
        keep: 'end',
        digest: false,
      },
      signal,
    );
    await stopIfDiskIsFull(ending, place.runFolder);
    return {
      ...ended(effect, { kind: 'lost' }),
      ending,
      last_line: errorLineIn(output) ?? '',
      log: logFile,
      duration_ms: Math.round(durationMs),
      tree: effect.repeatable ? null : await ports.git.tree(),
    };
  },

  /** A push may be done again. Of anything else nobody can say what a second time would do: it is reported, not repeated. */
  async find(effect) {
    return effect.repeatable ? null : { ...ended(effect, { kind: 'lost' }), last_line: 'the loop died while it ran: look yourself what came of it' };
  },
};

function ended({ key, iteration, argv }: RunCommand, ending: CommandEnded['ending']): CommandEnded {
  return { type: 'command.ended', key, iteration, argv, ending, last_line: '', log: '', duration_ms: 0, tree: null };
}
