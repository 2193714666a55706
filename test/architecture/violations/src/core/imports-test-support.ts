import { helper } from '../../test/support/helper.ts';

export const trespass = helper;
