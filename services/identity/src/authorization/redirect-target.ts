/**
 * The redirect address with an answer in its query. The address itself stays as it was registered, character by
 * character, because parsing and formatting could change it.
 */
export function redirectTarget(redirectUri: string, answer: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams(
    Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const glue = !redirectUri.includes('?') ? '?' : /[?&]$/.test(redirectUri) ? '' : '&';
  return `${redirectUri}${glue}${query}`;
}
