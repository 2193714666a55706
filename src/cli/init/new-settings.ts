import { OperatorError } from '../../kit/pure/operator-error.ts';
import { DEFAULTS, type SettingsFile } from '../../settings/schema/settings-file.ts';
import { checkSettings } from '../../settings/check-settings.ts';
import type { FailAction } from './readings.ts';

export interface NewGuardrail {
  readonly command: string;
  readonly failAction: FailAction;
  readonly hint?: string;
}

/** What init asks for, or is told by flags. */
export interface Answers {
  readonly agent: { readonly command: string; readonly flags: readonly string[] };
  readonly maximumIterations: number;
  readonly completionResponse: string;
  readonly includeIterationCountInPrompt: boolean;
  readonly guardrails: readonly NewGuardrail[];
  readonly reviews: SettingsFile['reviews'] | null;
  readonly scm: { readonly command: string; readonly tasks: readonly string[] } | null;
}

/** The settings of these answers, in the seed's order; what a run would refuse is refused here. */
export function newSettings({ agent, guardrails, reviews, scm, ...said }: Answers): SettingsFile {
  const settings = {
    $schema: './settings.schema.json',
    maximumIterations: said.maximumIterations,
    completionResponse: said.completionResponse,
    outputTruncateChars: DEFAULTS.outputTruncateChars,
    streamAgentOutput: DEFAULTS.streamAgentOutput,
    includeIterationCountInPrompt: said.includeIterationCountInPrompt,
    agent: { command: agent.command, flags: [...agent.flags] },
    guardrails: guardrails.map((guardrail) => ({ ...guardrail })),
    ...(reviews === null ? {} : { reviews }),
    ...(scm === null ? {} : { scm: { command: scm.command, tasks: [...scm.tasks] } }),
  };
  checkSettings(settings, (problem) => new OperatorError('usage', problem, { hint: 'ralph init --help shows every option.', exitCode: 2 }));
  return settings;
}

/** As the file has it. */
export function settingsText(settings: SettingsFile): string {
  return `${JSON.stringify(settings, null, 2)}\n`;
}
