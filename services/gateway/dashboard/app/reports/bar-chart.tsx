import { type ReactNode, useState } from 'react';
import { number } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { classes } from '../ui/classes.ts';
import styles from './bar-chart.module.css';
import { axisMax, axisSteps, hasLabel } from './chart-scale.ts';
import type { BarPart, ChartRow } from './chart-row.ts';

const HEIGHT = 228;
const TOP = 8;
const LABELS_MAX = 7;
/** The share of a group's width. */
const BAR_SHARE = 0.66;

type Rows = readonly Pick<ChartRow, 'key' | 'label' | 'name' | 'parts' | 'total' | 'before'>[];

/**
 * Calls or texts by group as bars, the period before as a dotted line. Across everything is measured in percent, so that texts keep their size at
 * every width. The table beside it says the same to those who do not see it.
 */
export function BarChart({ rows, label }: { rows: Rows; label: string }): ReactNode {
  const [pointed, setPointed] = useState<number>();
  const max = Math.max(0, ...rows.flatMap(({ total, before = 0 }) => [total, before]));
  const top = axisMax(max);
  const yOf = (value: number) => TOP + HEIGHT * (1 - value / top);
  const slot = 100 / Math.max(1, rows.length);
  const row = pointed === undefined ? undefined : rows[pointed];
  return (
    <div className={styles['chart']}>
      <svg className={styles['axis']} aria-hidden="true">
        {axisSteps(max).map((value) => (
          <text key={value} x="100%" y={yOf(value) + 4}>
            {number(value)}
          </text>
        ))}
      </svg>
      <div className={styles['plot']} onPointerLeave={() => setPointed(undefined)}>
        <svg role="img" aria-label={label}>
          {axisSteps(max).map((value) => (
            <line key={value} className={styles['grid']} x1="0" x2="100%" y1={yOf(value)} y2={yOf(value)} />
          ))}
          {rows.map((one, index) => (
            <Bar key={one.key} row={one} left={slot * index} slot={slot} yOf={yOf} isPointed={index === pointed} />
          ))}
          <Before rows={rows} slot={slot} yOf={yOf} />
          {rows.map((one, index) => (
            <g key={one.key}>
              {hasLabel(index, rows.length, LABELS_MAX) && (
                <text className={styles['label']} x={`${slot * (index + 0.5)}%`} y={TOP + HEIGHT + 18}>
                  {one.label}
                </text>
              )}
              <rect
                className={styles['target']}
                x={`${slot * index}%`}
                width={`${slot}%`}
                y="0"
                height={TOP + HEIGHT}
                onPointerEnter={() => setPointed(index)}
              />
            </g>
          ))}
        </svg>
        {row && pointed !== undefined && (
          <Tip row={row} place={(slot * (pointed + 0.5)) / 100} isBefore={pointed >= rows.length / 2} />
        )}
      </div>
    </div>
  );
}

interface Drawn {
  readonly slot: number;
  readonly yOf: (value: number) => number;
}

function Bar(props: Drawn & { row: Rows[number]; left: number; isPointed: boolean }): ReactNode {
  const { row, left, slot, yOf } = props;
  const x = `${left + (slot * (1 - BAR_SHARE)) / 2}%`;
  return (
    <>
      {props.isPointed && (
        <rect className={styles['pointed']} x={`${left}%`} width={`${slot}%`} y={TOP} height={HEIGHT} />
      )}
      {stacked(row.parts).map(
        ({ tone, start, value }) =>
          value > 0 && (
            <rect
              key={tone}
              className={styles[tone]}
              x={x}
              width={`${slot * BAR_SHARE}%`}
              y={yOf(start + value)}
              height={Math.max(1, yOf(start) - yOf(start + value) - (start > 0 ? 1 : 0))}
              rx={2}
            />
          ),
      )}
    </>
  );
}

/** Each part with the sum of those before it. */
function stacked(parts: readonly BarPart[]): readonly (BarPart & { start: number })[] {
  let start = 0;
  return parts.map((part) => {
    start += part.value;
    return { ...part, start: start - part.value };
  });
}

/** Line by line: a line through all of them cannot be measured in percent. */
function Before({ rows, slot, yOf }: Drawn & { rows: Rows }): ReactNode {
  return rows.slice(1).map((row, index) => {
    const previous = rows[index]?.before;
    if (previous === undefined || row.before === undefined) return null;
    return (
      <line
        key={row.key}
        className={styles['before']}
        x1={`${slot * (index + 0.5)}%`}
        x2={`${slot * (index + 1.5)}%`}
        y1={yOf(previous)}
        y2={yOf(row.before)}
      />
    );
  });
}

function Tip(props: { row: Rows[number]; place: number; isBefore: boolean }): ReactNode {
  const { name, parts, before } = props.row;
  return (
    <div
      className={classes(styles['tip'], props.isBefore && styles['tip-before'])}
      style={{ left: `${props.place * 100}%` }}
      aria-hidden="true"
    >
      <b>{name}</b>
      {parts
        .toReversed()
        .map((part) => (part.tone !== 'quiet' || part.value > 0) && <TipLine key={part.tone} {...part} />)}
      {before !== undefined && <TipLine name={t('Period before')} value={before} />}
    </div>
  );
}

function TipLine(props: { tone?: BarPart['tone']; name: string; value: number }): ReactNode {
  return (
    <span className={styles['tip-line']}>
      <span className={classes(styles['swatch'], props.tone && styles[`${props.tone}-swatch`])} />
      <span>{props.name}</span>
      <span className={styles['tip-value']}>{number(props.value)}</span>
    </span>
  );
}

/** What the colours mean, of those that are in the chart. */
export function Legend({ rows }: { rows: Rows }): ReactNode {
  const shown = rows[0]?.parts.filter((_, index) => rows.some(({ parts }) => (parts[index]?.value ?? 0) > 0)) ?? [];
  return (
    <p className={styles['legend']}>
      {shown.toReversed().map(({ tone, name }) => (
        <span key={tone}>
          <span className={classes(styles['swatch'], styles[`${tone}-swatch`])} />
          {name}
        </span>
      ))}
      <span>
        <span className={styles['dots']} />
        {t('Period before')}
      </span>
    </p>
  );
}

/** Numbers or employees, whose names need room: one bar below the other. */
export function NamedBars({ rows, label }: { rows: Rows; label: string }): ReactNode {
  const max = Math.max(1, ...rows.flatMap(({ total, before = 0 }) => [total, before]));
  const widthOf = (value: number) => `${(value / max) * 100}%`;
  return (
    <div className={styles['named']} role="img" aria-label={label}>
      {rows.map(({ key, name, parts, total, before }) => (
        <div key={key} className={styles['named-row']} title={tipText(total, before)}>
          <span className={styles['named-name']}>
            <bdi>{name}</bdi>
          </span>
          <span className={styles['named-value']}>{number(total)}</span>
          <svg>
            <rect className={styles['track']} width="100%" height="6" rx="3" />
            {/* From the whole to the last part, each over the one before. */}
            {stacked(parts.toReversed())
              .toReversed()
              .map(({ tone, start, value }) => (
                <rect key={tone} className={styles[tone]} width={widthOf(start + value)} height="6" rx="3" />
              ))}
            {before !== undefined && before > 0 && (
              <line className={styles['mark']} x1={widthOf(before)} x2={widthOf(before)} y1="-3" y2="9" />
            )}
          </svg>
        </div>
      ))}
    </div>
  );
}

function tipText(total: number, before: number | undefined): string {
  const values = { count: number(total), before: number(before ?? 0) };
  return before === undefined ? values.count : t('{count}, {before} in the period before', values);
}
