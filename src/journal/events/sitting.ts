import * as z from '../../kit/pure/shape.ts';
import { Outcome } from '../words/outcome.ts';

/** The process that writes this journal. */
export const Writer = z.strictObject({ host: z.string(), boot_id: z.string(), pid: z.number().int(), start_time: z.string() });
export type Writer = Readonly<z.infer<typeof Writer>>;

export const RunResumed = z.strictObject({
  type: z.literal('run.resumed'),
  ralph: z.string(),
  writer: Writer,
  /** Epoch ms of the last sign of life of a loop that died: its agent's last output after its last event. Absent: unknown. */
  worked_until: z.number().optional(),
  /** Who resumed it; absent: a journal of an earlier version. */
  by: z.string().optional(),
});

export const RunStopped = z.strictObject({ type: z.literal('run.stopped'), outcome: Outcome });
