import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';

/** UTC with milliseconds; null without a time. */
export function isoTime(timestamp: Timestamp | undefined): string | null {
  return timestamp ? timestampDate(timestamp).toISOString() : null;
}

/** Like `isoTime`, for a time that is always present. */
export function isoTimeOf(timestamp: Timestamp | undefined): string {
  if (!timestamp) throw new Error('an object without its time');
  return timestampDate(timestamp).toISOString();
}

/** Microseconds since 1970 as `2026-03-01T12:00:00.123456Z`. */
export function isoMicros(micros: bigint): string {
  const fraction = String(micros % 1_000_000n).padStart(6, '0');
  return `${isoMillis(micros).slice(0, -4)}${fraction}Z`;
}

/** Microseconds since 1970 as `2026-03-01T12:00:00.123Z`. */
export function isoMillis(micros: bigint): string {
  return new Date(Number(micros / 1000n)).toISOString();
}
/**
 * The names of an enumeration's values in the API: those of the contract, in lower case. `unspecified` stands for a value that was not set.
 * A value whose name is missing stops the start.
 */
export function enumJson<Name extends string>(
  values: Readonly<Record<string, string | number>>,
  names: readonly Name[],
  unspecified: Name,
): (value: number) => Name {
  const byValue = Object.entries(values).flatMap(([name, value]): [number, Name][] => {
    if (typeof value === 'string') return [];
    const known = value === 0 ? unspecified : names.find((one) => one === name.toLowerCase());
    if (known === undefined) throw new Error(`${name} has no name in the API`);
    return [[value, known]];
  });
  const nameOf = new Map(byValue);
  return (value) => nameOf.get(value)!;
}
