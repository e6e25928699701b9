/** The order matters: most browsers also name those that they are compatible with. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'Mac'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;

/** A readable name for a `User-Agent`, such as "Chrome on Linux". */
export function browserName(userAgent: string): string {
  const nameOf = (names: readonly (readonly [string, string])[]) =>
    names.find(([part]) => userAgent.includes(part))?.[1];
  const browser = nameOf(BROWSERS) ?? 'Unknown browser';
  const system = nameOf(SYSTEMS);
  return system === undefined ? browser : `${browser} on ${system}`;
}
