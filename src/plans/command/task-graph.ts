import { resolve } from 'node:path';
import { currentDirectory } from '../../cli/shared/flags.ts';
import { writeAtomic } from '../../kit/files/write.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { io } from '../../process/io.ts';
import { drawSvg } from '../graph/draw-svg.ts';
import { drawMermaid, drawText } from '../graph/draw-text.ts';
import { readTasks } from '../tasks/read-tasks.ts';
import { printResult, type TaskFlags, withTasks } from './task-flags.ts';

const DRAWINGS = { text: drawText, mermaid: drawMermaid, svg: drawSvg } as const;

interface GraphFlags extends TaskFlags {
  readonly format?: keyof typeof DRAWINGS;
  readonly output?: string;
}

export async function graphCommand({ format = 'text', output, ...flags }: GraphFlags): Promise<number> {
  const { plan, standings } = await withTasks(flags, readTasks);
  const graph = DRAWINGS[format](plan, standings);
  if (output !== undefined) {
    await write(output, graph);
    printResult(flags, { format, file: output }, [output]);
  } else if (flags.json) printResult(flags, { format, graph }, []);
  else io().stdout.write(graph.endsWith('\n') ? graph : `${graph}\n`);
  return 0;
}

async function write(file: string, graph: string): Promise<void> {
  try {
    await writeAtomic(resolve(currentDirectory(), file), graph, 0o644);
  } catch (cause) {
    throw new OperatorError('graph-not-written', `cannot write ${file}: ${(cause as Error).message}`, { hint: 'Name another file.', exitCode: 4, cause });
  }
}
