/** One kind of system calls that a machine knows, by the numbers its kernel has for them. */
interface Abi {
  /** AUDIT_ARCH_…, by which the kernel names it to a filter. */
  readonly arch: number;
  /** add_key, request_key, keyctl, pidfd_getfd. */
  readonly refused: readonly number[];
  /** Has a second set of numbers with this bit, x32, which nothing uses but who wants to get past a filter. */
  readonly secondSet?: number;
}

const PIDFD_GETFD = 438;

/** Each with the one of 32 bits that its kernels run as well. */
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
/** A call that a debugger has crossed out. */
const NO_CALL = 0xffff_ffff;

/** `yes` and `no` are how many instructions are passed over. */
interface Instruction {
  readonly code: number;
  readonly value: number;
  readonly yes?: number | 'refuse';
  readonly no?: number;
}

/**
 * A filter for system calls in the machine language of the kernel (classic BPF), as `bwrap --seccomp` reads it. The keyring of the session and the files of
 * another process cannot be asked for; nor is any call known that has other numbers. Null: nobody has written one for this machine.
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

/** Eight bytes each; the last instruction is the refusal. */
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
