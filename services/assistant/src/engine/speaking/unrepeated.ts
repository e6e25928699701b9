import type { SentenceKey } from '../words/sentences.ts';
import { sentencesOf } from '../words/vocabularies.ts';

/** The same sentence is never said three times. */
const SAID_MAX = 2;

type Said = Readonly<Record<string, number>>;

/** A sentence of the product with what is filled in, and which of its variants it is. */
export interface Variant {
  readonly text: string;
  readonly index: number;
}

/** The variant that was said least; undefined when each was said twice already. `values` are filled in. */
export function chooseVariant(
  key: SentenceKey,
  values: Readonly<Record<string, string>>,
  language: string,
  said: Said,
): Variant | undefined {
  const variants = sentencesOf(language)[key].map((template, index) => ({ text: fillIn(template, values), index }));
  return variants
    .map((variant) => ({ variant, count: timesSaid(variant.text, said) }))
    .filter(({ count }) => count < SAID_MAX)
    .toSorted((a, b) => a.count - b.count)[0]?.variant;
}

export function fillIn(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

/** Whether a text, or a sentence of it, was said so often that it may not be said again. */
export function isUsedUp(text: string, said: Said): boolean {
  return timesSaid(text, said) >= SAID_MAX;
}

export function countSaid(text: string, said: Said): Said {
  const counts = { ...said };
  for (const sentence of sentencesIn(text)) counts[sentence] = (counts[sentence] ?? 0) + 1;
  return counts;
}

function timesSaid(text: string, said: Said): number {
  return Math.max(0, ...sentencesIn(text).map((sentence) => said[sentence] ?? 0));
}

/** The sentences of a text, as keys of a fixed length: what was said is not kept twice. */
function sentencesIn(text: string): string[] {
  const sentences = text
    .toLowerCase()
    .split(/(?<=[.!?…])\s+/)
    .map((sentence) => sentence.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim())
    .filter((sentence) => sentence !== '');
  return [...new Set(sentences)].map(hash);
}

/** FNV-1a, twice with different beginnings: 64 bits. */
function hash(text: string): string {
  return [0x811c9dc5, 0x01000193]
    .map((seed) => {
      let value = seed;
      for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
      return (value >>> 0).toString(36);
    })
    .join('');
}
