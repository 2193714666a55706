export const trespass = (): Promise<unknown> => import('../engine/drive.ts');
