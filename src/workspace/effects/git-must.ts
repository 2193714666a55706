import { OperatorError } from '../../kit/pure/operator-error.ts';

/** What git has to do for a proof. An agent may have broken the repository: then nothing is proven, the run stops without a fact, and a resume begins there again. */
export async function gitMust<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new OperatorError('git-broken', `git cannot ${what}: ${(error as Error).message}`, {
      hint: 'Mend what it complains about and continue with: ralph runs resume',
      exitCode: 4,
      cause: error,
    });
  }
}
