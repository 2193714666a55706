import { formatDuration } from '../../kit/pure/amounts.ts';
import { oneLine, printable } from '../../kit/pure/text.ts';
import { whyNothingIsPlanted } from '../../proof/canaries/plants-for.ts';
import type { SeenGate, TriedGate } from '../../proof/gates/try-gates.ts';

const MOST_PATHS = 3;
const LABEL = 13;

/** Everything Ralph knows about one gate, for people. */
export function gateLines(seen: SeenGate, tried: TriedGate | null, isAll: boolean): readonly string[] {
  const { gate, sight, leadsTo, deciders, planted, cannotShow } = seen;
  const { configuration, tests } = deciders;
  const paths = (all: readonly string[]) => (isAll ? all.map((path) => row('', path)) : []);
  return [
    printable(oneLine(gate.command)),
    row('leads to', leadsTo.length === 0 ? 'unknown' : leadsTo.join(', ')),
    row('deciders', `${configuration.length} configuration, ${tests.length} of tests`),
    ...paths([...configuration, ...tests]),
    row('living set', sight.tests.length === 0 ? 'Ralph knows no test file that it should run' : `${files(sight.tests.length, 'test file')} should run`),
    ...paths(sight.tests),
    row('canary', planted.length === 0 ? whyNone(seen) : `failures would be planted in ${listed(planted)}`),
    ...(tried === null ? [] : triedLines(tried)),
    ...cannotShow.map((limit, index) => row(index === 0 ? 'cannot show' : '', limit)),
    '',
  ];
}

const row = (label: string, text: string) => `  ${label.padEnd(LABEL)}${printable(oneLine(text))}`;

const files = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

function listed(paths: readonly string[]): string {
  const more = paths.length - MOST_PATHS;
  return `${files(paths.length, 'file')}: ${paths.slice(0, MOST_PATHS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function whyNone({ gate, sight }: SeenGate): string {
  if (gate.proof !== undefined) return `off: its settings ${gate.proof === 'off' ? 'leave it out of the proof' : 'ask for no more than green'}`;
  if (sight.runners.length === 0) return 'none: Ralph does not know what it runs';
  return `none: it ${whyNothingIsPlanted(sight.runners, sight.tests.length > 0)}`;
}

function triedLines({ green, durationMs, plantedMs, tests, life, alive, dead, unknown }: TriedGate): readonly string[] {
  const count = tests === null ? '' : `, ${files(tests, 'test')}`;
  const cost = `${formatDuration(durationMs)}${plantedMs === 0 ? '' : `, ${formatDuration(plantedMs)} with failures planted`}`;
  return [
    row('tried', `${green ? 'green' : 'red'}${count}; ${life.state}${life.why === '' ? '' : `: it ${life.why}`}`),
    ...(alive.length > 0 ? [row('  alive', listed(alive))] : []),
    ...(dead.length > 0 ? [row('  dead', listed(dead))] : []),
    ...(unknown.length > 0 ? [row('  unknown', listed(unknown))] : []),
    row('costs', cost),
  ];
}

/** The same as JSON, with every path. */
export function gateJson({ gate, sight, leadsTo, deciders, planted, cannotShow }: SeenGate, tried: TriedGate | null): object {
  return {
    command: gate.command,
    leads_to: leadsTo,
    runners: sight.runners,
    deciders,
    living_set: sight.tests,
    proof: gate.proof ?? 'living',
    canary: { files: planted },
    cannot_show: cannotShow,
    tried: tried && {
      green: tried.green,
      tests: tried.tests,
      duration_ms: tried.durationMs,
      planted_ms: tried.plantedMs,
      state: tried.life.state,
      why: tried.life.why,
      alive: tried.alive,
      dead: tried.dead,
      unknown: tried.unknown,
    },
  };
}
