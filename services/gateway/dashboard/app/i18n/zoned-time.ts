/** The instant of a wall-clock time (`2026-03-29T14:30`) in a time zone; undefined for what is not a time. */
export function instantIn(timeZone: string, wallClock: string): Date | undefined {
  const asUtc = Date.parse(`${wallClock}Z`);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(wallClock) || Number.isNaN(asUtc)) return undefined;
  // The offset at the first guess may be the one before a change of the clocks; at the second it is right.
  const guess = asUtc - offsetMs(timeZone, asUtc);
  return new Date(asUtc - offsetMs(timeZone, guess));
}

/** The wall-clock time to the minute, as an input for date and time takes it; in the reader's time zone unless one is given. */
export function wallClockIn(timeZone: string | undefined, instant: Date): string {
  return new Date(instant.getTime() + offsetMs(timeZone, instant.getTime())).toISOString().slice(0, 16);
}

export const readersZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

function offsetMs(timeZone: string | undefined, atMs: number): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(atMs);
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((one) => one.type === type)?.value);
  const wallClock = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return wallClock - Math.floor(atMs / 1000) * 1000;
}
