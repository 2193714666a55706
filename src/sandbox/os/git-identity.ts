import { dirname, isAbsolute, join } from 'node:path';
import { textOf } from './look.ts';

/** What of git's settings names a file or folder that git reads. Keys, credentials and programs are not among them. */
const NAMING = /^(?:core\.(?:excludesfile|attributesfile|hookspath)|commit\.template|init\.templatedir|blame\.ignorerevsfile|mailmap\.file)$/;
const INCLUDING = /^include(?:if)?\.path$/;
const DEEPEST = 10;

interface GitPlace {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** What an agent can write is not believed. */
  readonly isTrusted: (file: string) => boolean;
}

/** The user's settings of git, and all files they name: who commits, what is ignored. Some of them may not be there. */
export function gitFilesOf(place: GitPlace): readonly string[] {
  const { home, env } = place;
  const folder = join(isAbsolute(env['XDG_CONFIG_HOME'] ?? '') ? `${env['XDG_CONFIG_HOME']}` : join(home, '.config'), 'git');
  const settings = [join(home, '.gitconfig'), join(folder, 'config')];
  return [...settings, join(folder, 'ignore'), join(folder, 'attributes'), ...settings.flatMap((file) => namedIn(file, place, DEEPEST))];
}

function namedIn(file: string, place: GitPlace, depth: number): readonly string[] {
  const { home, isTrusted } = place;
  const found = settingsIn(depth === 0 || !isTrusted(file) ? '' : textOf(file)).flatMap(({ key, value }) => {
    const path = value.startsWith('~/') ? join(home, value.slice(2)) : isAbsolute(value) || !INCLUDING.test(key) ? value : join(dirname(file), value);
    return isAbsolute(path) && (INCLUDING.test(key) || NAMING.test(key)) ? [{ path, isIncluded: INCLUDING.test(key) }] : [];
  });
  return found.flatMap(({ path, isIncluded }) => [path, ...(isIncluded ? namedIn(path, place, depth - 1) : [])]);
}

/** `section.key` and its value, without what stands between them in a section such as `[includeIf "gitdir:~/office/"]`. */
function settingsIn(text: string): readonly { readonly key: string; readonly value: string }[] {
  let section = '';
  return text.split('\n').flatMap((line) => {
    const head = /^\s*\[\s*([\w-]+)(?:\s+"(?:[^"\\]|\\.)*")?\s*\]/.exec(line);
    if (head !== null) section = head[1]?.toLowerCase() ?? '';
    const [, name, value] = /^\s*([\w-]+)\s*=\s*"?(.*?)"?\s*(?:[#;].*)?$/.exec(line.slice(head?.[0].length ?? 0)) ?? [];
    return name === undefined || value === undefined ? [] : [{ key: `${section}.${name.toLowerCase()}`, value }];
  });
}
