import type { JournalMirror } from '../../engine/ports/stores.ts';
import type { Database } from './open-database.ts';

/** A reader asks for so many pieces at once. */
const PIECES = 16;

/** The copies of the journals of a fleet. Only the living session of a run appends to its copy. */
export function openPostgresMirror({ query }: Pick<Database, 'query'>, fleet: string, session: string | null): JournalMirror {
  return {
    async end(run) {
      const [row] = await query('select ralph.mirrored($1, $2) as end', [fleet, run]);
      return Number(row?.['end']);
    },
    async append(run, at, bytes) {
      const [row] = await query('select ralph.mirror($1, $2, $3, $4, $5) as end', [fleet, session, run, at, bytes]);
      const end = row?.['end'] ?? null;
      return end === null ? null : Number(end);
    },
    async read(run, from) {
      const rows = await query('select lines from ralph.journals where fleet = $1 and run = $2 and at >= $3 order by at limit $4', [fleet, run, from, PIECES]);
      return Buffer.concat(rows.map(({ lines }) => lines as Buffer));
    },
  };
}

/** The newest runs of a fleet, and how many bytes of their journals are there. */
export async function mirroredRuns({ query }: Pick<Database, 'query'>, fleet: string, most: number): Promise<ReadonlyMap<string, number>> {
  const rows = await query(
    `select r.run, ralph.mirrored($1, r.run) as end
     from (select s.run, max(s.started_at) as at from ralph.sessions s where s.fleet = $1 group by s.run order by 2 desc limit $2) r`,
    [fleet, most],
  );
  return new Map(rows.map(({ run, end }) => [String(run), Number(end)]));
}
