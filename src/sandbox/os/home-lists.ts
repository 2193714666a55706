/**
 * Folders of a home that contain tools and their downloads. The sandbox shows those that exist. Where a tool keeps keys beside its programs, its subfolders are
 * listed instead. Apart from this list, the sandbox shows only what PATH, the agent's login and the settings name.
 */
export const TOOLS: readonly string[] = [
  // Version managers, for one language or many tools.
  ...['.nvm', '.fnm', '.local/share/fnm', '.nodenv', '.n', '.volta', '.proto', '.pyenv', '.rbenv', '.rvm', '.goenv', '.phpenv', '.jenv', '.jabba', '.sdkman'],
  ...['.asdf', '.asdfrc', '.tool-versions', '.local/share/mise', '.config/mise', '.local/share/rtx', '.pkgx', '.linuxbrew', '.ghcup', '.elan', '.juliaup'],
  ...['.node-version', '.nvmrc', '.python-version', '.ruby-version', '.java-version', '.swiftly', '.fvm', '.nix-profile', '.local/state/nix'],
  // JavaScript.
  ...['.bun', '.deno', '.npm-global', '.npm-packages', '.local/share/pnpm', '.config/yarn/global', '.yarn/bin'],
  // Python.
  ...['.local/lib', '.local/share/uv/python', '.local/share/uv/tools', '.local/pipx', '.local/share/pipx', '.local/share/pypoetry', '.virtualenvs'],
  ...['.local/share/virtualenvs', '.local/share/hatch', '.conda/envs', '.conda/pkgs', 'miniconda3', 'anaconda3', 'miniforge3', 'mambaforge', 'micromamba'],
  ...below('.rye', ['shims', 'self', 'py', 'tools', 'uv', 'env', 'config.toml']),
  // Rust, Go, C.
  ...below('.cargo', ['bin', 'env', 'config', 'config.toml', 'registry', 'git']),
  ...['.rustup', 'go', '.conan2/p', '.platformio/packages', '.platformio/platforms', '.platformio/penv', '.espressif'],
  // Java and other JVM languages.
  ...['.m2/repository', '.m2/wrapper', '.ivy2/cache', '.ivy2/local', '.sbt/boot', '.sbt/launchers', '.jdks', '.local/share/coursier'],
  ...below('.gradle', ['wrapper', 'caches', 'jdks', 'native']),
  // Others.
  ...['.gem/ruby', '.local/share/gem', '.bundle/cache', '.bundle/plugin', '.composer/vendor', '.config/composer/vendor', '.nuget/packages', '.hex/packages'],
  ...['.mix', '.opam', '.cabal/bin', '.cabal/packages', '.cabal/store', '.local/state/cabal/store', '.swiftpm/xcframeworks', '.foundry/bin', '.svm'],
  ...below('.stack', ['programs', 'snapshots', 'pantry', 'indices', 'setup-exe-cache', 'global-project', 'config.yaml']),
  ...below('.dotnet', ['dotnet', 'tools', 'sdk', 'sdk-manifests', 'shared', 'host', 'packs', 'templates', 'store']),
  ...below('.julia', ['packages', 'registries', 'artifacts', 'compiled', 'environments', 'juliaup']),
  ...below('.pub-cache', ['bin', 'hosted', 'git', 'global_packages']),
  ...below('.luarocks', ['bin', 'lib', 'share']),
  // An agent without a definition.
  '.local/share/cursor-agent',
  // macOS: agents keep their login in the keychain.
  ...below('Library', ['Keychains', 'Preferences', 'Developer', 'Java', 'Python', 'pnpm', 'Android/sdk']),
  // Tools that are unpacked directly into the home.
  ...['google-cloud-sdk', 'flutter', 'development/flutter', 'Android/Sdk', '.android/avd', 'depot_tools'],
  // Fonts and terminals.
  ...['.fonts', '.local/share/fonts', '.config/fontconfig', '.terminfo'],
];

/** Variables that move a folder of the list elsewhere. */
export const MOVED_TOOLS: Readonly<Record<string, string>> = {
  CARGO_HOME: '.cargo',
  RUSTUP_HOME: '.rustup',
  NVM_DIR: '.nvm',
  FNM_DIR: '.fnm',
  VOLTA_HOME: '.volta',
  PYENV_ROOT: '.pyenv',
  RBENV_ROOT: '.rbenv',
  ASDF_DATA_DIR: '.asdf',
  MISE_DATA_DIR: '.local/share/mise',
  SDKMAN_DIR: '.sdkman',
  BUN_INSTALL: '.bun',
  DENO_DIR: '.deno',
  PNPM_HOME: '.local/share/pnpm',
  GOPATH: 'go',
  GRADLE_USER_HOME: '.gradle',
  NUGET_PACKAGES: '.nuget/packages',
};

/** Variables that name one folder or file of a toolchain. */
export const NAMING_VARIABLES: readonly string[] = [
  ...[
    'GOROOT',
    'GOMODCACHE',
    'JAVA_HOME',
    'JDK_HOME',
    'GRADLE_HOME',
    'MAVEN_HOME',
    'M2_HOME',
    'KOTLIN_HOME',
    'ANDROID_HOME',
    'ANDROID_SDK_ROOT',
    'FLUTTER_ROOT',
  ],
  ...['DOTNET_ROOT', 'CONDA_PREFIX', 'VIRTUAL_ENV', 'PYTHONHOME', 'GEM_HOME', 'PLAYWRIGHT_BROWSERS_PATH'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'PIP_CERT', 'CARGO_HTTP_CAINFO'],
];

/** Caches of tools. The sandbox replaces them with a folder per project. */
export const CACHES: { readonly always: readonly string[]; readonly ifThere: readonly string[] } = {
  always: ['.cache', '.npm'],
  ifThere: ['.yarn', '.bun/install/cache', '.node-gyp', '.pnpm-store'],
};

/** Programs that tools keep in caches and cannot download again without a network. */
export const PROGRAMS_IN_CACHES: readonly string[] = [
  ...['.cache/node', '.cache/ms-playwright', '.cache/puppeteer', '.cache/Cypress', '.cache/electron', '.cache/pre-commit', '.cache/bazelisk', '.cache/prisma'],
];

function below(folder: string, names: readonly string[]): readonly string[] {
  return names.map((name) => `${folder}/${name}`);
}
