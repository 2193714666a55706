import { block, never, type Objection, type Rule, warn } from '../rule.ts';
import { MADE } from '../shell/holes.ts';
import type { Step } from '../step.ts';

const CLIENTS = [
  'psql',
  'mysql',
  'mariadb',
  'sqlite3',
  'sqlite',
  'duckdb',
  'sqlcmd',
  'mssql-cli',
  'clickhouse-client',
  'clickhouse',
  'cockroach',
  'usql',
  'mysqlsh',
  'db2',
  'isql',
  'impala-shell',
  'pgcli',
  'mycli',
  'litecli',
  'cqlsh',
  'snowsql',
  'bq',
  'sqlplus',
  'trino',
  'presto',
  'hive',
  'beeline',
  'turso',
  'wrangler',
];
const NAME_IT = 'data that is gone does not come back; change single rows, or ask the operator';

/** Removes string literals and comments from SQL. */
const plainly = (sql: string) =>
  sql
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, ' ');

/** The objection to running these statements, or null. */
export function whyNotSql(sql: string): Objection | null {
  const text = plainly(sql);
  if (
    /\b(drop)\s+(table|database|schema|view|index|user|role|tablespace|keyspace|collection|materialized|owned|sequence|type|function|extension|column)\b/i.test(
      text,
    )
  )
    return block(`This drops what others need; ${NAME_IT}.`);
  if (/\btruncate\s+(table\s+)?["`\w]/i.test(text)) return block(`This empties a table; ${NAME_IT}.`);
  if (text.split(';').some((each) => /\bdelete\s+from\b/i.test(each) && !/\bwhere\b/i.test(each))) return block(`This deletes every row; ${NAME_IT}.`);
  if (text.split(';').some((each) => /\bdelete\s+from\b[\s\S]*\bwhere\s+(1\s*=\s*1|true)\s*$/i.test(each))) return block(`This deletes every row; ${NAME_IT}.`);
  if (/\balter\s+table\b[^;]{0,200}\bdrop\b/i.test(text)) return block(`This drops a column; ${NAME_IT}.`);
  return text.split(';').some((each) => /\bupdate\s+["`\w.]+\s+set\b/i.test(each) && !/\bwhere\b/i.test(each)) ? warn('This changes every row.') : null;
}

/** A value may be joined to its option. */
const withoutOption = (word: string) => (word.startsWith('--') ? word.slice(word.indexOf('=') + 1) : word.replace(/^-[a-zA-Z](?=.)/, ''));

const given = ({ args, input, named }: Step) => [...args.map(withoutOption), ...named, ...(input?.text ? [input.text] : [])];

function lookAtSql(step: Step): Objection | null {
  return (
    given(step)
      .map(whyNotSql)
      .find((each) => each !== null) ?? shellEscape(step)
  );
}

/** Database clients can run shell commands too. */
const shellEscape = (step: Step): Objection | null =>
  given(step).some((text) => /(^|\n|;)\s*(\\!|\.shell|\.system|system)\s+\S|\bcopy\b[^;]{0,200}\b(to|from)\s+program\b|xp_cmdshell/i.test(text))
    ? block('This starts commands from a database, where nobody looks for them; start them from the shell.')
    : null;

function lookAtMongo(step: Step): Objection | null {
  return given(step).some((text) =>
    /dropDatabase\s*\(|\.drop\s*\(|(deleteMany|remove)\s*\(\s*\{\s*\}?\s*\)|\.remove\s*\(\s*\)|dropUser|dropAllUsers/.test(text),
  )
    ? block(`This drops what others need; ${NAME_IT}.`)
    : null;
}

function lookAtRedis(step: Step): Objection | null {
  if (/^(del|unlink)$/i.test(step.args.find((word) => !word.startsWith('-')) ?? '') && step.args.some((word) => word.includes(MADE)))
    return block(`This empties the whole store; ${NAME_IT}.`);
  return given(step).some((text) => /\b(flushall|flushdb|shutdown|config\s+set|debug\s+segfault)\b/i.test(text)) || /\bconfig set\b/i.test(step.args.join(' '))
    ? block(`This empties the whole store; ${NAME_IT}.`)
    : null;
}

/** Tools of frameworks, with the arguments that delete a database. */
const TOOLS: Readonly<Record<string, RegExp>> = {
  prisma: /^migrate reset|--force-reset|--accept-data-loss/,
  rails: /\bdb:(drop|reset|purge|migrate:reset|schema:load|truncate_all)|\b(delete_all|destroy_all)\b/,
  rake: /\bdb:(drop|reset|purge|migrate:reset)/,
  php: /\b(migrate:(fresh|reset|refresh)|db:wipe)\b/,
  artisan: /\b(migrate:(fresh|reset|refresh)|db:wipe)\b/,
  'manage.py': /\b(flush|reset_db|sqlflush)\b/,
  python: /manage\.py (flush|reset_db)\b/,
  python3: /manage\.py (flush|reset_db)\b/,
  sequelize: /\bdb:drop\b|db:migrate:undo:all/,
  typeorm: /\bschema:drop\b/,
  supabase: /^db reset\b/,
  mysqladmin: /\bdrop\b/,
  alembic: /^downgrade base\b/,
  knex: /migrate:rollback .*--all/,
  mix: /^ecto\.(drop|reset)\b/,
  'drizzle-kit': /^drop\b/,
  pg_restore: /(^| )(--clean|-c)( |$)/,
  dropdb: /^/,
  dropuser: /^/,
  influx: /\b(delete|drop)\b/i,
  etcdctl: /\bdel\b.*(--prefix|--from-key)/,
};

const lookAtTools = ({ name, args }: Step): Objection | null => (TOOLS[name]?.test(args.join(' ')) ? block(`This throws a database away; ${NAME_IT}.`) : null);

/** A search engine is a database that is used with curl. */
function lookAtIndexes({ args }: Step): Objection | null {
  return args.includes('DELETE') && args.some((word) => /:9200\/(_all|\*|[\w*-]+)$/.test(word)) ? block(`This deletes an index; ${NAME_IT}.`) : null;
}

export const DATABASES: readonly Rule[] = [
  { id: 'drops-or-empties-tables', category: 16, names: CLIENTS, look: lookAtSql },
  { id: 'drops-collections', category: 16, names: ['mongo', 'mongosh'], look: lookAtMongo },
  { id: 'empties-a-store', category: 16, names: ['redis-cli', 'valkey-cli', 'keydb-cli'], look: lookAtRedis },
  { id: 'throws-a-database-away', category: 16, names: Object.keys(TOOLS), look: lookAtTools },
  { id: 'deletes-indexes', category: 16, names: ['curl'], look: lookAtIndexes },
  never('empties-a-cache-for-all', 16, ['memflush'], `This empties the whole store; ${NAME_IT}.`),
];
