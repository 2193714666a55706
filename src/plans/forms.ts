import { OperatorError } from '../kit/pure/operator-error.ts';
import { beadsForm } from './beads/beads-form.ts';
import { checkboxesForm } from './checkboxes/checkboxes-form.ts';
import type { PlanForm } from './plan-form.ts';
import { prdForm } from './prd/prd-form.ts';
import { specKitForm } from './spec-kit/spec-kit-form.ts';
import { storiesForm } from './stories/stories-form.ts';
import { taskGraphForm } from './task-graph/task-graph-form.ts';
import { taskmasterForm } from './taskmaster/taskmaster-form.ts';
import { ticketsForm } from './tickets/tickets-form.ts';

/** All forms of plans. If several recognise a file, the first one counts: special ones stand before general ones. */
export const FORMS: readonly PlanForm[] = [ticketsForm, taskGraphForm, prdForm, taskmasterForm, beadsForm, storiesForm, specKitForm, checkboxesForm];

/** A folder without any plan in it is a plan of this form without tasks. */
export const FORM_OF_FOLDERS: PlanForm = ticketsForm;

export function formOf(kind: string): PlanForm {
  const form = FORMS.find((each) => each.kind === kind);
  if (form !== undefined) return form;
  throw new OperatorError('plan-unknown', `this version of Ralph does not know plans of the kind "${kind}"`, {
    hint: `It knows ${FORMS.map((each) => each.kind).join(', ')}.`,
    exitCode: 2,
  });
}

/** `a folder of tickets, a task-graph.yaml, or …` for hints. */
export function allForms(): string {
  const names = FORMS.map(({ called }) => called);
  return `${names.slice(0, -1).join(', ')}, or ${names.at(-1)}`;
}
