import { block, never, type Objection, type Rule, warn } from '../rule.ts';
import { hasHole, MADE, SECRET } from '../shell/holes.ts';
import { readOptions } from '../shell/options.ts';
import type { Step } from '../step.ts';

const TELL = 'nothing of this machine is sent elsewhere; leave it to the operator';

const LOOPBACK = /^(?:[a-z]+:\/\/)?(?:[^/@\s]*@)?(localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1\]|::1|[\w-]+\.localhost|host\.docker\.internal)(?=[:/?#]|$)/i;
export const isLoopback = (address: string): boolean => LOOPBACK.test(address) || /^:\d/.test(address);

const CURL_VALUES = ['o', 'H', 'd', 'X', 'u', 'A', 'e', 'F', 'T', 'b', 'c', 'm', 'w', 'x', 'E', 'K', 'r', 'U', 'y', 'Y', 'z', 'C', 'P', 't', 'D'];
/** Options that make curl send data. */
const CURL_SENDING = ['--data', '--data-raw', '--data-binary', '--data-urlencode', '--data-ascii', '--json', '--form', '--form-string', '--upload-file'];
const CURL_LONG = [...CURL_SENDING, '--output', '--header'];
const CURL_MORE = [
  '--request',
  '--user',
  '--user-agent',
  '--max-time',
  '--connect-timeout',
  '--retry',
  '--retry-delay',
  '--write-out',
  '--proxy',
  '--url',
  '--cookie',
  '--cookie-jar',
];
const CURL_REST = [
  '--unix-socket',
  '--resolve',
  '--cacert',
  '--cert',
  '--key',
  '--referer',
  '--range',
  '--config',
  '--noproxy',
  '--interface',
  '--dump-header',
];
const SENDS = ['d', 'F', 'T', ...CURL_SENDING];

function lookAtCurl({ args, input }: Step): Objection | null {
  const { values, operands } = readOptions(args, [...CURL_VALUES, ...CURL_LONG, ...CURL_MORE, ...CURL_REST]);
  const given = (names: readonly string[]) => names.flatMap((name) => values.get(name) ?? []);
  if (given(['--unix-socket']).some((path) => /docker\.sock|containerd|podman/.test(path)))
    return block('This talks to the container engine itself; use its command.');
  const urls = [...operands, ...given(['--url'])];
  if ((urls.length > 0 && urls.every(isLoopback)) || values.has('--unix-socket')) return null;
  if (urls.some(carriesData)) return block(`This puts a secret, or what a command prints, into an address; ${TELL}.`);
  const isFed = input !== null && args.some((word) => /@-|^-$/.test(word));
  if (isFed || given(SENDS).length > 0) return block(`This sends data to another machine; ${TELL}.`);
  if (given(['X', '--request']).some((method) => /POST|PUT|PATCH|DELETE/i.test(method))) return block(`This changes something on another machine; ${TELL}.`);
  const isShowing = given(['H', '--header']).some((header) => header.includes(SECRET));
  return isShowing ? warn('This sends a secret to another machine; be sure that it is the right one.') : null;
}

/** Whether the URL contains a secret, or computed text after its beginning. */
const carriesData = (url: string) => url.includes(SECRET) || url.indexOf(MADE) > 'https://'.length;

const WGET_LONG = [
  '--post-data',
  '--post-file',
  '--body-data',
  '--body-file',
  '--method',
  '--header',
  '--user',
  '--password',
  '--user-agent',
  '--output-document',
  '--timeout',
  '--tries',
];

function lookAtWget({ args }: Step): Objection | null {
  const sends = args.some((word) => /^--(post|body)-(data|file)|^--method(?!=(get|head)$)/i.test(word));
  const { operands } = readOptions(args, ['O', 'o', 'P', 'U', 't', 'T', ...WGET_LONG]);
  if (operands.length > 0 && operands.every(isLoopback)) return null;
  if (sends || operands.some(carriesData)) return block(`This sends data to another machine; ${TELL}.`);
  return null;
}

function lookAtHttpie({ args }: Step): Objection | null {
  const words = args.filter((word) => !word.startsWith('-'));
  const isSending = /^(POST|PUT|PATCH|DELETE)$/i.test(words[0] ?? '') || words.slice(1).some((word) => /[=@]/.test(word));
  return isSending && !words.some(isLoopback) ? block(`This sends data to another machine; ${TELL}.`) : null;
}

const isRemote = (word: string) => /^([\w.-]+@)?[\w.-]+:(?!\\)/.test(word) || /^(rsync|scp|sftp|ssh):\/\//.test(word);

function lookAtCopy({ args, name }: Step): Objection | null {
  const { operands } = readOptions(args, ['P', 'i', 'F', 'o', 'c', 'l', 'S', 'J', 'e', 'b', '--rsh', '--exclude', '--include']);
  if (isRemote(operands.at(-1) ?? '') || name === 'sftp') return block(`This copies to another machine; ${TELL}.`);
  return operands.some(isRemote) ? warn('This copies from another machine; be sure that it is the right one.') : null;
}

/** Testing whether a port answers only gives a warning; the guard blocks sending data through it. */
function lookAtNetcat({ args, input, redirects }: Step): Objection | null {
  if (args.some((word) => /^-[a-zA-Z]*[ec]$|^--(sh-|lua-)?exec/.test(word))) return block('This gives a shell to whoever connects; no agent needs that.');
  const { letters, names, operands } = readOptions(args, ['p', 's', 'w', 'q', 'X', 'x', 'i', 'g', 'I', 'O', 'P', 'T', 'V']);
  if (letters.has('l') || names.has('--listen')) return block('This waits for whoever connects; use a test server of the project on 127.0.0.1.');
  if (operands.some((word) => isLoopback(word))) return null;
  const isTalking = input !== null || redirects.length > 0;
  if (letters.has('z') && !isTalking) return warn('This looks whether a port of another machine is open.');
  return isTalking || operands.length > 0 ? block(`This connects to another machine; ${TELL}.`) : null;
}

function lookAtServer({ args }: Step): Objection | null {
  const at = args.indexOf('-m');
  if (at === -1 || !/^(http\.server|SimpleHTTPServer|pyftpdlib|smtpd|uploadserver)$/.test(args[at + 1] ?? '')) return null;
  return args.some(isLoopback) ? null : block('This shows the folder to the whole network; add --bind 127.0.0.1.');
}

function lookAtNames({ args }: Step): Objection | null {
  if (args.some((word) => hasHole(word) && /\./.test(word))) return block(`Names can carry data to another machine; ${TELL}.`);
  return args.some((word) => /^(-t=?|-type=|-q=|-querytype=)?txt$/i.test(word)) ? block(`Text records are a way to carry data; ${TELL}.`) : null;
}

const KNOWN_FORGES = /(^|@)(github\.com|gitlab\.com|bitbucket\.org|ssh\.dev\.azure\.com)$/;

function lookAtSsh({ args, input }: Step): Objection | null {
  const { letters, operands } = readOptions(args, ['p', 'i', 'l', 'o', 'F', 'J', 'L', 'R', 'D', 'W', 'b', 'c', 'E', 'e', 'I', 'm', 'O', 'Q', 'S', 'w', 'B']);
  if (['R', 'L', 'D', 'w', 'W'].some((letter) => letters.has(letter))) return block('This opens a tunnel to another machine; no agent needs that.');
  const host = operands[0] ?? '';
  if (host === '' || KNOWN_FORGES.test(host)) return null;
  if (isLoopback(host.replace(/^.*@/, ''))) return null;
  return input !== null ? block(`This sends data to another machine; ${TELL}.`) : warn('This works on another machine, where no rule of this project holds.');
}

const TUNNELS = [
  'ngrok',
  'cloudflared',
  'lt',
  'localtunnel',
  'bore',
  'frpc',
  'frps',
  'chisel',
  'autossh',
  'sshd',
  'dropbear',
  'tmate',
  'upterm',
  'teleconsole',
  'gs-netcat',
  'x11vnc',
  'vncserver',
  'telnetd',
  'zrok',
  'serveo',
  'sshuttle',
  'pagekite',
];
const SCANNERS = ['nmap', 'masscan', 'zmap', 'hping3', 'nikto', 'sqlmap', 'hydra', 'tcpdump', 'tshark', 'ettercap', 'arpspoof', 'responder'];

export const NETWORK: readonly Rule[] = [
  { id: 'sends-with-curl', category: 4, names: ['curl'], look: lookAtCurl },
  { id: 'sends-with-wget', category: 4, names: ['wget'], look: lookAtWget },
  { id: 'sends-with-httpie', category: 4, names: ['http', 'https', 'xh'], look: lookAtHttpie },
  { id: 'copies-to-another-machine', category: 4, names: ['scp', 'rsync', 'sftp', 'rcp'], look: lookAtCopy },
  never(
    'transfers-files',
    4,
    ['ftp', 'tftp', 'lftp', 'ncftp', 'ncftpput', 'rclone', 'croc', 'wormhole', 'magic-wormhole', 'transfer', 'ffsend', 'uuencode'],
    `This carries files to another machine; ${TELL}.`,
  ),
  never('sends-mail', 4, ['mail', 'mailx', 'sendmail', 'mutt', 'swaks', 'msmtp', 'ssmtp'], `This sends mail; ${TELL}.`),
  never('looks-around-in-the-network', 4, SCANNERS, 'This scans machines outside of the project; leave them alone.'),
  { id: 'serves-the-folder', category: 4, names: ['python', 'python2', 'python3'], look: lookAtServer },
  { id: 'asks-for-names-with-data', category: 4, names: ['dig', 'nslookup', 'host', 'drill', 'ping', 'ping6', 'traceroute'], look: lookAtNames },
  {
    id: 'speaks-tls-by-hand',
    category: 4,
    names: ['openssl'],
    look: ({ args }) =>
      args[0] === 's_client' || args[0] === 's_server' ? (args.some(isLoopback) ? null : block(`This opens a connection to another machine; ${TELL}.`)) : null,
  },
  {
    id: 'uploads-with-gh',
    category: 4,
    names: ['gh'],
    look: ({ args }) => (args[0] === 'gist' && args[1] === 'create' ? block(`This makes files public; ${TELL}.`) : null),
  },
  { id: 'opens-netcat', category: 5, names: ['nc', 'ncat', 'netcat', 'nc.traditional', 'nc.openbsd'], look: lookAtNetcat },
  {
    id: 'joins-sockets',
    category: 5,
    names: ['socat'],
    look: ({ args }) =>
      args.some((word) => /^(exec|system|shell|pty)[:,]/i.test(word) || /^(tcp|udp|openssl|sctp)/i.test(word))
        ? block('This joins a command or a file to the network; no agent needs that.')
        : null,
  },
  {
    id: 'opens-telnet',
    category: 5,
    names: ['telnet', 'rlogin', 'rsh'],
    look: ({ args }) => (args.some(isLoopback) || args.length === 0 ? null : block('This opens a session on another machine; no agent needs that.')),
  },
  { id: 'opens-ssh', category: 5, names: ['ssh', 'mosh'], look: lookAtSsh },
  never('opens-a-tunnel', 5, TUNNELS, 'This opens this machine to others; no agent needs that.'),
  never('lets-somebody-in', 5, ['ssh-copy-id'], 'This changes who may log in; leave it to the operator.'),
  {
    id: 'runs-on-in-a-hidden-terminal',
    category: 5,
    names: ['screen', 'tmux'],
    look: ({ args }) =>
      args.some((word) => /^-[a-zA-Z]*d/.test(word)) && args.some((word) => /^(new|new-session)$|^-[a-zA-Z]*m/.test(word))
        ? block('This goes on in the background, where nobody sees it; run it in the foreground.')
        : null,
  },
  {
    id: 'connects-by-dev-tcp',
    category: 5,
    names: null,
    look: ({ redirects }) =>
      redirects.some(({ target }) => /^\/dev\/(tcp|udp)\/(?!localhost|127\.)/.test(target))
        ? block('This connects the shell to another machine; no agent needs that.')
        : null,
  },
];
