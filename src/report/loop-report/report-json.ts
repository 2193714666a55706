import type { LoopReport } from './loop-report.ts';

export function reportJson(report: LoopReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
