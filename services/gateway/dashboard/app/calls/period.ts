/** Days as an input for dates has them. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

export const PERIODS = ['today', 'week', 'month'] as const;
export type PeriodName = (typeof PERIODS)[number];

const DAYS: Readonly<Record<PeriodName, number>> = { today: 1, week: 7, month: 30 };

/** The last days until now, this one included. */
export function periodOf(name: PeriodName, now = new Date()): Period {
  const first = new Date(now.getFullYear(), now.getMonth(), now.getDate() - DAYS[name] + 1);
  return { from: dayText(first), to: '' };
}

/** `any` for all days, `days` for a period that has no name. */
export function periodName({ from, to }: Period, now = new Date()): PeriodName | 'any' | 'days' {
  if (from === '' && to === '') return 'any';
  return PERIODS.find((name) => to === '' && periodOf(name, now).from === from) ?? 'days';
}

function dayText(day: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
