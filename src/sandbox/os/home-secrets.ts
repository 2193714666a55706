/** What is hidden of a home, if it is there. `*` stands for the rest of a name. The logins of agents are not in this list. */
export const HOME_SECRETS: readonly string[] = [
  // Keys, and what logs in somewhere.
  ...['.ssh', '.gnupg', '.pki', '.password-store', '.local/share/keyrings', '.local/share/kwalletd', '.config/kwalletrc', '.config/sops', '.config/age'],
  ...['.netrc', '_netrc', '.authinfo*', '.git-credentials', '.config/git/credentials', '.config/gh', '.config/hub', '.config/glab-cli', '.config/tea'],
  ...['.pgpass', '.my.cnf', '.mylogin.cnf', '.mongorc.js', '.dbshell', '.config/pgcli', '.snowflake', '.config/snowflake', '.databrickscfg'],
  ...['.vault-token', '.config/op', '.op', '.1password', '.config/1Password', '.config/Bitwarden*', '.config/keepassxc', '.lpass', '.config/lpass'],
  ...['.config/rclone', '.s3cfg', '.boto', '.msmtprc', '.mbsyncrc', '.offlineimaprc', '.muttrc', '.mutt', '.config/neomutt', '.config/aerc'],
  // Clouds, clusters, containers.
  ...['.aws', '.azure', '.config/gcloud', '.oci', '.config/oci', '.aliyun', '.config/doctl', '.config/hcloud', '.config/scw', '.config/linode-cli', '.bluemix'],
  ...['.kube', '.config/helm', '.docker', '.config/containers/auth.json', '.local/share/containers', '.colima', '.lima', '.rd', '.orbstack', '.minikube'],
  ...['.terraform.d', '.terraformrc', '.pulumi', '.config/heroku', '.config/netlify', '.config/vercel', '.local/share/com.vercel.cli', '.fly', '.wrangler'],
  ...[
    '.config/.wrangler',
    '.config/stripe',
    '.config/ngrok',
    '.ngrok2',
    '.cloudflared',
    '.config/railway',
    '.railway',
    '.config/supabase',
    '.supabase',
    '.sentryclirc',
  ],
  // Registries of packages.
  ...['.npmrc', '.yarnrc', '.yarnrc.yml', '.pypirc', '.config/pip', '.pip', '.config/pypoetry/auth.toml', '.cargo/credentials*', '.gem/credentials'],
  ...['.bundle/config', '.composer/auth.json', '.config/composer/auth.json', '.m2/settings*.xml', '.gradle/gradle.properties', '.nuget/NuGet', '.condarc'],
  ...[
    '.config/uv/credentials',
    '.local/share/uv/credentials',
    '.hex/hex.config',
    '.huggingface',
    '.cache/huggingface/token',
    '.cache/huggingface/stored_tokens',
    '.kaggle',
  ],
  // What somebody has seen, typed or said.
  ...[
    '.mozilla',
    '.thunderbird',
    '.config/google-chrome*',
    '.config/chromium',
    '.config/BraveSoftware',
    '.config/microsoft-edge*',
    '.config/vivaldi',
    '.config/opera',
  ],
  ...[
    '.config/Slack',
    '.config/discord',
    '.config/Signal',
    '.config/Element',
    '.local/share/TelegramDesktop',
    '.config/Code/User/globalStorage',
    '.config/Cursor',
  ],
  ...['.*_history', '.*_history.*', '.zsh_sessions', '.histfile', '.local/share/fish', '.local/share/mc', '.lesshst', '.viminfo', '.local/state/nvim/shada'],
  ...['.config/nushell/history*', '.local/share/atuin', '.local/share/zoxide', '.irb-history', '.node_repl_history', '.wget-hsts'],
  // Wallets.
  ...['.bitcoin', '.ethereum', '.electrum', '.monero', '.config/solana', '.config/Exodus', '.config/Ledger Live'],
];

/** What a root inside could read although nobody else can. */
export const SYSTEM_SECRETS: readonly string[] = [
  ...['/etc/shadow*', '/etc/gshadow*', '/etc/sudoers*', '/etc/ssh/ssh_host_*_key', '/etc/ssl/private', '/etc/krb5.keytab', '/etc/letsencrypt'],
  ...['/etc/wireguard', '/etc/openvpn', '/etc/NetworkManager/system-connections', '/etc/kubernetes', '/etc/rancher', '/etc/docker/key.json'],
  ...['/var/lib/kubelet', '/var/lib/docker', '/var/lib/containerd', '/var/spool/cron', '/var/backups'],
];

/** Where tools keep what can be fetched again: a folder of the project's own is there instead. The first are made if they are missing. */
export const CACHES: { readonly made: readonly string[]; readonly ifThere: readonly string[] } = {
  made: ['.cache', '.npm'],
  ifThere: ['.yarn', '.bun/install/cache', '.node-gyp', '.pnpm-store'],
};

/** Programs that are kept in caches and are not fetched again without a network. */
export const PROGRAMS_IN_CACHES: readonly string[] = [
  ...['.cache/node', '.cache/ms-playwright', '.cache/puppeteer', '.cache/Cypress', '.cache/electron', '.cache/pre-commit', '.cache/bazelisk', '.cache/prisma'],
];
