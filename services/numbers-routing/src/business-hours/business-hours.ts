/** One weekday's opening hours, by the number's own clocks. */
export interface BusinessHoursEntry {
  /** 0 is Monday, 6 is Sunday. */
  readonly dayOfWeek: number;
  readonly open: boolean;
  /** HH:MM. */
  readonly openingAt: string;
  /** HH:MM; 24:00 is the end of the day. */
  readonly closingAt: string;
}

export const DAY_NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** Of a new number: Monday to Friday, nine to five. */
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
