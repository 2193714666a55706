import type { SettingsFile } from './schema/settings-file.ts';

/** What the caller says of the sandbox over what the files say: hosts are added, all else is replaced. */
export function sandboxOver({ sandbox: ofFile }: SettingsFile, { sandbox: said }: SettingsFile): Pick<SettingsFile, 'sandbox'> {
  if (said === undefined) return {};
  const allowHosts = [...new Set([...(ofFile?.allowHosts ?? []), ...(said.allowHosts ?? [])])];
  return { sandbox: { ...said, allowHosts } };
}
