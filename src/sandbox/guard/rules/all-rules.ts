import type { Rule } from '../rule.ts';
import { CLOUD } from './cloud.ts';
import { OTHER_CODE } from './code/other-code.ts';
import { CONTAINERS } from './containers.ts';
import { DATABASES } from './databases.ts';
import { DESTRUCTIVE_FILES } from './destructive-files.ts';
import { DISKS } from './disks.ts';
import { ENVIRONMENT } from './environment.ts';
import { GIT } from './git.ts';
import { NETWORK } from './network.ts';
import { OBFUSCATION } from './obfuscation.ts';
import { PACKAGE_SOURCES, PACKAGES } from './packages.ts';
import { PATHS } from './paths.ts';
import { PRIVILEGES } from './privileges.ts';
import { SECRETS } from './secrets.ts';
import { SYSTEM } from './system.ts';

export const ALL_RULES: readonly Rule[] = [
  ...DESTRUCTIVE_FILES,
  ...DISKS,
  ...NETWORK,
  ...SECRETS,
  ...PRIVILEGES,
  ...CONTAINERS,
  ...PACKAGES,
  ...PACKAGE_SOURCES,
  ...GIT,
  ...SYSTEM,
  ...OBFUSCATION,
  ...OTHER_CODE,
  ...ENVIRONMENT,
  ...DATABASES,
  ...CLOUD,
  ...PATHS,
];

/** The rules that check every command. */
export const GENERAL_RULES: readonly Rule[] = ALL_RULES.filter(({ names }) => names === null);

const BY_NAME = new Map<string, Rule[]>();
for (const rule of ALL_RULES) for (const name of rule.names ?? []) BY_NAME.set(name, [...(BY_NAME.get(name) ?? []), rule]);

/** The rules for one command. Variants such as mkfs.ext4 use the rules of mkfs. */
export function rulesFor(name: string): readonly Rule[] {
  return BY_NAME.get(name) ?? (/^mkfs\./.test(name) ? (BY_NAME.get('mkfs') ?? []) : []);
}
