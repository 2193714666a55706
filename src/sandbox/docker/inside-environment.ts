import type { Variables } from './docker-cli.ts';

/** They are about the host: its folders, its session, its proxies. The sandbox has its own. */
const OF_THE_HOST = new Set(
  ['PATH', 'HOME', 'TMPDIR', 'TMP', 'TEMP', 'SHELL', 'PWD', 'OLDPWD', 'SHLVL', '_', 'USER', 'LOGNAME', 'HOSTNAME', 'DISPLAY'].concat([
    'SSH_AUTH_SOCK',
    'CLAUDE_CONFIG_DIR',
    'CODEX_HOME',
    'NODE_EXTRA_CA_CERTS',
    'GIT_CONFIG_GLOBAL',
  ]),
);
const KINDS_OF_THE_HOST = [/^XDG_/, /_proxy$/i, /^DOCKER_/, /^LD_/, /^DYLD_/];

/** What of a call's environment makes sense behind the wall. */
export function insideEnvironment(env: Variables): Variables {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !OF_THE_HOST.has(name) && !KINDS_OF_THE_HOST.some((kind) => kind.test(name))));
}
