import type { MessageReport } from '../api/schema.d.ts';
import { longDay, shortDay, shortWeekdayName, weekdayName } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import type { Figures, Group } from './report-queries.ts';

/** A part of a bar. */
export interface BarPart {
  readonly tone: 'main' | 'quiet' | 'bad';
  readonly name: string;
  readonly value: number;
}

/** A group of a report as it is shown. */
export interface ChartRow<Counted = Figures> {
  readonly key: string;
  /** Below its bar. */
  readonly label: string;
  readonly name: string;
  readonly figures: Counted;
  /** Together the total, from the bottom of the bar. */
  readonly parts: readonly BarPart[];
  readonly total: number;
  /** The total of the period before. */
  readonly before: number | undefined;
}

export type Names = ReadonlyMap<string, string>;

type Keyed<Counted> = Counted & { readonly key: string | number };

/**
 * `before`: the rows of the period before. Days are compared in their order, everything else by its key. Numbers and employees come by how
 * much they have.
 */
export function chartRows<Counted>(
  group: Group,
  { rows, before }: { rows: readonly Keyed<Counted>[]; before: readonly Keyed<Counted>[] | undefined },
  partsOf: (figures: Counted) => readonly BarPart[],
  names: Names,
): readonly ChartRow<Counted>[] {
  const totalOf = (figures: Counted | undefined) =>
    figures ? partsOf(figures).reduce((sum, { value }) => sum + value, 0) : 0;
  const byKey = new Map(before?.map((row) => [row.key, row]));
  const shown = rows.map((row, index): ChartRow<Counted> => {
    const earlier = group === 'day' ? before?.[index] : byKey.get(row.key);
    return {
      key: String(row.key),
      ...namesOf(group, row.key, names),
      figures: row,
      parts: partsOf(row),
      total: totalOf(row),
      before: before && totalOf(earlier),
    };
  });
  return isInTime(group) ? shown : shown.toSorted((one, other) => other.total - one.total);
}

/** True when the groups are consecutive times. */
export const isInTime = (group: Group): boolean => group !== 'business_number' && group !== 'employee';

function namesOf(group: Group, key: string | number, names: Names): Pick<ChartRow, 'label' | 'name'> {
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

/** All calls. Others are in progress, or outgoing and not answered. */
export function callParts({ total, answered, missed }: Figures): readonly BarPart[] {
  return [
    { tone: 'bad', name: t('Missed'), value: missed },
    { tone: 'quiet', name: t('Others'), value: Math.max(0, total - answered - missed) },
    { tone: 'main', name: t('Answered'), value: answered },
  ];
}

/** All texts. */
export function textParts({ sent, received }: MessageReport['totals']): readonly BarPart[] {
  return [
    { tone: 'main', name: t('Sent'), value: sent },
    { tone: 'quiet', name: t('Received'), value: received },
  ];
}
