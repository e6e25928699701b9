/** The cursor of the next page in a response whose body is a bare array, from its header `Link` (RFC 8288). */
export function nextCursorOf(link: string | null): string | undefined {
  const [, target] = /<([^>]*)>\s*;\s*rel="next"/.exec(link ?? '') ?? [];
  if (target === undefined) return undefined;
  return new URLSearchParams(target.split('?', 2)[1] ?? '').get('cursor') ?? undefined;
}
