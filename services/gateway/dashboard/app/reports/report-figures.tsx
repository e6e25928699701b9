import type { ReactNode } from 'react';
import { number, oneDecimal, percent } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { isAdmin } from '../session.ts';
import { classes } from '../ui/classes.ts';
import { duration } from '../ui/duration.ts';
import { SMALL } from '../ui/icon.ts';
import { ArrowDown, ArrowUp } from '../ui/icons/index.ts';
import { SkeletonBar } from '../ui/skeleton.tsx';
import { periodBefore, type ReportPeriod } from './report-period.ts';
import styles from './reports-page.module.css';
import { type Figures, type ReportScope, useCallReport } from './report-queries.ts';

export interface Tile<Totals> {
  readonly label: string;
  readonly valueOf: (figures: Totals) => number | undefined;
  readonly text: (value: number) => string;
  /** Formats a difference without its sign. */
  readonly change: (difference: number, before: number) => string;
  /** Absent where an increase is neither good nor bad. */
  readonly better?: 'more' | 'less';
}

export const share = (part: number, all: number) => (all === 0 ? undefined : part / all);

const calls = (): Tile<Figures> => ({
  label: t('Calls'),
  valueOf: ({ total }) => total,
  text: number,
  change: (difference, before) => (before === 0 ? number(difference) : percent(difference / before)),
});
const answered = (): Tile<Figures> => ({
  label: t('Answered'),
  valueOf: (figures) => share(figures.answered, figures.total),
  text: percent,
  change: (difference) => t('{count} points', { count: oneDecimal(difference * 100) }),
  better: 'more',
});
const waiting = (): Tile<Figures> => ({
  label: t('9 of 10 wait at most'),
  valueOf: (figures) => (figures.inbound === 0 ? undefined : figures.wait_secs_p90),
  text: (seconds) => (seconds < 1 ? t('under 1 s') : duration(seconds)),
  change: duration,
  better: 'less',
});
const missed = (): Tile<Figures> => ({
  label: t('Missed'),
  valueOf: (figures) => figures.missed,
  text: number,
  change: number,
  better: 'less',
});
const talkTime = (): Tile<Figures> => ({
  label: t('Time on the phone'),
  valueOf: (figures) => figures.talk_secs_total,
  text: duration,
  change: duration,
});

/** Missed calls are nobody's, so a member has the time on the phone instead. */
const tiles = (): readonly Tile<Figures>[] => [calls(), answered(), waiting(), isAdmin ? missed() : talkTime()];

/** The totals of all calls of a period. */
export function CallFigures({ period, scope }: { period: ReportPeriod; scope: ReportScope }): ReactNode {
  const byDay = { ...scope, group: 'day' as const };
  const report = useCallReport(period, byDay);
  const before = useCallReport(periodBefore(period), byDay);
  return (
    <FigureTiles tiles={tiles()} report={report.data} before={before.isPlaceholderData ? undefined : before.data} />
  );
}

/** Fewer days make no line to look at. */
const SPARKLINE_MIN = 5;

interface Counted<Totals> {
  readonly totals: Totals;
  /** The same figures of each day. */
  readonly rows: readonly Totals[];
}

/** The totals of a period, each beside how it has changed since the period before. */
export function FigureTiles<Totals>(props: {
  tiles: readonly Tile<Totals>[];
  /** Undefined until it is there. */
  report: Counted<Totals> | undefined;
  before: Counted<Totals> | undefined;
}): ReactNode {
  const { report } = props;
  return (
    <dl className={styles['figures']}>
      {props.tiles.map((tile) => {
        const value = report && tile.valueOf(report.totals);
        const before = props.before && tile.valueOf(props.before.totals);
        return (
          <div key={tile.label} className={styles['figure']}>
            <dt>{tile.label}</dt>
            <dd className={styles['value']}>
              {report === undefined ? <SkeletonBar /> : value === undefined ? '–' : tile.text(value)}
            </dd>
            <dd className={styles['change']}>
              {value !== undefined && before !== undefined && <Change tile={tile} value={value} before={before} />}
            </dd>
            <Sparkline values={(report?.rows ?? []).map((day) => tile.valueOf(day) ?? 0)} />
          </div>
        );
      })}
    </dl>
  );
}

/** A line through the values of the days; what each of them is, the chart says. */
function Sparkline({ values }: { values: readonly number[] }): ReactNode {
  const max = Math.max(...values);
  if (values.length < SPARKLINE_MIN || max === 0) return null;
  const points = values.map((value, index) => `${(index / (values.length - 1)) * 72},${20 - (value / max) * 18}`);
  return (
    <dd className={styles['sparkline']} aria-hidden="true">
      <svg viewBox="0 0 72 21" preserveAspectRatio="none">
        <polyline points={points.join(' ')} vectorEffect="non-scaling-stroke" />
      </svg>
    </dd>
  );
}

function Change<Totals>(props: { tile: Tile<Totals>; value: number; before: number }): ReactNode {
  const { tile, value, before } = props;
  if (tile.text(value) === tile.text(before)) return t('as before');
  const isMore = value > before;
  const tone = tile.better && (isMore === (tile.better === 'more') ? 'better' : 'worse');
  const amount = tile.change(Math.abs(value - before), before);
  const Shape = isMore ? ArrowUp : ArrowDown;
  return (
    <>
      <span className={classes(styles['amount'], tone && styles[tone])}>
        <Shape {...SMALL} />
        {amount}
      </span>
      {isMore ? t('more than before') : t('less than before')}
    </>
  );
}
