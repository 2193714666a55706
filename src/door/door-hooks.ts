import { HOOK_NAMES, isHookName } from './hooks/hook-name.ts';
import { type Answer, type ReadBody, refusal } from './door-requests.ts';
import type { House } from './door-rooms.ts';

const HOOKS = '/v1/hooks/';
const NO_STORIES = refusal(404, 'this run works on no stories: nobody here answers hooks');

export const isAboutHooks = (pathname: string): boolean => pathname.startsWith(HOOKS);

/** What a hook of the agent asks; the answer is what the hook prints, and may be nothing. */
export async function answerTheHook(pathname: string, body: ReadBody, { hooks }: House): Promise<Answer> {
  if (hooks === null) return NO_STORIES;
  const name = pathname.slice(HOOKS.length);
  if (!isHookName(name)) return refusal(404, `there is no such hook; ask for ${HOOK_NAMES.join(', ')}`);
  if (body.kind === 'refused') return body.answer;
  const answer = await hooks(name, body.value);
  return answer === null ? { status: 204, body: undefined } : { status: 200, body: answer };
}
