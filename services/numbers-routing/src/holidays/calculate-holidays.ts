import Holidays from 'date-holidays';
import { Temporal } from 'temporal-polyfill';

/** One day of a public holiday. */
export interface PublicHoliday {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly name: string;
}

let known: ReadonlySet<string> | undefined;

/**
 * The public holidays of a whole country, day by day in their order; undefined for a country that is not known. Some calendars follow
 * the moon: calculating them takes more than a hundred milliseconds, which is why `openHolidays` does it in a thread.
 */
export function calculateHolidays(country: string, year: number): readonly PublicHoliday[] | undefined {
  known ??= new Set(Object.keys(new Holidays().getCountries()));
  if (!known.has(country)) return undefined;
  const found = new Holidays(country).getHolidays(year).filter(({ type }) => type === 'public');
  const days = found.flatMap(({ date, start, end, name }) =>
    daysOf(date, end.getTime() - start.getTime()).map((day) => ({ date: day, name })),
  );
  const inYear = days.filter(({ date }) => date.startsWith(`${year}-`));
  return inYear.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

/** The days whose noon lies within a holiday: some begin at sunset of the day before, some last several days. */
function daysOf(localStart: string, lengthMs: number): readonly string[] {
  const [day = '', time = '00:00:00'] = localStart.split(' ');
  const begins = Temporal.PlainDateTime.from(`${day}T${time}`);
  const ends = begins.add({ milliseconds: lengthMs });
  const days: string[] = [];
  for (
    let noon = begins.withPlainTime('12:00');
    Temporal.PlainDateTime.compare(noon, ends) < 0;
    noon = noon.add({ days: 1 })
  )
    if (Temporal.PlainDateTime.compare(noon, begins) >= 0) days.push(noon.toPlainDate().toString());
  return days;
}
