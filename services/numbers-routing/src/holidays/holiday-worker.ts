/** The program of the thread of `openHolidays`: calculates one calendar after the other. */
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { calculateHolidays } from './calculate-holidays.ts';
import type { CalendarRequest } from './holidays.ts';

/** Calls go first where processor time is short. */
const NICENESS = 4;

try {
  setPriority(NICENESS);
} catch {
  // A sandbox may forbid it.
}
parentPort?.on('message', ({ country, year }: CalendarRequest) =>
  parentPort?.postMessage(calculateHolidays(country, year)),
);
