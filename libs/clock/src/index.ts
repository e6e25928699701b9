export { type BackgroundWork, trackBackgroundWork } from './background-work.ts';
export { type Clock, type MovableClock, movableClock, systemClock } from './clock.ts';
export { followTestClock, type TestClockBroker, type TestClockOptions, testClockSubjects } from './test-clock.ts';
export { msUntilMultiple } from './multiples.ts';
export { microsecondTicker } from './ticker.ts';
export { withTimeout } from './with-timeout.ts';
