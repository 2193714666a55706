import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openThrowAwayFolder } from './throw-away-folder.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');

/** A temporary project with this package, as published, in its node_modules. */
export interface InstalledPackage extends AsyncDisposable {
  /** Of the project. */
  readonly path: string;
  /** The bin, as a package manager links it. */
  readonly bin: string;
  /** What the tarball holds, and its size. */
  readonly files: readonly string[];
  readonly bytes: number;
}

/**
 * Installed without a package manager, so that neither a network nor a warm cache is needed: packed by npm, unpacked by tar, and beside it
 * exactly the packages that it says it depends on.
 */
export async function installPackage(): Promise<InstalledPackage> {
  const folder = await openThrowAwayFolder();
  const [project, modules] = [join(folder.path, 'project'), join(folder.path, 'project', 'node_modules')];
  const home = join(modules, 'ralph-proof');
  await mkdir(join(modules, '.bin'), { recursive: true });
  await mkdir(home);
  const packed = await run('npm', ['pack', '--json', '--ignore-scripts', '--offline', '--pack-destination', folder.path], { cwd: ROOT });
  const [{ filename, files, size }] = JSON.parse(packed.stdout);
  await run('tar', ['-xzf', join(folder.path, filename), '-C', home, '--strip-components', '1']);
  const { dependencies, bin } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) await symlink(join(ROOT, 'node_modules', name), join(modules, name));
  await symlink(join(home, bin.ralph), join(modules, '.bin', 'ralph'));
  await writeFile(join(project, 'package.json'), '{ "private": true }\n');
  return {
    path: project,
    bin: join(modules, '.bin', 'ralph'),
    files: files.map(({ path }: { readonly path: string }) => path),
    bytes: size,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
