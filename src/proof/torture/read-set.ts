import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packagePath } from '../../kit/files/package-root.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { oneLine } from '../../kit/pure/text.ts';
import { readCases, type TortureCase } from './figures/case-file.ts';

export interface TortureSet {
  readonly version: number;
  readonly cases: readonly TortureCase[];
}

/** Reads every case that comes with the program. */
export async function readSet(folder = packagePath('torture')): Promise<TortureSet> {
  const { version } = JSON.parse(await readFile(join(folder, 'set.json'), 'utf8'));
  const open = await readFolder(folder, 'open');
  const learned = await readFolder(join(folder, 'learned'), 'learned');
  const blind = await readFolder(join(folder, 'blind'), 'blind');
  return { version, cases: [...open, ...learned, ...blind] };
}

async function readFolder(folder: string, part: TortureCase['part']): Promise<readonly TortureCase[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.yaml')).sort();
  const { parse } = await import('yaml');
  const read = async (name: string) => {
    const path = join(folder, name);
    const refuse = (why: string) =>
      new OperatorError('torture-set', `${path} is no file of cases: ${oneLine(why)}`, { hint: 'docs/guide/torture.md has the format.', exitCode: 2 });
    const text = await readFile(path, 'utf8');
    const read = () => {
      try {
        return readCases(parse(text), { part, gate: name.slice(0, -'.yaml'.length) });
      } catch (error) {
        throw refuse((error as Error).message);
      }
    };
    const cases = read();
    if (typeof cases === 'string') throw refuse(cases);
    return cases;
  };
  return (await Promise.all(names.map(read))).flat();
}
