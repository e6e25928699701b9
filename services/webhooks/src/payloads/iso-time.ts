import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';

/** UTC with milliseconds. */
export function isoTime(timestamp: Timestamp | undefined): string | null {
  return timestamp ? timestampDate(timestamp).toISOString() : null;
}

/** UTC with microseconds, from microseconds since 1970. */
export function isoMicros(micros: bigint | undefined): string | null {
  if (micros === undefined) return null;
  const iso = new Date(Number(micros / 1000n)).toISOString();
  return `${iso.slice(0, -1)}${String(micros % 1000n).padStart(3, '0')}Z`;
}
