import { surroundings } from '../../process/surroundings.ts';
import { effectiveSettings } from '../../settings/effective-settings.ts';
import { settingsSchemaText, yamlSchemaText } from '../../settings/settings-schema.ts';
import { settingsJson, settingsTable } from './settings-shown.ts';
import { currentDirectory } from '../shared/current-directory.ts';

interface ConfigFlags {
  readonly config?: string;
  readonly json?: boolean;
  readonly yaml?: boolean;
}

export async function configCommand(what: 'show' | 'schema', flags: ConfigFlags): Promise<number> {
  surroundings().stdout.write(what === 'schema' ? schema(flags) : await shown(flags));
  return 0;
}

const schema = ({ yaml }: ConfigFlags) => (yaml ? yamlSchemaText() : settingsSchemaText());

async function shown({ json, config }: ConfigFlags): Promise<string> {
  const settings = await effectiveSettings(currentDirectory(), config ?? null);
  return json ? settingsJson(settings) : settingsTable(settings);
}
