/** One weekday's opening hours, by the number's own clocks. */
export interface BusinessHoursEntry {
  /** 0 is Monday, 6 is Sunday. */
  readonly dayOfWeek: number;
  readonly open: boolean;
  /** HH:MM. */
  readonly openingAt: string;
  /** HH:MM; 24:00 is the end of the day. */
  readonly closingAt: string;
  /** Inside the opening time, earliest first; absent when there is none. */
  readonly breaks?: readonly BusinessHoursBreak[];
}

/** A part of the opening time in which the line is closed. */
export interface BusinessHoursBreak {
  /** HH:MM. */
  readonly from: string;
  /** HH:MM, exclusive; 24:00 is the end of the day. */
  readonly to: string;
}

/** Days on which a number is closed, whatever its business hours say. */
export interface Closure {
  readonly id: string;
  readonly name: string;
  /** YYYY-MM-DD, by the number's own calendar. */
  readonly from: string;
  /** YYYY-MM-DD, the last day. */
  readonly to: string;
}

/** When a number is open. */
export interface Schedule {
  /** IANA. */
  readonly timezone: string;
  /** Seven, Monday first. */
  readonly businessHours: readonly BusinessHoursEntry[];
  /** Ordered by their first day. */
  readonly closures: readonly Closure[];
}

export const DAY_NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** A new number is open Monday to Friday, nine to five. */
export const DEFAULT_BUSINESS_HOURS: readonly BusinessHoursEntry[] = DAY_NAMES.map((_, dayOfWeek) => ({
  dayOfWeek,
  open: dayOfWeek < 5,
  openingAt: '09:00',
  closingAt: '17:00',
}));

/** Minutes since midnight; `24:00` is 1440. */
export function minuteOfDay(time: string): number {
  const [hours, minutes] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}
