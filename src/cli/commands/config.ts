import { effectiveSettings } from '../../wiring/config/effective-settings.ts';
import { settingsSchemaText } from '../../wiring/config/settings-schema.ts';
import { settingsJson, settingsTable } from '../config/settings-shown.ts';
import { currentDirectory } from '../current-directory.ts';

export async function configCommand(what: 'show' | 'schema', { json }: { readonly json?: boolean }): Promise<number> {
  process.stdout.write(what === 'schema' ? settingsSchemaText() : await shown(json === true));
  return 0;
}

async function shown(json: boolean): Promise<string> {
  const settings = await effectiveSettings(currentDirectory());
  return json ? settingsJson(settings) : settingsTable(settings);
}
