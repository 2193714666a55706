import { randomUUID } from 'node:crypto';
import type { Register, Registers } from '../../engine/ports/stores.ts';
import type { Query, Row } from './open-database.ts';

interface PostgresRegisters extends Registers {
  /** Whether the session that wrote a register has been seen dead. It never lives again, so what was once true stays true. */
  readonly isDead: (session: string) => boolean;
}

interface RegistersOptions {
  readonly query: Query;
  readonly fleet: string;
  /** The session that writes; null: a person or a script. */
  readonly session: string | null;
  /** The session is over: nothing can be written any more. Throws. */
  readonly onOver: () => never;
}

/** The row `s` of its session may be gone: only that of one that is over is deleted. A person who writes has none. */
export const WRITER_IS_DEAD = '(r.session is not null and (s.id is null or s.ended_at is not null or s.lease_until <= clock_timestamp()))';

const READ = `
  select r.name, r.n, r.value, r.session, ${WRITER_IS_DEAD} as dead
  from ralph.registers r left join ralph.sessions s on s.fleet = r.fleet and s.id = r.session
  where r.fleet = $1 and r.name = any($2)`;

/** Registers in PostgreSQL: the newest value of each, changed by compare-and-set in one statement. Only the database's clock decides who is dead. */
export function openPostgresRegisters({ query, fleet, session, onOver }: RegistersOptions): PostgresRegisters {
  const dead = new Set<string>();
  // The same object for the same number: others parse it once.
  const known = new Map<string, Register>();
  const learn = (row: Row): readonly [string, Register] => {
    const [name, n] = [String(row['name']), Number(row['n'])];
    if (row['dead'] === true) dead.add(String(row['session']));
    const earlier = known.get(name);
    const register = earlier?.n === n ? earlier : { n, value: valueIn(String(row['value'])) };
    if (register.value !== undefined) known.set(name, register);
    return [name, register];
  };
  const read = async (names: readonly string[]) => new Map((await query(READ, [fleet, names])).map(learn));
  return {
    isDead: (id) => dead.has(id),
    get: async (name) => (await read([name])).get(name) ?? null,
    async getMany(names) {
      const found = await read(names);
      return new Map(names.flatMap((name) => (found.has(name) ? [[name, found.get(name) as Register]] : [])));
    },
    async put(name, n, value) {
      const values = [fleet, name, n, JSON.stringify(value), session, randomUUID()];
      const [row] = await query('select ralph.put($1, $2, $3, $4, $5, $6) as answer', values);
      if (row?.['answer'] === 'over') onOver();
      return row?.['answer'] === 'put' ? 'put' : 'taken';
    },
  };
}

/** Undefined if it is not what a register wrote. */
export function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
