import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegular } from '../../kit/files/read.ts';
import { writeAtomic } from '../../kit/files/write.ts';
import * as z from '../../kit/pure/shape.ts';
import { Remembered } from './pinned-path.ts';
import type { SettingsBefore } from './pinned-settings.ts';

const Setting = z.strictObject({ key: z.string(), value: z.string().nullable() });
const BeforeSchema = z.strictObject({ base64: z.string().nullable(), settings: z.array(Setting) });
const KeptSchema = z.strictObject({ settings: z.record(z.string(), BeforeSchema), paths: z.record(z.string(), Remembered) });

/** All that git obeyed at the start of a run, by path. */
export interface KeptPins {
  readonly settings: Readonly<Record<string, SettingsBefore>>;
  readonly paths: Readonly<Record<string, Remembered>>;
}

/** A run that goes on has the pins of its start: what was planted before it was killed is not taken for the operator's. */
export async function keepPins(runFolder: string, look: () => Promise<KeptPins>): Promise<KeptPins> {
  const file = join(runFolder, 'pins.json');
  const text = readRegular(file);
  if (text !== null) return KeptSchema.parse(JSON.parse(text));
  const pins = await look();
  await mkdir(runFolder, { recursive: true, mode: 0o700 });
  await writeAtomic(file, JSON.stringify(pins));
  return pins;
}
