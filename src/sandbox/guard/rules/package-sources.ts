import { baseName } from '../paths.ts';
import { block, type Objection, type Rule, warn } from '../rule.ts';
import { WRITTEN } from '../shell/redirects.ts';
import type { Step } from '../step.ts';
import { isLoopback } from './network.ts';

const OFFICIAL =
  /^https:\/\/(registry\.npmjs\.org|registry\.yarnpkg\.com|npm\.jsr\.io|pypi\.org|files\.pythonhosted\.org|rubygems\.org|index\.crates\.io|proxy\.golang\.org|download\.pytorch\.org|repo\.packagist\.org|packagist\.org|conda\.anaconda\.org|api\.nuget\.org|repo\.maven\.apache\.org)(\/|$)/;

/** Whether a URL is neither one of the official registries nor on this machine. */
export const isOther = (url: string): boolean => !OFFICIAL.test(url) && !isLoopback(url);

const FROM_ELSEWHERE = block('This takes packages from another place; use the one the project is set up for.');

/** Each tool with the arguments that set where its packages come from. */
const SETTING: Readonly<Record<string, RegExp>> = {
  npm: /^(config|c|set)\b/,
  yarn: /^config\b/,
  pnpm: /^(config|c|set)\b/,
  bun: /^config\b/,
  pip: /^config\b/,
  pip3: /^config\b/,
  poetry: /^(source add|config)\b/,
  pdm: /^config\b/,
  uv: /^index\b/,
  composer: /^(global )?(config|repository)\b/,
  dotnet: /^nuget (add|update) source\b/,
  nuget: /^sources?\b/,
  conda: /^config\b/,
  mamba: /^config\b/,
  bundle: /^config\b/,
  gem: /^sources?\b/,
  luarocks: /^config\b/,
  mix: /^hex\.(repo|config)\b/,
};

const URLS = /https?:\/\/[^\s"'#,;)]+/g;

function lookAtSetting({ name, args }: Step): Objection | null {
  const words = args.filter((word) => !word.startsWith('-') || word.includes('='));
  if (SETTING[name]?.test(words.join(' ')) !== true) return null;
  return words.some((word) => (word.match(URLS) ?? []).some(isOther)) ? FROM_ELSEWHERE : null;
}

/** Files that set where packages come from. */
const CONFIGS =
  /^(\.npmrc|\.yarnrc(\.yml)?|pip\.(conf|ini)|bunfig\.toml|\.condarc|\.gemrc|uv\.toml|nuget\.config|config\.toml|requirements[\w.-]*\.txt|constraints[\w.-]*\.txt|Gemfile|Pipfile|pyproject\.toml|\.pypirc)$/i;
const NAMED_SOURCE =
  /(^|\n|[\s[@#/|,;.])([\w@.:-]{0,80}?)(registry|index|source|mirror|find-links|url)[\w.-]*["']?\s*[:= ]\s*\\?["']?(https?:\/\/[^\s"'#,;)]+)/gi;

/** A registry for one scope only is allowed: companies use it for their own packages. */
const isScoped = (before: string) => /@[\w-]+:$/.test(before);

function lookAtConfig(step: Step): Objection | null {
  if (!step.args.some((word) => CONFIGS.test(baseName(word)))) return null;
  const isGiven = step.name === WRITTEN || step.name === 'tee' || step.name === 'sponge';
  const text = isGiven ? (step.input?.text ?? '') : step.args.join('\n');
  const others = [...text.matchAll(NAMED_SOURCE)].filter(([, , , key, url = '']) => key !== 'url' && isOther(url));
  if (others.length === 0) return null;
  return others.every(([, , before = '']) => isScoped(before)) ? warn('This takes packages of one scope from another place.') : FROM_ELSEWHERE;
}

export const PACKAGE_SOURCES: readonly Rule[] = [
  { id: 'sets-where-packages-come-from', category: 9, names: Object.keys(SETTING), look: lookAtSetting },
  { id: 'writes-where-packages-come-from', category: 9, names: [WRITTEN, 'tee', 'sponge', 'sed', 'gsed', 'perl'], look: lookAtConfig },
];
