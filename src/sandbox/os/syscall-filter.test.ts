import { describe, expect, it } from 'vitest';
import { syscallFilter } from './syscall-filter.ts';

const ALLOWED = 0x7fff_0000;
const NOT_PERMITTED = 0x0005_0001;

/** The kernel's answer: interprets the few BPF instructions that our filters use. */
function answer(filter: Uint8Array, call: { readonly arch: number; readonly number: number }): number {
  const bytes = new DataView(filter.buffer);
  let loaded = 0;
  for (let at = 0; at * 8 < filter.length; at++) {
    const value = bytes.getUint32(at * 8 + 4, true);
    const jump = (holds: boolean) => {
      at += bytes.getUint8(at * 8 + (holds ? 2 : 3));
    };
    switch (bytes.getUint16(at * 8, true)) {
      case 0x20:
        loaded = value === 4 ? call.arch : call.number;
        break;
      case 0x15:
        jump(loaded === value);
        break;
      case 0x45:
        jump((loaded & value) !== 0);
        break;
      default:
        return value;
    }
  }
  throw new Error('the filter has no end');
}

const X86_64 = 0xc000_003e;
const I386 = 0x4000_0003;
const AARCH64 = 0xc000_00b7;
const ARM = 0x4000_0028;

describe('the system call filter', () => {
  it.each([
    ['x64', X86_64, [248, 249, 250, 438], [0, 1, 101, 247, 251, 310, 434, 437, 439]],
    ['x64', I386, [286, 287, 288, 438], [1, 4, 26, 248, 285, 289]],
    ['arm64', AARCH64, [217, 218, 219, 438], [63, 117, 216, 220]],
    ['arm64', ARM, [309, 310, 311, 438], [1, 4, 217, 308, 312]],
  ])('on %s knows the call numbers of arch %i', (machine, arch, refused, allowed) => {
    const filter = syscallFilter(machine) ?? new Uint8Array();
    for (const number of refused) expect(answer(filter, { arch, number }), `${number}`).toBe(NOT_PERMITTED);
    for (const number of allowed) expect(answer(filter, { arch, number }), `${number}`).toBe(ALLOWED);
  });

  it('refuses the second set of numbers, and unknown architectures', () => {
    const filter = syscallFilter('x64') ?? new Uint8Array();
    expect(answer(filter, { arch: X86_64, number: 0x4000_0000 | 250 })).toBe(NOT_PERMITTED);
    expect(answer(filter, { arch: X86_64, number: 0x4000_0000 })).toBe(NOT_PERMITTED);
    expect(answer(filter, { arch: AARCH64, number: 63 })).toBe(NOT_PERMITTED);
  });

  it('lets a debugger cancel a call', () => {
    expect(answer(syscallFilter('x64') ?? new Uint8Array(), { arch: X86_64, number: 0xffff_ffff })).toBe(ALLOWED);
  });

  it('does not exist for an unsupported architecture', () => {
    expect(syscallFilter('riscv64')).toBeNull();
  });
});
