import { openSystemClock } from '../../src/store/clock.ts';
import { handClock } from '../support/hand-clock.ts';
import { honoursTheClockContract } from './clock.ts';

honoursTheClockContract('the system clock', () => openSystemClock());
honoursTheClockContract('the system clock of a run whose last event lies ahead', () => openSystemClock(Date.now() + 3_600_000));
honoursTheClockContract('the clock moved by hand', () => handClock());
