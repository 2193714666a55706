import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Ports } from '../../engine/ports/ports.ts';
import { GateLife } from '../../journal/words/proof.ts';
import { readRegular } from '../../kit/files/read.ts';
import { VERSION } from '../../kit/files/version.ts';
import { writeAtomic } from '../../kit/files/write.ts';
import * as z from '../../kit/pure/shape.ts';
import type { GateSpec } from '../../settings/schema/run-settings.ts';
import { LOCK_FILES } from '../../workspace/lock-files.ts';

/** What earlier runs have seen alive before their first iteration. Used only there: for a claim, failures are always planted again. */
export interface LivingCache {
  find(gate: GateSpec): GateLife | null;
  /** Never rejects: if it cannot be kept, the next run plants again. */
  keep(lives: readonly { readonly gate: GateSpec; readonly life: GateLife }[]): Promise<void>;
}

/** A command may contain a secret, so only its digest is stored. */
const { command: _, ...withoutCommand } = GateLife.shape;
const Kept = z.array(z.strictObject({ key: z.string(), life: z.strictObject(withoutCommand) }));
type Kept = Readonly<z.infer<typeof Kept>>;

const MOST_KEPT = 40;
const MOST_CHARS = 1_000_000;

interface CacheWish {
  readonly tree: string;
  /** The folder in which the gates run, relative to the top. */
  readonly below: string;
}

/**
 * The file is beside the folders of the runs, where no process in a sandbox can write. Only living gates are kept: the cause of any other result may be gone.
 */
export function openLivingCache({ tree, below }: CacheWish, { place: { runFolder, workspace }, settings: { wall } }: Ports): LivingCache {
  const file = join(dirname(dirname(runFolder)), 'cache', 'living.json');
  const around = JSON.stringify([VERSION, process.version, tree, below, wall, installedIn([workspace, join(workspace, relative(below, ''))])]);
  const keyOf = (gate: GateSpec) =>
    createHash('sha256')
      .update(`${around}\0${JSON.stringify(gate)}`)
      .digest('hex');
  return {
    find(gate) {
      const life = readKept(file).find(({ key }) => key === keyOf(gate))?.life;
      return life === undefined ? null : { command: gate.command, ...life };
    },
    async keep(lives) {
      const news = lives.flatMap(({ gate, life: { command: __, ...life } }) => (life.state === 'living' ? [{ key: keyOf(gate), life }] : []));
      if (news.length === 0) return;
      const known = new Set(news.map(({ key }) => key));
      const all = [...readKept(file).filter(({ key }) => !known.has(key)), ...news].slice(-MOST_KEPT);
      await write(file, all).catch(() => undefined);
    },
  };
}

async function write(file: string, all: Kept): Promise<void> {
  const fitting = all.slice(all.findIndex((_, index) => JSON.stringify(all.slice(index)).length <= MOST_CHARS));
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeAtomic(file, JSON.stringify(fitting));
}

function readKept(file: string): Kept {
  try {
    const text = readRegular(file) ?? '';
    return text.length > MOST_CHARS ? [] : Kept.parse(JSON.parse(text));
  } catch {
    return [];
  }
}

/** Files in which package managers record what they have installed; if git ignores it, the tree does not tell. */
const NOTES = ['node_modules/.package-lock.json', 'node_modules/.modules.yaml', 'node_modules/.yarn-state.yml', 'vendor/composer/installed.json'];

function installedIn(folders: readonly string[]): readonly (string | null)[] {
  return folders.flatMap((folder) => [...LOCK_FILES, ...NOTES].map((name) => digestOf(join(folder, name))));
}

function digestOf(file: string): string | null {
  const text = readRegular(file);
  return text === null ? null : createHash('sha256').update(text).digest('hex');
}
