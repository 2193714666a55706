import type { Stats } from 'node:fs';
import { lstat, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { extname, isAbsolute, join, normalize, relative, sep } from 'node:path';

export interface OutputCheck {
  /** Why an output does not count, one line for each. */
  readonly missing: readonly string[];
  /** What looks odd but counts. */
  readonly warnings: readonly string[];
}

/** A smaller file is probably incomplete (seed 000). */
const FEW_BYTES = 100;
const FEW_BYTES_OF_PROSE = 500;

type Verdict = { readonly missing: string } | { readonly warning: string } | null;

/** Which of these paths, relative to the top, are committed. */
export type Holds = (paths: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * Checks the declared outputs in a work tree, given its top: they exist, are not empty, and are inside it. No file is opened, so nothing can block. With
 * `holds`, an uncommitted file does not count.
 */
export async function checkOutputs(top: string, outputs: readonly string[], holds: Holds | null = null): Promise<OutputCheck> {
  const realTop = await realpath(top);
  const seen = new Map<string, Verdict>();
  for (const output of outputs) seen.set(output, await judge(realTop, output));
  const there = [...seen].filter(([, verdict]) => !verdict || !('missing' in verdict)).map(([output]) => output);
  if (holds !== null) for (const output of await uncommitted(realTop, there, holds)) seen.set(output, { missing: `Output file is not committed: ${output}` });
  const verdicts = [...seen.values()];
  return {
    missing: verdicts.flatMap((verdict) => (verdict !== null && 'missing' in verdict ? [verdict.missing] : [])),
    warnings: verdicts.flatMap((verdict) => (verdict !== null && 'warning' in verdict ? [verdict.warning] : [])),
  };
}

/** A link counts only if it is committed, and its target as well. */
async function uncommitted(top: string, outputs: readonly string[], holds: Holds): Promise<readonly string[]> {
  const names = new Map<string, readonly string[]>();
  for (const output of outputs) names.set(output, await namesBehind(top, output));
  const held = await holds([...new Set([...names.values()].flat())]);
  return outputs.filter((output) => !names.get(output)?.every((name) => held.has(name)));
}

async function judge(top: string, output: string): Promise<Verdict> {
  if (isAbsolute(output) || !isOfTheTree(normalize(output))) return { missing: `Output is outside the work tree: ${output}` };
  const found = await lookAt(join(top, output));
  if (found === null) return { missing: `Output file missing: ${output}` };
  if (!isOfTheTree(relative(top, found.path))) return { missing: `Output leads out of the work tree: ${output}` };
  if (found.stats.isDirectory()) return (await holdsAFile(found.path)) ? null : { missing: `Output directory is empty: ${output}` };
  if (!found.stats.isFile()) return { missing: `Output is neither a file nor a directory: ${output}` };
  return judgeSize(output, found.stats.size);
}

function judgeSize(output: string, bytes: number): Verdict {
  if (bytes === 0) return { missing: `Output file is empty: ${output}` };
  const few = extname(output).toLowerCase() === '.md' ? FEW_BYTES_OF_PROSE : FEW_BYTES;
  return bytes < few ? { warning: `Output file appears incomplete (only ${bytes} bytes): ${output}` } : null;
}

/** Its real path; null if it does not exist. */
async function lookAt(path: string): Promise<{ readonly path: string; readonly stats: Stats } | null> {
  try {
    const real = await realpath(path);
    return { path: real, stats: await stat(real) };
  } catch {
    return null;
  }
}

/** Git's own files do not count as files of the tree. */
function isOfTheTree(path: string): boolean {
  const parts = path.split(sep);
  return !isAbsolute(path) && parts[0] !== '..' && !parts.some((part) => part.toLowerCase() === '.git');
}

/** Whether it contains a file that is not hidden, in a folder that is not hidden. */
async function holdsAFile(folder: string): Promise<boolean> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => !name.startsWith('.'));
  if (entries.some((entry) => entry.isFile())) return true;
  for (const entry of entries) if (entry.isDirectory() && (await holdsAFile(join(folder, entry.name)))) return true;
  return false;
}

/** The target of a path below `top`, and the links on the way, all relative to `top`. The target exists: loops were excluded before. */
async function namesBehind(top: string, path: string): Promise<readonly string[]> {
  const links: string[] = [];
  const ahead = path.split('/');
  let at = top;
  for (let part = ahead.shift(); part !== undefined; part = ahead.shift()) {
    const next = join(at, part);
    const isLink = part !== '..' && (await lstat(next)).isSymbolicLink();
    if (!isLink) {
      at = next;
      continue;
    }
    links.push(relative(top, next));
    const target = await readlink(next);
    ahead.unshift(...target.split('/'));
    if (isAbsolute(target)) at = '/';
  }
  return [...links, relative(top, at)];
}
