import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { openLinesHider } from '../kit/pure/hide-secrets.ts';
import { openMaskStream } from './mask-stream.ts';
import { openSpool } from './output.ts';

const SECRET = 'hunter2-correct-horse';
const mask = () => openMaskStream(openLinesHider([SECRET]));

describe('a masked spool', () => {
  it('never writes a secret to the disk, even if it is split between chunks and the other stream prints in between', async () => {
    await using folder = await openThrowAwayFolder();
    const stdoutFile = join(folder.path, 'gate.log');
    const spool = openSpool({ stdoutFile, stderrFile: 'merged', maxOutputBytes: 0, mask }, () => undefined);
    const said: Buffer[] = [];
    for (const [source, text] of [
      ['stdout', 'it is hunter2-corr'],
      ['stderr', 'in between\n'],
      ['stdout', 'ect-horse.\nnow hunter2-'],
      ['stderr', 'and hunter2-correct-'],
      ['stderr', 'horse'],
      ['stdout', 'correct-horse'],
    ] as const) {
      said.push(spool.keep(source, Buffer.from(text)));
      expect(readFileSync(stdoutFile, 'utf8')).not.toContain('hunter2');
    }
    spool[Symbol.dispose]();
    expect(readFileSync(stdoutFile, 'utf8')).toBe('in between\nit is [redacted].\nnow [redacted]and [redacted]');
    expect(Buffer.concat(said).toString()).toContain('hunter2-correct-horse');
    expect(statSync(stdoutFile).mode & 0o777).toBe(0o600);
  });

  it('saves everything up to the limit', async () => {
    await using folder = await openThrowAwayFolder();
    const stdoutFile = join(folder.path, 'gate.log');
    const troubles: string[] = [];
    const spool = openSpool({ stdoutFile, stderrFile: 'merged', maxOutputBytes: 10, mask }, (detail) => troubles.push(detail));
    expect(spool.keep('stdout', Buffer.from('0123456789abc')).toString()).toBe('0123456789');
    expect(spool.keep('stdout', Buffer.from('def')).toString()).toBe('');
    spool[Symbol.dispose]();
    expect(readFileSync(stdoutFile, 'utf8')).toBe('0123456789');
    expect(troubles).toEqual(['more than 10 bytes of output']);
  });
});
