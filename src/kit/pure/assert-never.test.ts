import { expect, it } from 'vitest';
import { assertNever } from './assert-never.ts';

it('assertNever names the value nobody thought of', () => {
  expect(() => assertNever({ kind: 'new' } as never)).toThrow('Unexpected value: {"kind":"new"}');
});
