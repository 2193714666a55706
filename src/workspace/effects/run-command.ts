import type { EffectHandler } from '../../engine/contracts.ts';
import { stopIfDiskIsFull } from '../../engine/disk-full.ts';
import type { RunCommand } from '../../journal/effects/effect.ts';
import type { CommandEnded } from '../../journal/events/scm.ts';
import { slug } from '../../kit/pure/text.ts';
import { errorLineIn } from '../../process/error-line.ts';
import { scmLog, scmMarker } from './scm-place.ts';

/** How much of the end of the output is kept to find the most informative line. */
const KEEP_CHARS = 100_000;

/** Runs a push, or any other command of the SCM: a list of words, never a shell. */
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

  /** A push can be repeated. Any other command might do harm the second time, so it is reported and not repeated. */
  async find(effect) {
    return effect.repeatable ? null : { ...ended(effect, { kind: 'lost' }), last_line: 'the loop died while it ran: look yourself what came of it' };
  },
};

function ended({ key, iteration, argv }: RunCommand, ending: CommandEnded['ending']): CommandEnded {
  return { type: 'command.ended', key, iteration, argv, ending, last_line: '', log: '', duration_ms: 0, tree: null };
}
