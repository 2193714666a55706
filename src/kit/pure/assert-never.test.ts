import { expect, it } from 'vitest';
import { assertNever } from './assert-never.ts';

it('assertNever names the unexpected value', () => {
  expect(() => assertNever({ kind: 'new' } as never)).toThrow('Unexpected value: {"kind":"new"}');
});
