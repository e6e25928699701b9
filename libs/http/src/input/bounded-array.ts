import { z } from 'zod';

/**
 * An array whose length is checked before its items are parsed. `z.array().max()` alone parses every item first, and half a million
 * wrong ones take seconds.
 */
export function boundedArray<Item extends z.ZodType>(item: Item, lengthMax: number, lengthMin = 0) {
  return z.preprocess((value, context) => {
    if (!Array.isArray(value) || value.length <= lengthMax) return value;
    context.issues.push({ code: 'too_big', origin: 'array', maximum: lengthMax, inclusive: true, input: value });
    return z.NEVER;
  }, z.array(item).min(lengthMin).max(lengthMax));
}
