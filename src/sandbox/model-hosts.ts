type Env = Readonly<Record<string, string>>;

interface Vendor {
  /** Variables that redirect the model's API to another address; the first that is set counts. */
  readonly baseUrls: readonly string[];
  /** The model's hosts when none of those variables is set. */
  readonly hosts: readonly string[];
  /** Hosts that are needed in either case, for example to renew the login. */
  readonly login: readonly string[];
}

const VENDORS: Readonly<Record<string, Vendor>> = {
  claude: {
    baseUrls: ['ANTHROPIC_BASE_URL'],
    hosts: ['api.anthropic.com'],
    login: ['console.anthropic.com', 'platform.claude.com', 'claude.ai'],
  },
  codex: { baseUrls: ['OPENAI_BASE_URL'], hosts: ['api.openai.com', 'chatgpt.com'], login: ['auth.openai.com'] },
  gemini: {
    baseUrls: ['GOOGLE_GEMINI_BASE_URL', 'GOOGLE_VERTEX_BASE_URL', 'CODE_ASSIST_ENDPOINT'],
    hosts: ['generativelanguage.googleapis.com', 'cloudcode-pa.googleapis.com', 'aiplatform.googleapis.com'],
    login: ['oauth2.googleapis.com'],
  },
  amp: { baseUrls: ['AMP_URL'], hosts: ['ampcode.com'], login: [] },
};

/** Variables that may redirect an unknown agent, or one that works with any model. */
const ALL_BASE_URLS = [
  'ANTHROPIC_BASE_URL',
  'OPENAI_BASE_URL',
  'OPENAI_API_BASE',
  'AZURE_OPENAI_ENDPOINT',
  'GOOGLE_GEMINI_BASE_URL',
  'OPENROUTER_BASE_URL',
  'OLLAMA_HOST',
  'LITELLM_BASE_URL',
];

/** The hosts an agent needs to work at all, as entries of the allow-list: the model's API, and the hosts that renew its login. */
export function modelHosts(agentKind: string, env: Env): readonly string[] {
  const vendor = VENDORS[agentKind];
  if (vendor === undefined) return unique(moved(ALL_BASE_URLS, env));
  const elsewhere = moved(vendor.baseUrls, env);
  const cloud = agentKind === 'claude' ? cloudHosts(env) : [];
  return unique([...(elsewhere.length > 0 ? elsewhere : vendor.hosts), ...vendor.login, ...cloud]);
}

/** The hosts of claude when its model runs in another provider's cloud. */
function cloudHosts(env: Env): readonly string[] {
  const hosts = [...moved(['ANTHROPIC_BEDROCK_BASE_URL', 'ANTHROPIC_VERTEX_BASE_URL', 'ANTHROPIC_FOUNDRY_BASE_URL'], env)];
  const region = env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1';
  if (isOn(env['CLAUDE_CODE_USE_BEDROCK']))
    hosts.push(`bedrock-runtime.${region}.amazonaws.com`, `bedrock.${region}.amazonaws.com`, `sts.${region}.amazonaws.com`);
  const place = env['CLOUD_ML_REGION'] || 'us-east5';
  if (isOn(env['CLAUDE_CODE_USE_VERTEX'])) {
    hosts.push(place === 'global' ? 'aiplatform.googleapis.com' : `${place}-aiplatform.googleapis.com`, 'oauth2.googleapis.com');
  }
  const resource = env['ANTHROPIC_FOUNDRY_RESOURCE'];
  if (isOn(env['CLAUDE_CODE_USE_FOUNDRY']) && resource) hosts.push(`${resource}.services.ai.azure.com`);
  return hosts;
}

function moved(variables: readonly string[], env: Env): readonly string[] {
  return variables.flatMap((name) => hostIn(env[name] ?? '') ?? []);
}

/** Always includes the port, even the default one: a gateway's name may lead to this machine, and only an exact `host:port` allows that. */
function hostIn(text: string): string | null {
  const full = text.includes('://') ? text : `http://${text}`;
  if (text === '' || !URL.canParse(full)) return null;
  const { hostname, port, protocol } = new URL(full);
  return hostname === '' ? null : `${hostname}:${port || (protocol === 'https:' || protocol === 'wss:' ? 443 : 80)}`;
}

const isOn = (text: string | undefined) => text !== undefined && text !== '' && text !== '0' && text.toLowerCase() !== 'false';
const unique = (hosts: readonly string[]) => [...new Set(hosts)];
