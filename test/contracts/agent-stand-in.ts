import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { streamPath } from '../support/recorded-streams.ts';

/** What the scripted agent does after it has read its prompt from stdin. */
export interface Script {
  /** The recorded stream it prints; absent: it prints nothing. */
  readonly stream: string | null;
  /** The argument without which it prints plain text, like the real agents. Absent: it always prints its stream. */
  readonly streamsWith?: string;
  readonly exitCode: number;
  /** It does not exit after printing, and has a child that would outlive it. */
  readonly stays: boolean;
}

export interface StandIn extends AsyncDisposable {
  readonly folder: string;
  /** The command, with the name of the real agent. */
  readonly command: string;
  /** Where it saves its input. */
  readonly given: (what: 'stdin' | 'args' | 'env') => string;
}

/** A shell script that behaves like an agent's binary as far as a loop can see: reads stdin, prints a stream, exits or stays. */
export async function openStandIn(name: string, { stream, streamsWith, exitCode, stays }: Script): Promise<StandIn> {
  const folder = await mkdtemp(join(tmpdir(), 'stand-in-'));
  const command = join(folder, 'bin', name);
  const given = (what: string) => join(folder, what);
  await mkdir(join(folder, 'bin'));
  const lines = [
    '#!/bin/sh',
    `case "$*" in *--help*) echo '  --sandbox  --dangerously-allow-all  --json'; exit 0;; esac`,
    `cat > '${given('stdin')}'`,
    `printf '%s\\n' "$@" > '${given('args')}'`,
    `env > '${given('env')}'`,
    stream === null ? ':' : printing(stream, streamsWith ?? ''),
    stays ? 'sleep 600 & wait' : ':',
    `exit ${exitCode}`,
  ];
  await writeFile(command, `${lines.join('\n')}\n`);
  await chmod(command, 0o755);
  return { folder, command, given, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

function printing(stream: string, streamsWith: string): string {
  return `case " $* " in *'${streamsWith}'*) cat '${streamPath(stream)}';; *) printf 'Add the answer\\n\\nIt was missing.\\n';; esac`;
}
