import { drive } from './engine/drive.ts';

export const trespass = drive;
