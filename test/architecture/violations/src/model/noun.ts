import * as z from 'zod';
import { bounded } from '../kit/pure/bounded.ts';

export const Noun = z.object({ size: z.number().transform(bounded) });
export type Noun = z.infer<typeof Noun>;
