/** One set of system call numbers that a kernel knows. */
interface Abi {
  /** AUDIT_ARCH_…, the kernel's number for this set. */
  readonly arch: number;
  /** The numbers of add_key, request_key, keyctl and pidfd_getfd. */
  readonly refused: readonly number[];
  /** The bit of a second set of numbers (x32). Nothing uses it except to evade a filter. */
  readonly secondSet?: number;
}

const PIDFD_GETFD = 438;

/** Each architecture with the 32-bit one that its kernels also run. */
const ABIS: Readonly<Record<string, readonly Abi[]>> = {
  x64: [
    { arch: 0xc000_003e, refused: [248, 249, 250, PIDFD_GETFD], secondSet: 0x4000_0000 },
    { arch: 0x4000_0003, refused: [286, 287, 288, PIDFD_GETFD] },
  ],
  arm64: [
    { arch: 0xc000_00b7, refused: [217, 218, 219, PIDFD_GETFD] },
    { arch: 0x4000_0028, refused: [309, 310, 311, PIDFD_GETFD] },
  ],
};

const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_SET = 0x45;
const RETURN = 0x06;
const NUMBER_AT = 0;
const ARCH_AT = 4;
const ALLOW = 0x7fff_0000;
const NOT_PERMITTED = 0x0005_0000 | 1;
/** The number of a call that a debugger has cancelled. */
const NO_CALL = 0xffff_ffff;

/** `yes` and `no` are how many instructions to skip. */
interface Instruction {
  readonly code: number;
  readonly value: number;
  readonly yes?: number | 'refuse';
  readonly no?: number;
}

/**
 * A system call filter in classic BPF, as `bwrap --seccomp` reads it. It refuses access to the session's keyring and to open files of other processes, and all
 * calls with numbers of an unknown set. Null when there is no filter for this architecture.
 */
export function syscallFilter(arch: string): Uint8Array | null {
  const abis = ABIS[arch];
  return abis === undefined ? null : assemble([{ code: LOAD, value: ARCH_AT }, ...abis.flatMap(instructionsFor), { code: RETURN, value: NOT_PERMITTED }]);
}

function instructionsFor({ arch, refused, secondSet }: Abi): readonly Instruction[] {
  const body: readonly Instruction[] = [
    { code: LOAD, value: NUMBER_AT },
    ...(secondSet === undefined
      ? []
      : [
          { code: JUMP_EQUAL, value: NO_CALL, yes: refused.length + 1 },
          { code: JUMP_SET, value: secondSet, yes: 'refuse' as const },
        ]),
    ...refused.map((value) => ({ code: JUMP_EQUAL, value, yes: 'refuse' as const })),
    { code: RETURN, value: ALLOW },
  ];
  return [{ code: JUMP_EQUAL, value: arch, no: body.length }, ...body];
}

/** Eight bytes per instruction; the last instruction is the refusal. */
function assemble(instructions: readonly Instruction[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(instructions.length * 8));
  for (const [at, { code, value, yes = 0, no = 0 }] of instructions.entries()) {
    bytes.setUint16(at * 8, code, true);
    bytes.setUint8(at * 8 + 2, yes === 'refuse' ? instructions.length - at - 2 : yes);
    bytes.setUint8(at * 8 + 3, no);
    bytes.setUint32(at * 8 + 4, value, true);
  }
  return new Uint8Array(bytes.buffer);
}
