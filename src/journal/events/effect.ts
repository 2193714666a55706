import * as z from 'zod';
import { Effect } from '../effects/effect.ts';

/** The one intent for all effects: written, and on the disk, before the world is touched. */
export const EffectBegun = z.strictObject({ type: z.literal('effect.begun'), key: z.string(), effect: Effect });

/** A dead loop had begun it and nothing came of it: it may be done again. */
export const EffectLost = z.strictObject({ type: z.literal('effect.lost'), key: z.string() });
