import { join } from 'node:path';
import { type AgentPlace, type AgentPreflight, below, type ModelAddress, type ModelKey, readJsonObject } from '../agent-preflight.ts';
import { type JsonObject, objectIn, parseObject, textIn } from '../json.ts';

/** Some of its models need no login, so a missing one tells nothing. */
export const preflight: AgentPreflight = { versionArgs: ['--version'], model, login: async () => ({ state: 'unknown' }) };

interface Config {
  readonly from: string;
  readonly config: JsonObject;
}

/** The address is known if the model is named as `provider/model` and the configuration has that provider's baseURL. */
async function model(place: AgentPlace): Promise<ModelAddress | null> {
  const configs = await configsOf(place);
  const named = place.model ?? configs.map(({ config }) => textIn(config['model'])).find((each) => each !== '') ?? '';
  const [provider = ''] = named.split('/', 1);
  for (const { from, config } of configs) {
    const options = objectIn(objectIn(objectIn(config['provider'])?.[provider])?.['options']);
    const url = textIn(options?.['baseURL']);
    // A placeholder such as {env:URL} is filled in by opencode.
    if (url.includes('{')) return null;
    if (url === '') continue;
    const setting = `provider.${provider}.options`;
    const key = keyFor(url, { value: filledIn(textIn(options?.['apiKey']), place), namedBy: `${setting}.apiKey in ${from}`, options });
    return { url, namedBy: `${setting}.baseURL in ${from}`, ...(isOpenAi(config, provider) && key && { key }) };
  }
  return null;
}

/** Other packages send their key in other ways. */
const isOpenAi = (config: JsonObject, provider: string) => textIn(objectIn(objectIn(config['provider'])?.[provider])?.['npm']) === '@ai-sdk/openai-compatible';

/** Opencode reads `{env:NAME}`; of other placeholders the value is unknown. */
function filledIn(text: string, { env }: AgentPlace): string {
  const name = /^\{env:(\w+)\}$/.exec(text)?.[1];
  return name === undefined ? (text.includes('{') ? '' : text) : (env[name] ?? '');
}

interface Named {
  readonly value: string;
  readonly namedBy: string;
  readonly options: JsonObject | null;
}

function keyFor(url: string, { value, namedBy, options }: Named): ModelKey | null {
  return value === '' || options?.['headers'] !== undefined ? null : { namedBy, list: below(url, '/models'), headers: { authorization: `Bearer ${value}` } };
}

/** The configurations that are plain JSON; the first that has a key counts. */
async function configsOf({ env, home, cwd }: AgentPlace): Promise<readonly Config[]> {
  const global = env['XDG_CONFIG_HOME'] || (home === null ? null : join(home, '.config'));
  const files = [env['OPENCODE_CONFIG'] ?? '', join(cwd, 'opencode.json'), ...(global === null ? [] : [join(global, 'opencode', 'opencode.json')])];
  const content = parseObject((env['OPENCODE_CONFIG_CONTENT'] ?? '').trim());
  const read = await Promise.all(files.map(async (from) => ({ from, config: from === '' ? null : await readJsonObject(from) })));
  return [{ from: 'OPENCODE_CONFIG_CONTENT', config: content }, ...read].flatMap(({ from, config }) => (config === null ? [] : [{ from, config }]));
}
