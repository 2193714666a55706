// Runs commands of the built program for one worker of vitest, each with an io of its own: a line of JSON asks for one, a line answers.
import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';

const { runCli } = createRequire(import.meta.url)('../../dist/cli/run-cli.js');

process.once('message', (_, socket) => {
  process.disconnect();
  socket.on('close', () => process.exit());
  const answer = (line) => socket.write(`${JSON.stringify(line)}\n`);
  createInterface({ input: socket }).on('line', async (line) => answer(await run(JSON.parse(line))));
});
process.send('ready');

async function run({ id, args, cwd, env, stdin, withinMs }) {
  const [stdout, stderr] = [paper(), paper()];
  const events = new EventEmitter();
  const stop = () => [1, 2].map(() => events.emit('SIGTERM', 'SIGTERM'));
  const bound = setTimeout(stop, withinMs);
  const code = await runCli(args, {
    cwd: () => cwd,
    env,
    stdin: Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    events,
  });
  clearTimeout(bound);
  return { id, code, stdout: stdout.text(), stderr: stderr.text() };
}

/** Collects its output; not a terminal. */
function paper() {
  const chunks = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}
