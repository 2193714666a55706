import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

const screens = join(import.meta.dirname, '../fixtures/screens');

/** Compares a whole screen with a reviewed one. `UPDATE_SCREENS=1` writes it again: review the difference before you keep it. */
export function expectScreen(name: string, screen: string): void {
  const file = join(screens, `${name}.txt`);
  const visible = screen.replaceAll('\u001b', '␛');
  if (process.env['UPDATE_SCREENS'] === '1') writeFileSync(file, visible);
  expect(visible).toBe(readFileSync(file, 'utf8'));
}
