import { currentDirectory } from '../shared/current-directory.ts';
import { initByAsking } from './init-by-asking.ts';
import { type InitFlags, refuseFlagsBesideQuestions } from './init-flags.ts';
import { initJust } from './init-just.ts';
import { initUnasked } from './init-unasked.ts';

export async function initCommand(flags: InitFlags): Promise<number> {
  if (flags.just) return await initJust(currentDirectory(), flags);
  if (flags.yes) return await initUnasked(currentDirectory(), flags);
  refuseFlagsBesideQuestions(flags);
  return await initByAsking(currentDirectory());
}
