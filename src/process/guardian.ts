import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { OperatorError } from '../kit/pure/operator-error.ts';
import type { ProcessGuard } from './process-request.ts';
import { psEnvironment } from './process-table.ts';

/** Outlives this process: if this process dies without `close`, the guardian ends all watched processes and all with the run's marker. */
export interface Guardian extends ProcessGuard, AsyncDisposable {
  /** A normal end: the guardian exits at once and ends no process. */
  close(): Promise<void>;
}

/** If it is killed again and again, somebody wants that, or the machine is overloaded. */
const mostSuccessors = 5;

/** One small shell per run. If it is killed, a new one replaces it and learns all watched processes. Throws if there is no shell. */
export function openGuardian(markerPrefix: string): Guardian {
  if (process.platform === 'win32') return noGuardian;
  const watched = new Set<string>();
  let closed = false;
  let successors = 0;

  const replace = () => {
    if (closed || successors === mostSuccessors) return;
    successors += 1;
    const next = startShell(markerPrefix, replace);
    if (next === null) return;
    shell = next;
    for (const who of watched) shell.say(`watch ${who}`);
  };
  const first = startShell(markerPrefix, replace);
  if (first === null)
    throw new OperatorError('no-guardian', 'the guardian of the run cannot start: the system starts no /bin/sh', {
      hint: 'Is it there, and may this user start more processes (ulimit -u)? Nothing was started.',
      exitCode: 4,
    });
  let shell = first;

  const close = async () => {
    closed = true;
    await shell.dismiss();
  };
  return {
    watch({ pid, startTime }) {
      watched.add(`${pid}:${startTime}`);
      shell.say(`watch ${pid}:${startTime}`);
    },
    forget({ pid, startTime }) {
      watched.delete(`${pid}:${startTime}`);
      shell.say(`forget ${pid}:${startTime}`);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface GuardianShell {
  say(words: string): void;
  /** Resolves when it has exited. */
  dismiss(): Promise<void>;
}

/**
 * In its own session, so that no signal to our process group reaches it. The kernel closes the pipe to it when we die, and no
 * agent inherits the pipe: Node opens its pipes close-on-exec. Null if it cannot be started.
 */
function startShell(markerPrefix: string, onExit: () => void): GuardianShell | null {
  const child = spawn('/bin/sh', ['-c', guardianScript, 'ralph-guardian', markerPrefix], {
    cwd: '/',
    env: psEnvironment,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.on('error', () => {});
  if (child.pid === undefined) return null;
  child.stdin.on('error', () => {});
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.once('exit', onExit);
  child.unref();
  (child.stdin as Socket).unref();
  return {
    say: (words) => void child.stdin.write(`${words}\n`),
    async dismiss() {
      child.ref();
      child.stdin.end('bye\n');
      await exited;
    },
  };
}

const noGuardian: Guardian = { watch() {}, forget() {}, async close() {}, async [Symbol.asyncDispose]() {} };

/**
 * The guardian's whole program, in POSIX sh: $1 is the prefix of the run's markers. It reads `watch pid:start`, `forget pid:start`
 * and `bye`. When its input ends without `bye`, the loop is dead: it sends SIGINT to the watched processes, waits half a second, sends SIGTERM
 * to them and all their descendants, waits most of a second, then sends SIGKILL until none is left. The variant without /proc is untested on macOS.
 */
export const guardianScript = `
trap '' INT TERM HUP QUIT PIPE
prefix=$1
watched=' '
noted=' '

# One process a line: pid, parent, group, session, start time; no zombies.
if [ -r /proc/self/stat ]; then
  table() {
    cat /proc/[0-9]*/stat 2>/dev/null |
      awk '{ pid = $1; sub(/.*[)] /, ""); if ($1 != "X" && ($1 != "Z" || $18 > 1)) print pid, $2, $3, $4, $20 }'
  }
  # The first grep finds the few that matter at once, the second reads each as the list of variables it is.
  marked() {
    for file in $(grep -lsF "RALPH_MARKER=$prefix" /proc/[0-9]*/environ); do
      tr '\\000' '\\n' <"$file" 2>/dev/null | carries && pid=\${file#/proc/} && echo "\${pid%/environ}"
    done
  }
  carries() {
    while read -r line; do
      case $line in "RALPH_MARKER=$prefix"*) return 0 ;; esac
    done
    return 1
  }
else
  table() {
    ps -axo pid=,ppid=,pgid=,stat=,lstart= | awk '$4 !~ /^Z/ { print $1, $2, $3, $3, $5 "_" $6 "_" $7 "_" $8 "_" $9 }'
  }
  marked() {
    ps -axEww -o pid=,command= | while read -r pid line; do
      case $line in *" RALPH_MARKER=$prefix"*) echo "$pid" ;; esac
    done
  }
fi

# All of ours that live, as pid:start: watched, noted or marked, all that descend from them, all in sessions they lead.
kin() {
  { marked | sed 's/^/marked /'; table; } | awk -v known="$watched$noted" '
    $1 == 1 { next }
    $1 == "marked" { ours[$2] = 1; next }
    { parent[$1] = $2; group[$1] = $3; session[$1] = $4; start[$1] = $5 }
    index(known, " " $1 ":" $5 " ") { ours[$1] = 1 }
    END {
      do {
        grown = 0
        for (pid in start)
          if (!(pid in ours) && (parent[pid] in ours || group[pid] in ours || session[pid] in ours)) grown = ours[pid] = 1
      } while (grown)
      for (pid in ours) if (pid in start) printf "%s:%s ", pid, start[pid]
    }'
}
pause() { sleep 0.1 2>/dev/null || sleep 1; }

while read -r word who; do
  case $word in
    watch) watched="$watched$who " ;;
    forget) case $watched in *" $who "*) watched="\${watched%%" $who "*} \${watched#*" $who "}" ;; esac ;;
    bye) exit 0 ;;
  esac
done

noted=" $(kin)"
for who in $watched; do
  case $noted in *" $who "*) kill -INT "\${who%%:*}" 2>/dev/null ;; esac
done
for try in 1 2 3 4 5; do
  waiting=
  now=" $(table | awk '{ printf "%s:%s ", $1, $5 }')"
  for who in $watched; do case $now in *" $who "*) waiting=yes ;; esac; done
  [ "$waiting" ] && pause
done

empty=0
asked=' '
for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
  found=$(kin)
  if [ "$found" ]; then empty=0; else empty=$((empty + 1)); fi
  [ "$empty" = 2 ] && exit 0
  noted="$noted$found"
  for who in $found; do
    signal=TERM
    [ "$try" -gt 5 ] && signal=KILL
    case $asked$signal in *" $who "*TERM) ;; *) kill -$signal "\${who%%:*}" 2>/dev/null ;; esac
    asked="$asked$who "
  done
  pause
done
`;
