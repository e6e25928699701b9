/** Microseconds since 1970 as `2026-03-01T12:00:00.123456Z`. */
export function isoMicros(micros: bigint): string {
  const fraction = String(micros % 1_000_000n).padStart(6, '0');
  return `${isoMillis(micros).slice(0, -4)}${fraction}Z`;
}

/** Microseconds since 1970 as `2026-03-01T12:00:00.123Z`. */
export function isoMillis(micros: bigint): string {
  return new Date(Number(micros / 1000n)).toISOString();
}
