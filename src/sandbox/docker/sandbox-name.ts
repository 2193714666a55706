import { createHash } from 'node:crypto';
import type { DockerCli } from './docker-cli.ts';
import { TEMPLATES } from './template-of.ts';

/** Docker names no bound. The longest label of a host name is one that every part of it can use. */
const MAX_LENGTH = 63;
const HASH_LENGTH = 12;

/**
 * The name of a project's sandbox, made of its path as seed 003 has it: `ralph-_home_me_project`. Made from another template than claude's it has that in its
 * name, since it is another machine. sbx allows no underscore in a name, so there it is a hyphen. A name that would be too long is cut and ends in a hash.
 * Two paths may still get one name: that is found out by what the sandbox holds.
 */
export function sandboxName(cli: DockerCli, project: string, template = 'claude'): string {
  const path = cli.flavour === 'sbx' ? project.replaceAll(/[^A-Za-z0-9.-]/g, '-') : project.replaceAll(/[^A-Za-z0-9._-]/g, '_');
  const name = `ralph-${template === 'claude' ? '' : `${template}-`}${path}`;
  if (name.length <= MAX_LENGTH) return name;
  const hash = createHash('sha256').update(project).digest('hex').slice(0, HASH_LENGTH);
  return `${name.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}-${hash}`;
}

/** Whether a sandbox of that name would be one of the project's, made from whatever template. */
export function isNameOf(cli: DockerCli, project: string, name: string): boolean {
  return [...TEMPLATES, 'shell'].some((template) => sandboxName(cli, project, template) === name);
}
