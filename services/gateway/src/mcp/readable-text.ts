import { cutText } from './result-size.ts';

/** At most three bytes each. */
const TEXT_LENGTH_MAX = 2_000;
const VALUE_LENGTH_MAX = 300;

/** A short text of a result, for people and for models that read no structured content. */
export function readableText(result: Readonly<Record<string, unknown>>): string {
  const lines: string[] = [];
  for (const [key, value] of Object.entries(result)) {
    if (Array.isArray(value)) {
      lines.push(`${words(key)}: ${value.length === 0 ? 'none' : value.length}`);
      for (const item of value) lines.push(`- ${itemText(item)}`);
    } else if (typeof value === 'object' && value !== null) lines.push(`${words(key)}: ${itemText(value)}`);
    else if (value !== null && value !== undefined) lines.push(`${words(key)}: ${scalarText(value)}`);
    else if (Object.keys(result).length === 1) lines.push(`${words(key)}: none`);
  }
  return cutText(lines.join('\n') || 'Done.', TEXT_LENGTH_MAX);
}

function itemText(item: unknown): string {
  if (typeof item !== 'object' || item === null) return scalarText(item);
  const parts = Object.entries(item).flatMap(([key, value]) => {
    if (value === null || value === undefined || value === '') return [];
    if (Array.isArray(value)) return value.length === 0 ? [] : [`${words(key)}: ${value.length}`];
    if (typeof value !== 'object') return [`${words(key)}: ${scalarText(value)}`];
    const { name, id } = value as { name?: unknown; id?: unknown };
    return name || id ? [`${words(key)}: ${scalarText(name ?? id)}`] : [];
  });
  return parts.join(', ');
}

function scalarText(value: unknown): string {
  return cutText(String(value).replaceAll(/\s+/g, ' '), VALUE_LENGTH_MAX);
}

function words(key: string): string {
  return key.replaceAll('_', ' ');
}
