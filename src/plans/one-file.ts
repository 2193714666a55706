import type { Drafted, Rewrite } from './plan-form.ts';
import { readSourceFile, type SourceFile } from './reading/source-file.ts';

/** A plan that is one file. */
export const oneFile = (top: string, path: string) => (): readonly SourceFile[] | null => {
  const file = readSourceFile(top, path);
  return file === null ? null : [file];
};

export async function draftOneFile(files: readonly SourceFile[], draft: (file: string, text: string) => Promise<Drafted>): Promise<Drafted> {
  const [file] = files;
  if (file?.text !== null && file !== undefined) return await draft(file.path, file.text);
  return { draft: null, problems: [{ file: file?.path ?? '', line: null, message: file?.why ?? '', task: null }] };
}

/** As git's pathspec: exactly that file, whatever characters its name has. */
export const pathspecOf = (path: string) => `:(top,literal)${path}`;

export async function rewriteOneFile(files: readonly SourceFile[], edit: (text: string) => Promise<string>): Promise<readonly Rewrite[]> {
  const [file] = files;
  if (file === undefined || file.text === null) throw new Error('The plan was readable a moment ago.');
  return [{ path: file.path, before: file.text, text: await edit(file.text) }];
}
