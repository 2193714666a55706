/**
 * What a Claude Code session puts into the environment of its children to say "you are inside me". A loop started from such a
 * session starts agents of its own, so these go; the operator's configuration (CLAUDE_CODE_MAX_RETRIES, CLAUDE_CONFIG_DIR,
 * CLAUDE_CODE_OAUTH_TOKEN, …) stays.
 */
export const sessionMarkers: readonly string[] = [
  'CLAUDECODE',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_SSE_PORT',
  'CLAUDE_PLUGIN_ROOT',
  'CLAUDE_PLUGIN_DATA',
  'CLAUDE_PROJECT_DIR',
  'CLAUDE_ENV_FILE',
];
