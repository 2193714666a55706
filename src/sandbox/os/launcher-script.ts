/** The instructions for the launcher. */
export interface LauncherTask {
  /** The proxy's socket on the host, which is visible inside; null: no network. */
  readonly proxySocket: string | null;
  /** The port on loopback inside, where the launcher offers the proxy. */
  readonly proxyPort: number;
  /** Ports of the host's loopback that the launcher offers inside, for clients that ignore proxies. */
  readonly loopback: readonly { readonly host: string; readonly port: number }[];
}

/** A command that the launcher runs. The launcher's program and task are passed in the environment, which keeps the process table readable. */
export interface Launch {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const PROGRAM = 'RALPH_LAUNCHER';
const TASK = 'RALPH_LAUNCHER_TASK';
/** Carries NODE_OPTIONS past the launcher: it is meant for the command and must not change the launcher. */
const HELD_OPTIONS = 'RALPH_LAUNCHER_OPTIONS';

/** The launcher needs only `node` and no file of Ralph's, which the sandbox could hide. */
export function launch(node: string, task: LauncherTask, { command, env: { NODE_OPTIONS, ...env } }: Launch): Launch {
  return {
    command: [node, '-e', `eval(process.env.${PROGRAM})`, '--', ...command],
    env: { ...env, ...(NODE_OPTIONS === undefined ? {} : { [HELD_OPTIONS]: NODE_OPTIONS }), [PROGRAM]: program, [TASK]: JSON.stringify(task) },
  };
}

/**
 * The launcher's whole program, in plain JavaScript. It runs one command inside the sandbox, connects it to the proxy, passes signals on, and exits as the
 * command did. It is short, since every start waits for it.
 */
const program = `
'use strict';
const net = require('node:net');
const { spawn } = require('node:child_process');
const { closeSync, readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { ${PROGRAM}: _program, ${TASK}: task, ${HELD_OPTIONS}: heldOptions, ...env } = process.env;
const [, file, ...args] = process.argv;
const { proxySocket, proxyPort, loopback } = JSON.parse(task);
process.title = 'ralph-launcher';

// Closes the files that were open when Ralph was started: Node passes on all that are not marked close-on-exec.
function closeInherited() {
  for (const fd of readdirSync('/proc/self/fd').map(Number).filter((fd) => fd > 2)) {
    try {
      const [, flags] = /^flags:\\s+(\\d+)$/m.exec(readFileSync('/proc/self/fdinfo/' + fd, 'latin1'));
      if ((Number.parseInt(flags, 8) & 0o2000000) === 0) closeSync(fd);
    } catch {
      // This was the descriptor of the listing itself.
    }
  }
}

// Each direction ends separately; an error in one closes both.
function join(one, other) {
  for (const [from, to] of [[one, other], [other, one]]) {
    from.on('error', () => to.destroy());
    from.on('close', () => from.readableEnded || to.destroy());
    from.pipe(to);
  }
}

const proxied = () => net.connect({ path: proxySocket, allowHalfOpen: true });

// The answer to CONNECT is one short head; the bytes after it belong to the client.
function tunnel(client, target) {
  const proxy = proxied();
  let head = Buffer.alloc(0);
  const read = (chunk) => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\\r\\n\\r\\n');
    if (end < 0 && head.length < 65536) return;
    proxy.off('data', read);
    if (!head.toString('latin1', 0, 12).startsWith('HTTP/1.1 200')) return void (client.destroy(), proxy.destroy());
    client.write(head.subarray(end + 4));
    join(client, proxy);
  };
  client.on('error', () => proxy.destroy());
  proxy.on('error', () => client.destroy());
  proxy.on('data', read);
  proxy.write('CONNECT ' + target + ' HTTP/1.1\\r\\nHost: ' + target + '\\r\\n\\r\\n');
}

// A machine without IPv6 has no ::1 to listen on.
function listen(port, host, onClient) {
  return new Promise((resolve) => {
    net.createServer({ allowHalfOpen: true }, onClient).once('error', resolve).listen({ port, host }, resolve);
  });
}

function ways() {
  if (proxySocket === null) return [];
  const offered = loopback.filter(({ port }, at) => port !== proxyPort && loopback.findIndex((other) => other.port === port) === at);
  return [
    listen(proxyPort, '127.0.0.1', (client) => join(client, proxied())),
    ...offered.flatMap(({ host, port }) => ['127.0.0.1', '::1'].map((address) => listen(port, address, (client) => tunnel(client, host + ':' + port)))),
  ];
}

function fail(error) {
  const missing = error.code === 'ENOENT';
  process.stderr.write('ralph: cannot start ' + file + ': ' + (missing ? 'not found in the sandbox' : error.message) + '\\n');
  process.exit(missing ? 127 : 126);
}

function run() {
  const options = heldOptions === undefined ? {} : { NODE_OPTIONS: heldOptions };
  const child = spawn(file, args, { env: { ...env, ...options }, stdio: 'inherit' });
  if (early !== null) child.kill(early);
  for (const signal of passedOn) process.on(signal, () => child.kill(signal));
  child.on('error', fail);
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    setTimeout(() => process.exit(1), 1000);
  });
}

const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'];
let early = null;
for (const signal of passedOn) process.on(signal, () => { early ??= signal; });
closeInherited();
// If memory runs out, the kernel ends what runs inside, and not Ralph.
try { writeFileSync('/proc/self/oom_score_adj', '1000'); } catch {}
Promise.all(ways()).then(run).catch(fail);
`;
