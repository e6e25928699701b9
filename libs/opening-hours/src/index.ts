export {
  type BusinessHoursBreak,
  type BusinessHoursEntry,
  type Closure,
  DAY_NAMES,
  DEFAULT_BUSINESS_HOURS,
  minuteOfDay,
  type Schedule,
} from './business-hours.ts';
export { closureOn, localTimeText, nextChange, type Opening, openingAt, openPeriods } from './opening.ts';
