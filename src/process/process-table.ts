import { existsSync } from 'node:fs';
import type { ProcessRow, ProcessTable } from './process-row.ts';
import { readProcRow, readProcTable } from './process-table-proc.ts';
import { readPsRow, readPsTable } from './process-table-ps.ts';

type Source = 'proc' | 'ps' | 'none';
let source: Source | undefined;

/** All processes we can see. Synchronous on purpose: what is found is signalled before anything else can happen here. */
export function readProcessTable(): ProcessTable {
  switch (tableSource()) {
    case 'proc':
      return readProcTable();
    case 'ps':
      return readPsTable();
    case 'none':
      return { rows: [], environmentOf: () => ({ marker: null, empty: false }) };
  }
}

/** One process, or null when there is none of that number. */
export function readProcessRow(pid: number): ProcessRow | null {
  switch (tableSource()) {
    case 'proc':
      return readProcRow(pid);
    case 'ps':
      return readPsRow(pid);
    case 'none':
      return null;
  }
}

function tableSource(): Source {
  source ??= process.platform === 'win32' ? 'none' : existsSync('/proc/self/stat') ? 'proc' : 'ps';
  return source;
}
