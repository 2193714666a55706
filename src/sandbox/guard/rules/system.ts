import { block, never, type Objection, type Rule, warn } from '../rule.ts';
import { MADE, STAR } from '../shell/holes.ts';
import { readOptions } from '../shell/options.ts';
import { ITSELF } from '../shell/walk.ts';
import type { Step } from '../step.ts';

const LEAVE = 'The machine is not part of the project; leave its configuration to the operator.';
const unless =
  (words: RegExp, why = LEAVE) =>
  ({ args }: Step): Objection | null =>
    args.some((word) => words.test(word)) || args.length === 0 ? null : block(why);

function lookAtServices({ args }: Step): Objection | null {
  const words = args.filter((word) => !word.startsWith('-'));
  if (/^(reboot|poweroff|halt|kexec|suspend|hibernate|rescue|emergency|isolate|default)$/.test(words[0] ?? ''))
    return block('This ends or restarts the machine; leave it running.');
  return /^(status|list-.*|show|cat|is-.*|help|get-default)$/.test(words[0] ?? 'status') ? null : block(LEAVE);
}

/** Programs that are commonly started in a project, so that an agent may have to end them. */
const DEV =
  /node|npm|yarn|pnpm|bun|deno|vite|vitest|jest|next|nuxt|webpack|rollup|esbuild|parcel|tsx|ts-node|nodemon|dev|serve|server|python|flask|uvicorn|gunicorn|django|manage\.py|celery|rails|puma|ruby|php|artisan|java|gradle|cargo|go|air|storybook|playwright|chrom|cypress|electron|expo|metro|redis|postgres|mongod|test|watch|app|api|worker|http/i;
const NOT_DEV = /sshd|systemd|init|dockerd|containerd|cron|launchd|dbus|udev|Xorg|gnome|WindowServer|loginwindow|claude|codex|ralph|^\.\*?$|^-?u$|bash|zsh/i;

function lookAtPkill({ args }: Step): Objection | null {
  const { values, operands } = readOptions(args, ['u', 'U', 't', 'P', 'g', 's', 'G', '--signal', '--user']);
  if (values.has('u') || values.has('U') || values.has('--user') || values.has('t'))
    return block('This ends processes of others; end what you have started by its number.');
  if (operands.length === 0 || operands.some((pattern) => NOT_DEV.test(pattern) || !DEV.test(pattern)))
    return block('This ends processes that are not yours; end what you have started by its number.');
  return warn('This ends every process of that name, also those of others; end what you have started by its number.');
}

function lookAtKill({ args }: Step): Objection | null {
  if (args.some((word) => /^-(l|L|-list)$/.test(word))) return null;
  const hasSignal = /^-/.test(args[0] ?? '');
  const rest = /^-(s|n|-signal)$/.test(args[0] ?? '') ? args.slice(2) : hasSignal && args.length > 1 ? args.slice(1) : args;
  return rest.some((word) => word === '1' || word === '-1' || word === '0' || word.includes(STAR))
    ? block('This ends more than what you have started; end that by its number.')
    : null;
}

const isAttaching = ({ args }: Step) =>
  args.some((word) => /^-p\d*$|^--?pid|^attach$/.test(word)) || args.some((word) => /^\d+$/.test(word) && Number(word) > 1);

function lookAtItself({ name, isDetached, isPiped }: Step): Objection | null {
  return name === ITSELF && (isDetached || isPiped) ? block('This starts itself again and again until nothing else can run.') : null;
}

function lookAtUnknown({ name, code, isInFile }: Step): Objection | null {
  if (name !== MADE && !(name.includes(MADE) && name.length < 3)) return null;
  if (code !== null) return null;
  const why = 'Nobody can tell beforehand which command this runs; write it out.';
  return isInFile ? warn(why) : block(why);
}

export const SYSTEM: readonly Rule[] = [
  { id: 'calls-itself-without-end', category: 3, names: [ITSELF], look: lookAtItself },
  {
    id: 'starts-processes-without-end',
    category: 3,
    names: null,
    look: ({ isEndless, isDetached }) => (isEndless && isDetached ? block('This starts more and more until nothing else can run; let each turn wait.') : null),
  },
  {
    id: 'ends-the-sessions-of-a-user',
    category: 14,
    names: ['loginctl'],
    look: ({ args }) => (args.some((word) => /^(terminate|kill|lock|enable-linger)/.test(word)) ? block(LEAVE) : null),
  },
  {
    id: 'changes-kernel-settings',
    category: 11,
    names: ['sysctl'],
    look: ({ args }) => (args.some((word) => /^-[a-z]*[wp]|=|^--(write|load|system)/.test(word)) ? block(LEAVE) : null),
  },
  {
    id: 'changes-the-firewall',
    category: 11,
    names: ['iptables', 'ip6tables', 'nft', 'ufw', 'firewall-cmd', 'pfctl', 'ipset', 'ebtables'],
    look: unless(/^(-L|-S|--list.*|list|status|show|-s)$/),
  },
  {
    id: 'changes-the-network',
    category: 11,
    names: ['ifconfig', 'resolvectl', 'nmcli', 'route', 'networksetup', 'scutil', 'netsh', 'wpa_cli'],
    look: ({ args }) =>
      args.some((word) => /^(down|up|add|del|delete|set|modify|--set|-set.*|connect|off|dns|domain|revert)$/.test(word)) ? block(LEAVE) : null,
  },
  {
    id: 'changes-the-network-by-ip',
    category: 11,
    names: ['ip', 'tc'],
    look: ({ args }) => (args.some((word) => /^(add|del|delete|set|flush|replace|change)$/.test(word)) ? block(LEAVE) : null),
  },
  { id: 'changes-the-timetable', category: 11, names: ['crontab'], look: unless(/^-l$/) },
  {
    id: 'reads-a-timetable-from-a-pipe',
    category: 11,
    names: ['crontab'],
    look: ({ args, input }) => (args.length === 0 && input !== null ? block(LEAVE) : null),
  },
  { id: 'changes-services', category: 11, names: ['systemctl'], look: lookAtServices },
  {
    id: 'changes-services-the-old-way',
    category: 11,
    names: ['service', 'rc-service', 'initctl', 'rc-update', 'update-rc.d', 'chkconfig', 'sv'],
    look: unless(/^(status|list|--status-all|--list)$/),
  },
  { id: 'changes-services-of-a-mac', category: 11, names: ['launchctl'], look: unless(/^(list|print|help|version)$/) },
  never(
    'changes-users',
    11,
    [
      'useradd',
      'usermod',
      'userdel',
      'adduser',
      'deluser',
      'groupadd',
      'groupmod',
      'groupdel',
      'passwd',
      'chpasswd',
      'chsh',
      'chfn',
      'vipw',
      'vigr',
      'gpasswd',
      'dscl',
      'newusers',
      'pw',
    ],
    LEAVE,
  ),
  never(
    'changes-the-machine',
    11,
    ['setenforce', 'update-alternatives', 'hwclock', 'dpkg-reconfigure', 'authconfig', 'pam-auth-update', 'csrutil', 'spctl', 'nvram', 'systemsetup'],
    LEAVE,
  ),
  {
    id: 'changes-name-and-time',
    category: 11,
    names: ['timedatectl', 'hostnamectl', 'localectl', 'hostname', 'date'],
    look: ({ name, args }) =>
      args.some((word) => /^set-|^-s$|^--set/.test(word)) || (name === 'hostname' && args.some((word) => !word.startsWith('-'))) ? block(LEAVE) : null,
  },
  {
    id: 'changes-preferences',
    category: 11,
    names: ['defaults', 'gsettings', 'dconf'],
    look: ({ args }) => (/^(write|delete|set|reset)$/.test(args[0] ?? '') ? warn('This changes the preferences of the user.') : null),
  },
  {
    id: 'removes-packages-of-the-system',
    category: 11,
    names: ['apt', 'apt-get', 'dnf', 'yum', 'dpkg', 'pacman', 'snap', 'apk', 'flatpak'],
    look: ({ args }) => (args.some((word) => /^(remove|purge|autoremove|erase|-P|-r|--purge|--remove|-R\w*)$/.test(word)) ? block(LEAVE) : null),
  },
  { id: 'kills-what-it-did-not-start', category: 14, names: ['kill'], look: lookAtKill },
  { id: 'kills-by-name', category: 14, names: ['pkill', 'killall', 'killall5', 'skill'], look: lookAtPkill },
  never(
    'ends-the-machine',
    14,
    ['reboot', 'shutdown', 'halt', 'poweroff', 'telinit', 'kexec', 'pm-suspend'],
    'This ends or restarts the machine; leave it running.',
  ),
  {
    id: 'changes-the-runlevel',
    category: 14,
    names: ['init'],
    look: ({ args }) => (/^[06sS1]$/.test(args[0] ?? '') ? block('This ends or restarts the machine; leave it running.') : null),
  },
  {
    id: 'looks-into-processes',
    category: 14,
    names: ['strace', 'ltrace', 'gdb', 'lldb', 'dtrace', 'dtruss', 'bpftrace', 'perf'],
    look: (step) =>
      isAttaching(step)
        ? block('This reads the memory of a process that is not yours; start your own under it.')
        : /^(strace|ltrace)$/.test(step.name)
          ? warn('This shows everything that the program does, also its secrets.')
          : null,
  },
  {
    id: 'kills-who-uses-a-folder',
    category: 14,
    names: ['fuser'],
    look: ({ args }) =>
      args.some((word) => /^-\w*k|^--kill/.test(word)) && args.some((word) => /^[/~]/.test(word))
        ? block('This ends every process that uses it; end what you have started by its number.')
        : null,
  },
  {
    id: 'runs-by-a-timer',
    category: 15,
    names: ['systemd-run'],
    look: ({ args }) => (args.some((word) => /^--(on-|timer)/.test(word)) ? block('This runs later, when nobody watches; run it now.') : null),
  },
  never('loads-kernel-modules', 14, ['insmod', 'modprobe', 'rmmod', 'depmod', 'kmod'], LEAVE),
  { id: 'takes-memory-away', category: 14, names: ['swapoff', 'swapon'], look: unless(/^(-s|--show|--summary)$/) },
  {
    id: 'runs-later',
    category: 15,
    names: ['at', 'batch'],
    look: ({ args }) => (args.some((word) => /^-(l|c|q?$)/.test(word)) ? null : block('This runs later, when nobody watches; run it now.')),
  },
  {
    id: 'installs-hooks',
    category: 15,
    names: ['pre-commit', 'husky', 'lefthook'],
    look: ({ args }) => (/^(install|init|add|set)$/.test(args[0] ?? '') ? warn('This installs hooks that git runs by itself.') : null),
  },
  { id: 'runs-what-cannot-be-known', category: 12, names: null, look: lookAtUnknown },
];
