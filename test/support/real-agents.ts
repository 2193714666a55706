import { spawnSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { skipLoudly } from './skip-loudly.ts';

export interface RealAgents {
  readonly claude?: string | undefined;
  readonly codex?: string | undefined;
}

/** The surroundings of an agent in a test: a model server instead of its provider, a temporary home instead of the user's. */
export interface AgentWorld {
  readonly url: string;
  readonly home: string;
  /** Comes first on PATH; see `binFolder`. */
  readonly bin?: string;
}

const installer = fileURLToPath(new URL('../../scripts/install-agents.mjs', import.meta.url));

/** The pinned binaries as the installer knows them; one that does not run is not there. */
function findRealAgents(): RealAgents {
  const { stdout } = spawnSync(process.execPath, [installer, '--check'], { encoding: 'utf8' });
  const pathOf = (name: string) => stdout.match(new RegExp(`^${name} \\S+ (?!missing$)(.+)$`, 'm'))?.[1];
  return { claude: pathOf('claude'), codex: pathOf('codex') };
}

/** For `describe.skipIf(agents.missing)`: without the binaries CI fails; elsewhere a loud line reports the skip. */
export function expectRealAgents(): RealAgents & { readonly missing: boolean } {
  const agents = findRealAgents();
  const absent = (['claude', 'codex'] as const).filter((name) => agents[name] === undefined);
  if (absent.length === 0) return { ...agents, missing: false };
  const sentence = `not installed: the real ${absent.join(' and ')}; npm run test:agents installs and runs them`;
  if (process.env['RALPH_REQUIRE_AGENTS']) throw new Error(sentence);
  return { ...agents, missing: skipLoudly(sentence) };
}

/** Makes `<under>/bin` with `claude` and `codex` in it, as a user would have them on PATH. */
export async function binFolder({ claude, codex }: RealAgents, under: string): Promise<string> {
  const bin = join(under, 'bin');
  await mkdir(bin, { recursive: true });
  if (claude !== undefined) await symlink(claude, join(bin, 'claude'));
  if (codex !== undefined) await symlink(codex, join(bin, 'codex'));
  return bin;
}

/** The whole environment of a claude that knows neither this machine's logins nor its variables. It retries once, else a 401 takes three minutes. */
export async function claudeEnv({ subscriber = false, ...world }: AgentWorld & { readonly subscriber?: boolean }): Promise<Record<string, string>> {
  return {
    ...(await bareEnv(world)),
    ANTHROPIC_BASE_URL: world.url,
    // A subscriber's claude hears of usage limits in headers that a key's claude ignores.
    ...(subscriber ? { CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-dummy' } : { ANTHROPIC_API_KEY: 'sk-dummy' }),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '1',
    DISABLE_AUTOUPDATER: '1',
    IS_SANDBOX: '1',
  };
}

/** The same for codex, whose provider is named in a file: writes config.toml into its own CODEX_HOME. */
export async function codexEnv(world: AgentWorld): Promise<Record<string, string>> {
  const codexHome = join(world.home, '.codex');
  await mkdir(codexHome, { recursive: true });
  await writeFile(join(codexHome, 'config.toml'), codexConfig(world.url));
  return { ...(await bareEnv(world)), CODEX_HOME: codexHome, OPENAI_API_KEY: 'sk-dummy' };
}

/** UTC, because codex tells reset times in the local zone. TMPDIR, because claude leaves a folder there. */
async function bareEnv({ home, bin }: AgentWorld): Promise<Record<string, string>> {
  const temp = join(home, 'tmp');
  await mkdir(temp, { recursive: true });
  const path = [bin, process.env['PATH']].filter((part) => part !== undefined).join(delimiter);
  return { PATH: path, HOME: home, TMPDIR: temp, TZ: 'UTC', LANG: 'C.UTF-8' };
}

/** gpt-5.5: a model whose tools this codex knows. One retry of each sort, for error scenarios. Plugins would be fetched from the internet. */
function codexConfig(url: string): string {
  return `model = "gpt-5.5"
model_provider = "scripted"
check_for_update_on_startup = false

[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"
request_max_retries = 1
stream_max_retries = 1

[features]
plugins = false

[analytics]
enabled = false
`;
}
