import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../test/support/cpu-ms.ts';
import { agentEnvironment } from '../../agents/agent-access.ts';
import { definitions } from '../../agents/definitions.ts';
import { gateEnvironment } from './gate-environment.ts';

const named = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'x']));
const passed = (names: readonly string[], kind = 'claude', pass: readonly string[] = []) => Object.keys(agentEnvironment(named(names), { kind, pass }));

describe('every agent and every gate', () => {
  it.each([
    ['its user, language and standard folders', ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR']],
    ['its terminal', ['TERM', 'COLORTERM', 'NO_COLOR', 'FORCE_COLOR', 'CLICOLOR', 'CI']],
    ['its XDG folders', ['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME']],
    ['the proxies, in both spellings', ['HTTP_PROXY', 'https_proxy', 'no_proxy', 'ALL_PROXY']],
    ['the bundles of certificates', ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'GIT_SSL_CAINFO']],
    ['the variables of the loop', ['RALPH_RUN_ID', 'RALPH_SOCKET', 'RALPH_TASK_FENCE']],
    ['the author of its commits', ['GIT_AUTHOR_NAME', 'GIT_COMMITTER_EMAIL', 'EMAIL', 'GIT_CONFIG_GLOBAL']],
    [
      'its toolchain',
      ['NODE_OPTIONS', 'NVM_DIR', 'npm_config_cache', 'PNPM_HOME', 'JAVA_HOME', 'GRADLE_USER_HOME', 'GOPATH', 'GOFLAGS', 'CARGO_HOME', 'RUSTFLAGS'],
    ],
    [
      'another toolchain',
      ['PYTHONPATH', 'VIRTUAL_ENV', 'UV_CACHE_DIR', 'GEM_HOME', 'BUNDLE_PATH', 'DOTNET_ROOT', 'ANDROID_HOME', 'ASDF_DIR', 'MISE_SHELL', 'CC', 'MAKEFLAGS'],
    ],
    ['the variables of Windows', ['SystemRoot', 'ComSpec', 'PATHEXT', 'APPDATA', 'ProgramFiles(x86)', 'USERPROFILE', 'Path']],
  ])('gets %s', (_, names) => {
    expect(passed(names)).toEqual(names);
    expect(Object.keys(gateEnvironment(named(names), { pass: [] }))).toEqual(names);
  });

  it.each([
    [
      'the sockets and displays of a session',
      [
        'SSH_AUTH_SOCK',
        'SSH_AGENT_PID',
        'GPG_AGENT_INFO',
        'DBUS_SESSION_BUS_ADDRESS',
        'DISPLAY',
        'WAYLAND_DISPLAY',
        'XAUTHORITY',
        'XDG_RUNTIME_DIR',
        'DOCKER_HOST',
        'KUBECONFIG',
        'TMUX',
      ],
    ],
    [
      'variables that lead git elsewhere',
      ['GIT_DIR', 'GIT_INDEX_FILE', 'GIT_SSH_COMMAND', 'GIT_ASKPASS', 'GIT_CONFIG_COUNT', 'GIT_CONFIG_VALUE_0', 'GIT_TRACE'],
    ],
    ['variables that load code into every process', ['LD_PRELOAD', 'LD_AUDIT', 'DYLD_INSERT_LIBRARIES', 'BASH_ENV', 'ENV', 'PROMPT_COMMAND', 'IFS']],
    ['the files of a CI service', ['GITHUB_ENV', 'GITHUB_PATH', 'GITHUB_OUTPUT', 'GITHUB_TOKEN', 'ACTIONS_RUNTIME_TOKEN', 'ACTIONS_ID_TOKEN_REQUEST_URL']],
    ['logins of clouds', ['AWS_ACCESS_KEY_ID', 'AWS_PROFILE', 'AZURE_CLIENT_SECRET', 'GCLOUD_PROJECT', 'DIGITALOCEAN_ACCESS_TOKEN', 'CLOUDFLARE_API_TOKEN']],
    ['unknown variables', ['MYAPP_MODE', 'DATABASE_URL', 'STRIPE_KEY', 'PWD', 'OLDPWD', '_', 'EDITOR']],
    [
      'secrets of toolchains',
      [
        'NODE_AUTH_TOKEN',
        'NPM_CONFIG_//registry.example.org/:_authToken',
        'npm_config__auth',
        'npm_config__password',
        'CARGO_REGISTRY_TOKEN',
        'CARGO_REGISTRIES_MINE_TOKEN',
        'GRADLE_PUBLISH_KEY',
        'ORG_GRADLE_PROJECT_signingPassword',
        'GRADLE_SIGNING_PASSWORD',
        'POETRY_HTTP_BASIC_MINE_PASSWORD',
        'POETRY_PYPI_TOKEN_PYPI',
        'UV_PUBLISH_TOKEN',
        'UV_INDEX_MINE_PASSWORD',
        'COMPOSER_AUTH',
        'HOMEBREW_GITHUB_API_TOKEN',
        'BUNDLE_GEMS__EXAMPLE__COM',
        'GEM_HOST_API_KEY',
        'TURBO_TOKEN',
        'HEX_API_KEY',
        'MAVEN_REPO_PASS',
        'YARN_NPM_AUTH_TOKEN',
        'RALPH_API_TOKEN',
        'NUGET_CREDENTIALS',
      ],
    ],
  ])('never gets %s', (_, names) => {
    for (const { name } of definitions) expect(passed(names, name)).toEqual([]);
    expect(gateEnvironment(named(names), { pass: [] })).toEqual({});
  });

  it.each([
    ['PIP_INDEX_URL', 'https://me:hunter2@pypi.example.org/simple', 'https://pypi.example.org/simple'],
    ['GOPROXY', 'https://a-token@goproxy.example.org', 'https://goproxy.example.org,direct'],
    ['UV_DEFAULT_INDEX', 'https://__token__:abc@host/simple', 'https://host/simple'],
    ['GRADLE_OPTS', '-Dorg.gradle.jvmargs=-Xmx2g --password hunter2', '-Xmx2g -Dorg.gradle.daemon=false'],
    ['NODE_OPTIONS', `--require ./x.js --api-key ${'a1'.repeat(12)}`, '--max-old-space-size=4096'],
  ])('gets %s only if it contains no login', (name, secret, harmless) => {
    expect(gateEnvironment({ [name]: secret }, { pass: [] })).toEqual({});
    expect(gateEnvironment({ [name]: harmless }, { pass: [] })).toEqual({ [name]: harmless });
  });

  it('gets the proxy with its password, which the network needs', () => {
    const env = { HTTPS_PROXY: 'http://me:hunter2@proxy:3128' };
    expect(agentEnvironment(env, { kind: 'codex', pass: [] })).toEqual(env);
  });
});

describe('the variables that the operator lets pass', () => {
  it.each([
    [['MYAPP_*'], ['MYAPP_MODE', 'MYAPP_TOKEN']],
    [['MYAPP_MODE'], ['MYAPP_MODE']],
    [['*_URL'], ['DATABASE_URL']],
    [['myapp_*'], []],
    [['MYAPP.MODE', '[A-Z]*', ''], []],
    [['*'], ['MYAPP_MODE', 'MYAPP_TOKEN', 'DATABASE_URL', 'SSH_AUTH_SOCK']],
  ])('for %j are %j', (pass, expected) => {
    const names = ['MYAPP_MODE', 'MYAPP_TOKEN', 'DATABASE_URL', 'SSH_AUTH_SOCK'];
    expect(passed(names, 'claude', pass)).toEqual(expected);
    expect(Object.keys(gateEnvironment(named(names), { pass }))).toEqual(expected);
  });

  it('are matched quickly, whatever the pattern', async () => {
    expect(await cpuMs(() => passed(['A'.repeat(100_000)], 'claude', [`${'*A'.repeat(30)}B`]))).toBeLessThan(1_000);
  });
});
