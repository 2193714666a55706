import { describe, expect, it } from 'vitest';
import { fixes, type Step, turnFor } from './agent-turn.ts';
import { projectFiles, SOURCE } from './project-files.ts';

const start = projectFiles[SOURCE] ?? '';
const feedback = (...names: readonly string[]) =>
  `Task.\n\nGuardrail "node --test" failed with exit code 1.\n${names.map((name, index) => `not ok ${index + 1} - ${name}`).join('\n')}`;
const said = (steps: readonly Step[]) => steps.flatMap((step) => (step.kind === 'say' ? [step.text] : [])).join('\n');
const edited = (source: string, steps: readonly Step[]) =>
  steps.reduce((text, step) => (step.kind === 'edit' ? text.replace(step.from, () => step.to) : text), source);
const [, parts, refusal] = fixes.map((fix) => fix.test) as [string, string, string];

describe('the scripted agent', () => {
  it('repairs half of it at first and claims to be done', () => {
    const steps = turnFor('Task.', start);
    expect(said(steps)).toContain('<response>DONE</response>');
    expect(edited(start, steps)).toContain('h: 3600');
  });

  it('repairs the first test the guardrail names, says which, and claims nothing while there are others', () => {
    const half = edited(start, turnFor('Task.', start));
    const steps = turnFor(feedback(parts, refusal), half);
    expect(said(steps)).toContain(`"${parts}" first`);
    expect(said(steps)).not.toContain('DONE');
  });

  it('claims again when the guardrail names one test and that is repaired', () => {
    const half = edited(start, turnFor('Task.', start));
    const nearly = edited(half, turnFor(feedback(parts, refusal), half));
    const steps = turnFor(feedback(refusal), nearly);
    expect(said(steps)).toContain(`"${refusal}"`);
    expect(said(steps)).toContain('<response>DONE</response>');
    expect(edited(nearly, steps)).toContain('throw new TypeError');
  });

  it('says so when it cannot help', () => {
    expect(turnFor(feedback('something else'), start)).toEqual([{ kind: 'say', text: 'The guardrail was red, but its output names no test that I know.' }]);
  });
});
