import { runDemo } from './run-demo.ts';

export async function demoCommand({ fast, keep }: { readonly fast?: boolean; readonly keep?: boolean }): Promise<number> {
  return await runDemo({ fast: fast === true, keep: keep === true });
}
