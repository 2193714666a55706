import { absolute } from '../paths.ts';
import { block, type GuardPlace, never, type Objection, type Rule, warn } from '../rule.ts';
import { sensitiveToWrite } from '../sensitive-paths.ts';
import { MADE, STAR } from '../shell/holes.ts';
import { readOptions } from '../shell/options.ts';
import type { Step } from '../step.ts';

const ENGINES = ['docker', 'podman', 'nerdctl', 'docker-compose', 'ctr', 'crictl', 'buildah'];
const STAY = 'a container of a project stays apart from the machine';

const HOST_FOLDERS =
  /^\/($|etc(\/|$)|root(\/|$)|boot(\/|$)|proc(\/|$)|sys(\/|$)|dev(\/|$)|var(\/run(\/|$)|\/lib(\/|$)|$)|run(\/|$)|home\/?$|usr\/?$|bin\/?$|lib\/?$)|docker\.sock|containerd\.sock|podman\.sock/;

function mountsOf(values: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const short = ['v', '--volume'].flatMap((name) => values.get(name) ?? []).map((mount) => mount.split(':')[0] ?? '');
  const long = (values.get('--mount') ?? []).map((mount) => /(?:source|src)=([^,]*)/.exec(mount)?.[1] ?? '');
  return [...short, ...long].filter((path) => path !== '');
}

const DANGEROUS_CAPS = /^(CAP_)?(ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE|SYS_RAWIO|NET_ADMIN|DAC_READ_SEARCH|DAC_OVERRIDE|SYS_BOOT|BPF)$/i;

/** Whether the word names a system folder, the whole home, or secrets in the home. */
function isOfTheMachine(word: string, cwd: string, home: string | null): boolean {
  const path = /^[.~/$]/.test(word) ? absolute(word, { cwd, home }) : word;
  return HOST_FOLDERS.test(path) || path === home || sensitiveToWrite(path, { cwd, home, root: cwd })?.level === 'block';
}

function lookAtRun({ args, cwd }: Step, { home }: GuardPlace): Objection | null {
  if (!args.some((word) => /^(run|create|exec|build|buildx)$/.test(word))) return null;
  const { names, values } = readOptions(args, [
    'v',
    'u',
    'e',
    'p',
    'w',
    '--volume',
    '--mount',
    '--cap-add',
    '--net',
    '--network',
    '--pid',
    '--ipc',
    '--uts',
    '--userns',
    '--security-opt',
    '--device',
    '--name',
  ]);
  if (names.has('--privileged') && !(values.get('--privileged') ?? []).includes('false'))
    return block(`This container has all rights on this machine; ${STAY}.`);
  const mounted = mountsOf(values).find((path) => isOfTheMachine(path, cwd, home));
  if (mounted !== undefined) return block(`This mounts ${mounted} of this machine into the container; mount a folder of the project.`);
  const shares = ['--net', '--network', '--pid', '--ipc', '--uts', '--userns'].some((name) => (values.get(name) ?? []).includes('host'));
  if (shares) return block(`This container shares the network or the processes of the machine; ${STAY}.`);
  if ((values.get('--cap-add') ?? []).some((cap) => DANGEROUS_CAPS.test(cap)))
    return block(`This gives the container rights that only this machine should have; ${STAY}.`);
  if ((values.get('--security-opt') ?? []).some((option) => /unconfined|disable|no-new-privileges[:=]false/.test(option)))
    return block(`This container is not confined; ${STAY}.`);
  return (values.get('--device') ?? []).some((path) => /^\/dev\/(sd|nvme|mem|kmsg|vd|disk|mapper|xvd)/.test(path))
    ? block(`This gives the container a disk of this machine; ${STAY}.`)
    : null;
}

function lookAtPrune({ args }: Step): Objection | null {
  const words = args.filter((word) => !word.startsWith('-'));
  const { letters, names } = readOptions(args);
  if (!words.includes('prune')) return lookAtRemoval(words, args) ?? lookAtVolumes(words, letters.has('v') || names.has('--volumes'));
  const isHard = letters.has('a') || names.has('--all') || names.has('--volumes') || words.includes('volume');
  return isHard
    ? block('This removes what other projects need; remove your own by name.')
    : warn('This also removes leftovers of other projects; remove your own by name.');
}

function lookAtRemoval([what = '', verb = '']: readonly string[], args: readonly string[]): Objection | null {
  const isRemoval = /^(rm|rmi)$/.test(what) || (/^(container|volume|image|network)$/.test(what) && /^(rm|remove)$/.test(verb));
  if (!isRemoval) return null;
  const isOfAll = args.some((word) => word.includes(MADE) || word === STAR);
  if (isOfAll) return block('This removes containers, images or volumes of others; remove your own by name.');
  return what === 'volume' ? warn('This deletes the volume and its data.') : null;
}

function lookAtVolumes(words: readonly string[], isWithVolumes: boolean): Objection | null {
  if (words.includes('down') && isWithVolumes) return warn('This also deletes the volumes and their data.');
  return words[0] === 'swarm' || (words[0] === 'context' && words[1] === 'use') ? warn('This changes which machines the engine works on.') : null;
}

function lookAtMount({ args }: Step): Objection | null {
  const isShow = args.length === 0 || args.every((word) => /^-(l|t|\w*v)$|^--help$|^--version$/.test(word));
  return isShow ? null : block('This changes what is mounted where; no project needs that.');
}

export const CONTAINERS: readonly Rule[] = [
  { id: 'opens-a-container-to-the-machine', category: 8, names: ENGINES, look: lookAtRun },
  { id: 'removes-containers-of-others', category: 8, names: ENGINES, look: lookAtPrune },
  {
    id: 'talks-to-a-remote-engine',
    category: 8,
    names: ENGINES,
    look: ({ args }) =>
      args.some((word, at) => (word === '-H' || word === '--host') && /^tcp:|docker\.sock/.test(args[at + 1] ?? ''))
        ? block('This talks to another container engine; use the one that is set up.')
        : null,
  },
  never(
    'leaves-its-namespace',
    8,
    ['nsenter', 'chroot', 'pivot_root', 'umount', 'debugfs', 'losetup'],
    'This leaves the container or namespace that it runs in; no project needs that.',
  ),
  { id: 'mounts-things', category: 8, names: ['mount'], look: lookAtMount },
  { id: 'makes-namespaces', category: 8, names: ['unshare', 'bwrap'], look: () => warn('This makes a namespace of its own.') },
  {
    id: 'runs-things-in-a-cluster',
    category: 8,
    names: ['kubectl', 'oc'],
    look: ({ args }) =>
      args.some((word) => /^(exec|run|attach|debug|cp|port-forward|proxy)$/.test(word)) && !args.includes('--dry-run=client')
        ? block('This runs something in a cluster; leave that to the operator.')
        : null,
  },
];
