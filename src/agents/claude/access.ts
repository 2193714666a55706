import type { AgentDefinition, Cloud } from '../agent-definition.ts';

const LOGIN = '.claude';
const below = (names: readonly string[]) => names.map((name) => `${LOGIN}/${name}`);

/** Whom Claude Code reaches, and what it needs of the environment and of the home. */
export const access: Pick<AgentDefinition, 'model' | 'variables' | 'sessionVariables' | 'login' | 'obeys' | 'dockerTemplate'> = {
  model: {
    movedBy: ['ANTHROPIC_BASE_URL'],
    hosts: ['api.anthropic.com'],
    login: ['console.anthropic.com', 'platform.claude.com', 'claude.ai'],
    alsoAt: ['ANTHROPIC_BEDROCK_BASE_URL', 'ANTHROPIC_VERTEX_BASE_URL', 'ANTHROPIC_FOUNDRY_BASE_URL'],
    clouds: clouds(),
  },
  variables: [
    ...['ANTHROPIC_*', 'CLAUDE_*', 'CLAUDECODE', 'DISABLE_*', 'ENABLE_*', 'MCP_*', 'MAX_MCP_OUTPUT_TOKENS', 'MAX_THINKING_TOKENS', 'API_TIMEOUT_MS'],
    ...['BASH_DEFAULT_TIMEOUT_MS', 'BASH_MAX_TIMEOUT_MS', 'BASH_MAX_OUTPUT_LENGTH', 'USE_BUILTIN_RIPGREP', 'IS_SANDBOX'],
  ],
  // The operator's configuration (CLAUDE_CODE_MAX_RETRIES, CLAUDE_CONFIG_DIR, CLAUDE_CODE_OAUTH_TOKEN, …) is not among them.
  sessionVariables: [
    ...['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_SESSION_ID', 'CLAUDE_CODE_CHILD_SESSION', 'CLAUDE_CODE_SSE_PORT'],
    ...['CLAUDE_PLUGIN_ROOT', 'CLAUDE_PLUGIN_DATA', 'CLAUDE_PROJECT_DIR', 'CLAUDE_ENV_FILE'],
  ],
  login: {
    folders: [LOGIN],
    files: ['.claude.json'],
    sealed: below([
      ...['settings.json', 'settings.local.json', 'CLAUDE.md', 'hooks', 'commands', 'agents', 'skills', 'plugins', 'rules', 'output-styles'],
      ...['local', 'bin', 'workflows', 'keybindings.json', 'statusline.sh', 'remote-settings.json', 'managed-settings.json', '.mcp.json'],
    ]),
    unpacked: [],
    copied: ['.claude.json'],
    private: below(['shell-snapshots', 'session-env']),
    programs: ['.local/share/claude'],
    movedBy: 'CLAUDE_CONFIG_DIR',
  },
  obeys: ['.mcp.json', ...['settings.json', 'settings.local.json', 'hooks', 'skills', 'agents', 'commands', 'output-styles'].map((name) => `.claude/${name}`)],
  dockerTemplate: 'claude',
};

/** When claude uses a model in another provider's cloud, it needs the login and the hosts of that cloud. */
function clouds(): readonly Cloud[] {
  return [
    {
      switchedOnBy: 'CLAUDE_CODE_USE_BEDROCK',
      variables: ['AWS_*'],
      hosts: (env) => {
        const region = env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1';
        return ['bedrock-runtime', 'bedrock', 'sts'].map((service) => `${service}.${region}.amazonaws.com`);
      },
    },
    {
      switchedOnBy: 'CLAUDE_CODE_USE_VERTEX',
      variables: ['GOOGLE_*', 'GCLOUD_*', 'CLOUDSDK_*', 'CLOUD_ML_REGION', 'VERTEX_*'],
      hosts: (env) => {
        const region = env['CLOUD_ML_REGION'] || 'us-east5';
        return [region === 'global' ? 'aiplatform.googleapis.com' : `${region}-aiplatform.googleapis.com`, 'oauth2.googleapis.com'];
      },
    },
    {
      switchedOnBy: 'CLAUDE_CODE_USE_FOUNDRY',
      variables: ['AZURE_*'],
      hosts: ({ ANTHROPIC_FOUNDRY_RESOURCE: resource }) => (resource ? [`${resource}.services.ai.azure.com`] : []),
    },
    // The operator allows the host of his telemetry himself.
    { switchedOnBy: 'CLAUDE_CODE_ENABLE_TELEMETRY', variables: ['OTEL_*'], hosts: () => [] },
  ];
}
