import { type Objective, objectives } from './objectives.ts';

/**
 * Multi-window burn rates of the SRE workbook: how many times faster than the target allows the error budget is used, over a long
 * window and, so that the alert ends soon after its cause, over a short one.
 */
const BURN_RATES = {
  Fast: {
    severity: 'page',
    windows: [
      { long: '1h', short: '5m', factor: 14.4 },
      { long: '6h', short: '30m', factor: 6 },
    ],
  },
  Slow: {
    severity: 'ticket',
    windows: [
      { long: '1d', short: '2h', factor: 3 },
      { long: '3d', short: '6h', factor: 1 },
    ],
  },
} as const;

type Speed = keyof typeof BURN_RATES;

/** At night one failed request may be one in a hundred. */
const BAD_EVENTS_MIN = 5;

const WINDOWS = Object.values(BURN_RATES).flatMap(({ windows }) => windows.flatMap(({ long, short }) => [short, long]));

/** The series with the share of events that broke the promise, within a window. */
export const errorRatio = (window: string) => `parley:objective_errors:ratio_rate${window}`;
const badEvents = (window: string) => `parley:objective_errors:increase${window}`;
export const ERROR_BUDGET = 'parley:objective_error_budget:ratio';

/** Rules of Prometheus: the ratios, and the alerts on them. */
export function objectiveRules() {
  return {
    groups: [
      { name: 'parley-objectives', rules: objectives.flatMap(recordingRules) },
      {
        name: 'parley-error-budgets',
        rules: objectives.flatMap((one) => [burnAlert(one, 'Fast'), burnAlert(one, 'Slow')]),
      },
    ],
  };
}

/** Where nothing good has ever happened there is no series of it. */
function recordingRules({ name, target, good, all }: Objective) {
  const labels = { objective: name };
  return [
    { record: ERROR_BUDGET, expr: `vector(${budget(target)})`, labels },
    ...[...new Set(WINDOWS)].map((window) => ({
      record: errorRatio(window),
      expr: `1 - (sum(rate(${good}[${window}])) or vector(0)) / sum(rate(${all}[${window}]))`,
      labels,
    })),
    ...['1h', '6h', '1d', '3d'].map((window) => ({
      record: badEvents(window),
      expr: `sum(increase(${all}[${window}])) - (sum(increase(${good}[${window}])) or vector(0))`,
      labels,
    })),
  ];
}

function burnAlert({ name, alert, promise, target }: Objective, speed: Speed) {
  const { severity, windows } = BURN_RATES[speed];
  const of = (series: string) => `${series}{objective="${name}"}`;
  const conditions = windows.map(({ long, short, factor }) =>
    [
      `${of(errorRatio(long))} > ${factor} * ${budget(target)}`,
      `${of(errorRatio(short))} > ${factor} * ${budget(target)}`,
      `${of(badEvents(long))} > ${BAD_EVENTS_MIN}`,
    ].join(' and '),
  );
  return {
    alert: `${alert}Budget${speed}`,
    expr: conditions.map((condition) => `(${condition})`).join('\nor\n'),
    labels: { severity, objective: name },
    annotations: {
      summary: `${promise}: {{ $value | humanizePercentage }} do not`,
      description:
        speed === 'Fast'
          ? 'At this rate the error budget of 28 days is used up within five days, or two. The dashboard of the promise shows what is slow or fails.'
          : 'At this rate the error budget of 28 days is used up early. The dashboard of the promise shows what is slow or fails.',
    },
  };
}

/** The share of events that may break the promise, without the digits of binary fractions. */
function budget(target: number): number {
  return Number((1 - target).toFixed(6));
}
