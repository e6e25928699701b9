/** Random choices that are the same for the same seed. */
export interface Random {
  below(limit: number): number;
  chance(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  bytes(length: number): Buffer;
  /** A text with a few of its characters changed, removed or repeated. */
  mutated(text: string): string;
}

const CHARACTERS = [
  '\0',
  '\r',
  '\n',
  '\t',
  ' ',
  '%',
  '/',
  '\\',
  ':',
  ';',
  '<',
  '>',
  '"',
  '\u00ff',
  '\u202e',
  'A',
  '9',
  '-',
];

/** Mulberry32. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
  const random: Random = {
    below: (limit) => Math.floor(next() * limit),
    chance: (share) => next() < share,
    pick: (items) => items[Math.floor(next() * items.length)]!,
    bytes: (length) => Buffer.from(Array.from({ length }, () => random.below(256))),
    mutated(text) {
      const characters = [...text];
      for (let changes = 1 + random.below(3); changes > 0; changes--) {
        const at = random.below(characters.length + 1);
        const change = random.below(3);
        if (change === 0) characters.splice(at, 1);
        else if (change === 1) characters.splice(at, 0, random.pick(CHARACTERS).repeat(1 + random.below(20)));
        else characters.splice(at, 1, random.pick(CHARACTERS));
      }
      return characters.join('');
    },
  };
  return random;
}
