export { type BackgroundWork, trackBackgroundWork } from './background-work.ts';
export {
  type Clock,
  type MovableClock,
  movableClock,
  systemClock,
  msUntilMultiple,
  microsecondTicker,
  withTimeout,
} from './clock.ts';
export { followTestClock, type TestClockBroker, testClockSubjects } from './test-clock.ts';
