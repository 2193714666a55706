import * as z from 'zod';

export const trespass = z;
