import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';

/** One day of a public holiday. */
export interface PublicHoliday {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly name: string;
}

/** Its tables of all countries are several megabytes: they are loaded when somebody asks for holidays. */
const library = async () => (await import('date-holidays')).default;

/** Calendars that are kept; building one takes many times as long as looking it up. */
const KEPT_MAX = 500;
const kept = new LRUCache<string, readonly PublicHoliday[]>({ max: KEPT_MAX });

let known: ReadonlySet<string> | undefined;
async function isKnown(country: string): Promise<boolean> {
  known ??= new Set(Object.keys(new (await library())().getCountries()));
  return known.has(country);
}

/** The public holidays of a whole country, day by day in their order; undefined for a country that is not known. */
export async function publicHolidays(country: string, year: number): Promise<readonly PublicHoliday[] | undefined> {
  const key = `${country}/${year}`;
  const calendar = kept.get(key);
  if (calendar || !(await isKnown(country))) return calendar;
  const built = await buildCalendar(country, year);
  kept.set(key, built);
  return built;
}

async function buildCalendar(country: string, year: number): Promise<readonly PublicHoliday[]> {
  const Holidays = await library();
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
