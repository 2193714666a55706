import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { capture } from '../../process/capture.ts';
import { findExecutable } from '../../process/find-executable.ts';
import { homeOfUser } from '../../process/io.ts';

type Environment = Readonly<Record<string, string>>;

/** Programs that gates run: those of the machine, and those that `ralph torture --install` has installed. */
export interface Runners {
  /** Which of them are missing. */
  missing(needs: readonly string[]): Promise<readonly string[]>;
  /**
   * Copies the packages into a repository and a home, for each case anew, because a cheat may write into them. Returns the variables with which a gate finds
   * them.
   */
  lay(needs: readonly string[], where: { readonly repository: string; readonly home: string }): Promise<Environment>;
  /** Installs the missing packages. */
  install(needs: readonly string[], tell: (line: string) => void): Promise<void>;
}

const MINUTES_15 = 15 * 60_000;
const PACKAGES = { npm: 'npm:', python: 'py:' } as const;
/** Building Go's standard library takes longer than a case may. */
const GO_CACHE = join('.cache', 'go-build');
/** Below a home, where the sandbox shows installed programs. */
const PYTHON_HOME = join('.local', 'lib', 'torture');

export function openRunners(env: Environment): Runners {
  const folder = join(env['XDG_CACHE_HOME'] || join(homeOfUser(), '.cache'), 'ralph', 'torture');
  const npm = (name: string) => join(folder, 'npm', name.replaceAll('/', '+'));
  const python = (name: string) => join(folder, 'python', name);
  const own = {
    ...(existsSync(join(homeOfUser(), '.rustup')) && { RUSTUP_HOME: env['RUSTUP_HOME'] ?? join(homeOfUser(), '.rustup') }),
    GOTOOLCHAIN: 'local',
  };
  const all = { ...env, ...own };
  const run = async (words: readonly [string, ...string[]], cwd: string, more: Environment = {}) => {
    const [file, ...args] = words;
    return await capture({ file, args, cwd, env: { ...all, ...more }, timeoutMs: MINUTES_15 });
  };
  const isThere = async (need: string) => {
    if (need.startsWith(PACKAGES.npm)) return existsSync(join(npm(need.slice(4)), 'node_modules'));
    const isPython = need.startsWith(PACKAGES.python);
    if (isPython) return existsSync(python(need.slice(3))) || (await run(['python3', '-c', `import ${need.slice(3)}`], '/')).code === 0;
    return (await findExecutable(need, { path: env['PATH'] ?? '', cwd: '/' })) !== null;
  };
  const missing = async (needs: readonly string[]) => {
    const found = await Promise.all(needs.map(isThere));
    return needs.filter((_, index) => !found[index]);
  };
  // For thousands of small files, cp takes a tenth of the time of Node.
  const copy = async (from: string, to: string) => {
    await mkdir(to, { recursive: true });
    refuseUnlessDone(`copying ${from}`, await run(['cp', '-R', '-P', `${from}/.`, to], '/'));
  };
  return {
    missing,
    async lay(needs, { repository, home }) {
      for (const need of needs.filter((each) => each.startsWith(PACKAGES.npm))) {
        await copy(join(npm(need.slice(4)), 'node_modules'), join(repository, 'node_modules'));
      }
      const folders = needs.flatMap((need) => (need.startsWith(PACKAGES.python) ? [python(need.slice(3))] : [])).filter((each) => existsSync(each));
      const site = join(home, PYTHON_HOME);
      for (const each of folders) await copy(each, site);
      const goCache = join(repository, GO_CACHE);
      if (needs.includes('go')) await copy(await warmGo(join(folder, 'go-build'), run), goCache);
      const path = [...(folders.length > 0 ? [join(site, 'bin')] : []), env['PATH'] ?? ''].join(delimiter);
      return { ...own, PATH: path, ...(folders.length > 0 && { PYTHONPATH: site }), ...(needs.includes('go') && { GOCACHE: goCache }) };
    },
    async install(needs, tell) {
      const wanted = await missing(needs);
      for (const name of wanted.flatMap((need) => (need.startsWith(PACKAGES.npm) ? [need.slice(4)] : []))) {
        tell(`npm install ${name}`);
        await replace(npm(name), async (fresh) => {
          await writeFile(join(fresh, 'package.json'), '{"private":true}\n');
          return await run(['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', name], fresh);
        });
      }
      for (const name of wanted.flatMap((need) => (need.startsWith(PACKAGES.python) ? [need.slice(3)] : []))) {
        tell(`pip install ${name}`);
        await replace(python(name), (fresh) => run(['python3', '-m', 'pip', 'install', '--upgrade', '--target', fresh, name], '/'));
      }
    },
  };
}

type Ran = Awaited<ReturnType<typeof capture>>;

/** Fills a folder beside it first, so that an existing folder is always complete. */
async function replace(folder: string, fill: (fresh: string) => Promise<Ran>): Promise<void> {
  const fresh = `${folder}.${process.pid}`;
  await mkdir(fresh, { recursive: true });
  try {
    refuseUnlessDone(`filling ${folder}`, await fill(fresh));
    await rm(folder, { recursive: true, force: true });
    await mkdir(dirname(folder), { recursive: true });
    await rename(fresh, folder);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

function refuseUnlessDone(what: string, { code, stderr, stdout }: Ran): void {
  if (code === 0) return;
  const why = `${stderr}\n${stdout}`.trim().split('\n')[0];
  throw new OperatorError('torture-install', `${what} failed: ${why}`, { hint: 'It needs a network, npm, and python3 with pip.', exitCode: 4 });
}

let warming: Promise<string> | null = null;

/** Built once, and copied for each case. */
function warmGo(folder: string, run: (words: readonly [string, ...string[]], cwd: string, more: Environment) => Promise<Ran>): Promise<string> {
  const warm = async () => {
    if (existsSync(folder)) return folder;
    const source = `${folder}.source.${process.pid}`;
    await mkdir(source, { recursive: true });
    try {
      await writeFile(join(source, 'go.mod'), 'module warm\n\ngo 1.20\n');
      const imports = ['errors', 'fmt', 'math', 'os', 'reflect', 'sort', 'strconv', 'strings', 'testing'].map((name) => `_ "${name}"`).join('; ');
      await writeFile(join(source, 'warm_test.go'), `package warm\n\nimport (${imports})\n`);
      await replace(folder, async (fresh) => {
        await run(['go', 'vet', './...'], source, { GOCACHE: fresh });
        return await run(['go', 'test', './...'], source, { GOCACHE: fresh });
      });
    } finally {
      await rm(source, { recursive: true, force: true });
    }
    return folder;
  };
  warming ??= warm();
  return warming;
}
