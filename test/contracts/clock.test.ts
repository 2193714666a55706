import { openSystemClock } from '../../src/adapters/clock-system.ts';
import { handClock } from '../support/hand-clock.ts';
import { honoursTheClockContract } from './clock.ts';

honoursTheClockContract('the system clock', openSystemClock);
honoursTheClockContract('the clock moved by hand', () => handClock());
