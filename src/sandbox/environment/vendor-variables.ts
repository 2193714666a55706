type Environment = Readonly<Record<string, string>>;

/** The variables of each model vendor: its keys and its settings. */
const VENDORS = {
  anthropic: [
    'ANTHROPIC_*',
    'CLAUDE_*',
    'CLAUDECODE',
    'DISABLE_*',
    'ENABLE_*',
    'MCP_*',
    'MAX_MCP_OUTPUT_TOKENS',
    'MAX_THINKING_TOKENS',
    'API_TIMEOUT_MS',
    'BASH_DEFAULT_TIMEOUT_MS',
    'BASH_MAX_TIMEOUT_MS',
    'BASH_MAX_OUTPUT_LENGTH',
    'USE_BUILTIN_RIPGREP',
    'IS_SANDBOX',
  ],
  openai: ['OPENAI_*', 'CODEX_*'],
  google: ['GEMINI_*', 'GOOGLE_*'],
  amp: ['AMP_*'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Vendors that are not the main one of any known agent. An agent that works with any vendor gets these too. */
const OTHERS = [
  'OPENCODE_*',
  'PERPLEXITY_*',
  'XAI_*',
  'OPENROUTER_*',
  'MISTRAL_*',
  'GROQ_*',
  'DEEPSEEK_*',
  'CEREBRAS_*',
  'FIREWORKS_*',
  'TOGETHER_*',
  'OLLAMA_*',
];

/** Agents that work with one vendor only. */
const VENDOR_OF: ReadonlyMap<string, keyof typeof VENDORS> = new Map([
  ['claude', 'anthropic'],
  ['codex', 'openai'],
  ['gemini', 'google'],
  ['amp', 'amp'],
]);

/** When claude uses a model in another provider's cloud, it needs the login of that cloud. */
const CLOUDS = [
  { switchedOnBy: 'CLAUDE_CODE_USE_BEDROCK', names: ['AWS_*'] },
  { switchedOnBy: 'CLAUDE_CODE_USE_VERTEX', names: ['GOOGLE_*', 'GCLOUD_*', 'CLOUDSDK_*', 'CLOUD_ML_REGION', 'VERTEX_*'] },
  { switchedOnBy: 'CLAUDE_CODE_USE_FOUNDRY', names: ['AZURE_*'] },
  { switchedOnBy: 'CLAUDE_CODE_ENABLE_TELEMETRY', names: ['OTEL_*'] },
];

/** An agent kind that gets no login and no key. */
export const NOBODY = 'nobody';

/** The variables of an agent's own vendor, including secrets. An agent whose vendor is unknown gets those of all vendors. */
export function variablesOfVendor(agentKind: string, base: Environment): readonly string[] {
  if (agentKind === NOBODY) return [];
  const own = VENDOR_OF.get(agentKind);
  const names = own === undefined ? [...Object.values(VENDORS).flat(), ...OTHERS] : VENDORS[own];
  const asksClaude = own === undefined || own === 'anthropic';
  return asksClaude ? [...names, ...CLOUDS.filter(({ switchedOnBy }) => isOn(base[switchedOnBy])).flatMap((cloud) => cloud.names)] : names;
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !/^(|0|false|no|off)$/i.test(value);
}
