import type { PlanForm } from '../plan-form.ts';
import { draftTickets } from './draft-tickets.ts';
import { editTickets } from './edit-tickets.ts';
import { ticketFiles } from './ticket-files.ts';

/** A folder of tickets with front matter, as in seed 000. */
export function ticketsForm(top: string, folder: string): PlanForm {
  return {
    pathspecs: [`:(top,glob)${folder.replaceAll(/[\\*?[\]]/g, '\\$&')}/*.md`],
    files: () => ticketFiles(top, folder),
    draft: (files) => draftTickets(files, folder),
    edit: (files, _plan, wanted) => editTickets(folder, files, wanted),
    nearest: (status) => status,
  };
}
