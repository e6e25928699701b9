import type { Attributes, Counter, Meter } from '@opentelemetry/api';

/**
 * A counter whose series exist before anything is counted: Prometheus sees no increase where the first value of a series is 1, so an
 * alert would miss what happens first.
 */
export function counterFromZero(meter: Meter, name: string, series: readonly Attributes[] = [{}]): Counter {
  const counter = meter.createCounter(name);
  for (const attributes of series) counter.add(0, attributes);
  return counter;
}
