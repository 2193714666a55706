import { absolute } from '../paths.ts';
import { block, type GuardPlace, never, type Objection, type Rule, warn } from '../rule.ts';
import { readOptions } from '../shell/options.ts';
import type { Step } from '../step.ts';

const LEAVE = 'Disks and boot are no part of a project; leave them alone.';
const RAW = /^\/dev\/(sd|hd|vd|xvd|nvme|mmcblk|disk|loop|mapper|dm-|mem|kmem|md|rdisk)/;

const onlyShows = (words: readonly string[]) => (step: Step) => (step.args.some((arg) => words.includes(arg)) ? null : block(LEAVE));

function operandOf(args: readonly string[], name: string): string | undefined {
  return args.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
}

function lookAtDd({ args, cwd }: Step, { home }: GuardPlace): Objection | null {
  const from = operandOf(args, 'if');
  const to = operandOf(args, 'of');
  const isRaw = (path: string | undefined) => path !== undefined && RAW.test(absolute(path, { cwd, home }));
  if (isRaw(from) || isRaw(to)) return block(LEAVE);
  if (from === undefined || !/^\/dev\/(zero|u?random)$/.test(from)) return null;
  const count = Number(operandOf(args, 'count') ?? Number.NaN);
  if (Number.isNaN(count)) return to === undefined ? null : block('This fills the disk; give it a small count, or use a file of the project.');
  return count * sizeOf(operandOf(args, 'bs') ?? '512') > MOST_BYTES ? block('This fills the disk; a few megabytes do for a test.') : null;
}

const GIGABYTE = 1024 ** 3;
const MOST_BYTES = 5 * GIGABYTE;
const UNITS: Readonly<Record<string, number>> = { K: 1024, M: 1024 ** 2, G: GIGABYTE, T: 1024 ** 4, P: 1024 ** 5 };

function sizeOf(text: string): number {
  const [, number = '0', unit = ''] = /^[-+]?([\d.]+)\s*([A-Za-z]?)/.exec(text) ?? [];
  return Number(number) * (UNITS[unit.toUpperCase()] ?? 1);
}

function lookAtSize({ args }: Step): Objection | null {
  const { values } = readOptions(args, ['l', 's', 'c', '--length', '--size', '--bytes']);
  const size = Math.max(...[...values.values()].flat().map(sizeOf), 0);
  return size > MOST_BYTES ? block('This fills the disk; a few megabytes do for a test.') : null;
}

/** Endless output fills a file, or wastes processor time. */
function lookAtEndless({ name, args, input, redirects, into }: Step): Objection | null {
  const isSource = name === 'yes' || (name === 'cat' && args.some((word) => /^\/dev\/(zero|u?random)$/.test(word)));
  const isFed = input?.origin === 'endless';
  const writes = redirects.some(({ isWrite }) => isWrite) || (isFed && /^(tee|dd|sponge)$/.test(name));
  if ((isSource || isFed) && writes) return block('This never ends and fills the disk; cut it with head first.');
  if (name !== 'yes') return null;
  if (into.length === 0) return block('This never ends; cut it with head.');
  return /^(head|xargs)$/.test(into[0] ?? '') ? null : warn('Answering yes to everything may be more than you want; most commands have a flag for it.');
}

export const DISKS: readonly Rule[] = [
  never(
    'makes-file-systems',
    2,
    ['mkfs', 'mke2fs', 'newfs', 'mkswap', 'blkdiscard', 'wipefs', 'grub-install', 'update-grub', 'grub-mkconfig', 'grub2-install', 'efibootmgr', 'bootctl'],
    LEAVE,
  ),
  never(
    'changes-partitions',
    2,
    ['cfdisk', 'sgdisk', 'gdisk', 'cgdisk', 'lvremove', 'vgremove', 'pvremove', 'pvcreate', 'vgcreate', 'mkdosfs', 'zpool', 'zfs', 'badblocks'],
    LEAVE,
  ),
  { id: 'changes-partitions-unless-it-shows-them', category: 2, names: ['fdisk', 'sfdisk', 'parted'], look: onlyShows(['-l', '--list', 'print']) },
  {
    id: 'erases-a-disk',
    category: 2,
    names: ['hdparm', 'nvme', 'sg_format'],
    look: ({ args }) => (args.some((word) => /erase|format|sanitize|trim/.test(word)) ? block(LEAVE) : null),
  },
  {
    id: 'encrypts-a-disk',
    category: 2,
    names: ['cryptsetup'],
    look: ({ args }) => (args.some((word) => /format|erase|luks(Kill|Remove)/i.test(word)) ? block(LEAVE) : null),
  },
  {
    id: 'erases-a-disk-of-a-mac',
    category: 2,
    names: ['diskutil', 'asr'],
    look: ({ args }) => (args.some((word) => /erase|partition|zero|restore|delete/i.test(word)) ? block(LEAVE) : null),
  },
  {
    id: 'takes-a-raid-apart',
    category: 2,
    names: ['mdadm'],
    look: ({ args }) => (args.some((word) => /^--(zero|stop|fail|create|remove)/.test(word)) ? block(LEAVE) : null),
  },
  { id: 'copies-disks', category: 2, names: ['dd', 'dcfldd'], look: lookAtDd },
  { id: 'makes-huge-files', category: 3, names: ['fallocate', 'truncate', 'head', 'mkfile'], look: lookAtSize },
  {
    id: 'reads-without-end',
    category: 3,
    names: ['tail', 'tac', 'sort', 'grep', 'wc', 'cp', 'xxd', 'md5sum', 'sha256sum'],
    look: ({ args }) => (args.some((word) => /^\/dev\/(zero|u?random)$/.test(word)) ? block('This never ends; cut it with head.') : null),
  },
  { id: 'never-ends', category: 3, names: null, look: lookAtEndless },
  never('loads-the-machine', 3, ['stress', 'stress-ng'], 'This only loads the machine; run the tests of the project instead.'),
];
