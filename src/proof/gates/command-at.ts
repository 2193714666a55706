import { shellQuote } from '../../kit/pure/shell-words.ts';

/** A gate that names its own folder by an absolute path must use the folder it runs in, which may be a copy elsewhere. */
export function commandAt(command: string, usual: string, here: string): string {
  if (usual === here || (shellQuote(here) !== here && shellQuote(usual) === usual)) return command;
  const named = new RegExp(`(?<![\\w./~-])${usual.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w.-])`, 'g');
  return command.replaceAll(named, () => here);
}
