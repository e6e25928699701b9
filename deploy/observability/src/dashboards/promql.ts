/** The time over which Grafana computes rates: at least four scrapes. */
const WINDOW = '$__rate_interval';

export const rate = (series: string, by = '') => `sum${by && ` by (${by})`} (rate(${series}[${WINDOW}]))`;

/** How often something happened within an hour. */
export const perHour = (series: string, by = '') => `sum${by && ` by (${by})`} (increase(${series}[1h]))`;

/** The share of events that are not good; where nothing good has ever happened there is no series of it. */
export const failedShare = (good: string, all: string) => `1 - (${rate(good)} or vector(0)) / ${rate(all)}`;

/** `histogram` without `_bucket`; `where`: matchers of labels. */
export function quantile(q: number, histogram: string, options: { by?: string; where?: string } = {}): string {
  const { by, where = '' } = options;
  const labels = by === undefined ? 'le' : `le, ${by}`;
  return `histogram_quantile(${q}, ${rate(`${histogram}_bucket${where && `{${where}}`}`, labels)})`;
}

/** The median, one in twenty, one in a hundred. */
export function quantiles(histogram: string, where?: string) {
  return [
    { expr: quantile(0.5, histogram, { where }), legend: 'half are faster' },
    { expr: quantile(0.95, histogram, { where }), legend: '1 in 20 is slower' },
    { expr: quantile(0.99, histogram, { where }), legend: '1 in 100 is slower' },
  ] as const;
}

/** One line for each combination of labels, which is its name. */
const lines = (expr: string, by: string) =>
  [{ expr, legend: by.replaceAll(/\w+/g, '{{$&}}').replaceAll(',', '') }] as const;

/** How often something happens, by labels. */
export const rates = (series: string, by: string) => lines(rate(series, by), by);

/** How often something happened within an hour, by labels. */
export const hourly = (series: string, by: string) => lines(perHour(series, by), by);

/** A quantile by labels. */
export const slowest = (q: number, histogram: string, by: string, where?: string) =>
  lines(quantile(q, histogram, { by, where }), by);
