// Runs at the top of a copy of the project. Change the import to your own code, and the call below.
import { add } from '../add.js';
import { answer } from './answer.mjs';

await answer(([a, b]) => add(a, b));
