import { assertNever } from '../kit/pure/assert-never.ts';
import type { HideSecrets } from '../kit/pure/hide-secrets.ts';
import type { EventBody } from './events/journal-event.ts';
import { isStoryEvent } from './events/story-event.ts';
import { isTaskEvent } from './events/task-event.ts';
import { isWorkEvent } from './events/work-event.ts';
import { maskStoryEvent, maskTaskEvent, maskWorkEvent } from './mask-recipe-event.ts';
import { maskClaim, maskEnding, maskOptional, maskResults, maskWords } from './mask-texts.ts';

/**
 * The event without secrets in the texts that came from outside: what agents, gates and git said. Ids, keys, paths, trees and numbers stay, and so do the operator's own
 * words, which a resumed run needs: its settings, the answer to a question. An intent is made of what came in before it, and was masked then.
 */
export function maskEvent(hide: HideSecrets, body: EventBody): EventBody {
  if (isTaskEvent(body)) return maskTaskEvent(hide, body);
  if (isWorkEvent(body)) return maskWorkEvent(hide, body);
  if (isStoryEvent(body)) return maskStoryEvent(hide, body);
  switch (body.type) {
    case 'run.started':
      return { ...body, found: body.found && { ...body.found, problem: maskOptional(hide, body.found.problem) } };
    case 'run.stopped':
      return { ...body, outcome: { ...body.outcome, message: hide(body.outcome.message), claim: maskClaim(hide, body.outcome.claim) } };
    case 'iteration.closed':
      return { ...body, claim: maskClaim(hide, body.claim) };
    case 'attempt.spawned':
      return { ...body, command: maskWords(hide, body.command), prompt_head: hide(body.prompt_head) };
    case 'attempt.ended':
      return {
        ...body,
        why: hide(body.why),
        ending: maskEnding(hide, body.ending),
        claim: maskClaim(hide, body.claim),
        message: maskOptional(hide, body.message),
        limit_window: maskOptional(hide, body.limit_window),
      };
    case 'gates.judged':
      return { ...body, results: maskResults(hide, body.results), problem: maskOptional(hide, body.problem) };
    case 'commit.made':
      return { ...body, message: hide(body.message) };
    case 'commit.refused':
      return { ...body, detail: hide(body.detail) };
    case 'command.ended':
      return { ...body, argv: maskWords(hide, body.argv), ending: maskEnding(hide, body.ending), last_line: hide(body.last_line) };
    case 'limit.seen':
      return { ...body, window: maskOptional(hide, body.window) };
    case 'wall.refused':
      return { ...body, target: hide(body.target) };
    case 'run.resumed':
    case 'effect.begun':
    case 'effect.lost':
    case 'iteration.opened':
    case 'paths.restored':
    case 'receipt.written':
    case 'operator.asked':
    case 'settings.seen':
    case 'spec.seen':
      return body;
    default:
      return assertNever(body);
  }
}
