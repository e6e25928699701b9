import { invalid, type Refusal } from '@parley/errors';

/** Collects what is wrong with a request: field path to messages. */
export interface Problems {
  add(path: string, message: string): void;
  /** A text of at most `lengthMax` characters, as people count them; not blank unless `blank` is allowed. */
  text(path: string, value: string, lengthMax: number, allowed?: { blank: boolean }): void;
  /** A list of at most `lengthMax` items. False when it is too long, so that its items are not looked at. */
  list(path: string, items: readonly unknown[], lengthMax: number): boolean;
  /** What to refuse with; undefined when nothing is wrong. */
  refusal(): Refusal | undefined;
}

/** Bounds the size of an error response. */
const FIELDS_MAX = 100;

export function collectProblems(): Problems {
  const fields: Record<string, string[]> = {};
  const add = (path: string, message: string) => {
    if (fields[path]) fields[path].push(message);
    else if (Object.keys(fields).length < FIELDS_MAX) fields[path] = [message];
  };
  return {
    add,
    text(path, value, lengthMax, { blank } = { blank: false }) {
      if (!blank && value.trim() === '') add(path, 'must not be blank');
      // No text of allowed length has more UTF-16 units.
      else if (value.length > 2 * lengthMax || [...value].length > lengthMax)
        add(path, `is too long (maximum is ${lengthMax} characters)`);
    },
    list(path, items, lengthMax) {
      if (items.length > lengthMax) add(path, `must have at most ${lengthMax} items`);
      return items.length <= lengthMax;
    },
    refusal: () => (Object.keys(fields).length > 0 ? invalid(fields) : undefined),
  };
}
