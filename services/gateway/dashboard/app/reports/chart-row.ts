import { longDay, shortDay, shortWeekdayName, weekdayName } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import type { Figures, Group, ReportRow } from './report-queries.ts';

/** A group of a report as it is shown. */
export interface ChartRow {
  readonly key: string;
  /** Below its bar. */
  readonly label: string;
  readonly name: string;
  readonly figures: Figures;
  /** The number of calls in the period before. */
  readonly before: number | undefined;
}

export type Names = ReadonlyMap<string, string>;

/**
 * `before`: the rows of the period before. Days are compared in their order, everything else by its key. Numbers and employees come by how
 * many calls they have.
 */
export function chartRows(
  group: Group,
  rows: readonly ReportRow[],
  before: readonly ReportRow[] | undefined,
  names: Names,
): readonly ChartRow[] {
  const byKey = new Map(before?.map((row) => [row.key, row]));
  const shown = rows.map((row, index): ChartRow => {
    const earlier = group === 'day' ? before?.[index] : byKey.get(row.key);
    return {
      key: String(row.key),
      ...namesOf(group, row.key, names),
      figures: row,
      before: before && (earlier?.total ?? 0),
    };
  });
  return isInTime(group) ? shown : shown.toSorted((one, other) => other.figures.total - one.figures.total);
}

/** True when the groups are consecutive times. */
export const isInTime = (group: Group): boolean => group !== 'business_number' && group !== 'employee';

export function namesOf(group: Group, key: string | number, names: Names): Pick<ChartRow, 'label' | 'name'> {
  switch (group) {
    case 'day':
      return { label: shortDay(String(key)), name: longDay(String(key)) };
    case 'weekday':
      return { label: shortWeekdayName(Number(key)), name: weekdayName(Number(key)) };
    case 'hour_of_day': {
      const hour = String(key).padStart(2, '0');
      return { label: hour, name: `${hour}:00–${hour}:59` };
    }
    case 'employee':
    case 'business_number': {
      const name = names.get(String(key)) ?? (group === 'employee' ? t('Former employee') : t('Former number'));
      return { label: name, name };
    }
  }
}

/** The parts of a bar: together all calls. Others are in progress, or outgoing and not answered. */
export function partsOf({ total, answered, missed }: Figures): {
  answered: number;
  missed: number;
  others: number;
} {
  return { answered, missed, others: Math.max(0, total - answered - missed) };
}
