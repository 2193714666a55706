const NANOS_OF_A_MILLISECOND = 1_000_000n;
let count = 0;

/** Like `MSG-20260223-191710-184887000-PID67946-0001`: no two of any processes are the same, and those of one process sort as they were made. */
export function newMessageId(nowMs: number): string {
  count += 1;
  // The clock of the day has no more than milliseconds; the rest only keeps ids apart.
  const rest = (process.hrtime.bigint() % NANOS_OF_A_MILLISECOND).toString().padStart(6, '0');
  const [, year, month, day, hour, minute, second, millisecond] = PARTS.exec(new Date(nowMs).toISOString()) ?? [];
  return `MSG-${year}${month}${day}-${hour}${minute}${second}-${millisecond}${rest}-PID${process.pid}-${String(count).padStart(4, '0')}`;
}

const PARTS = /^(\d+)-(\d+)-(\d+)T(\d+):(\d+):(\d+)\.(\d+)Z$/;
