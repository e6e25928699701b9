/** The share of words that are wrong, missing or too many: 0 is perfect. */
export function wordErrorRate(spoken: string, recognized: string): number {
  return wordErrors(spoken, recognized) / words(spoken).length;
}

/** How many words are wrong, missing or too many. */
export function wordErrors(spoken: string, recognized: string): number {
  const actual = words(recognized);
  let previous = Array.from({ length: actual.length + 1 }, (_, i) => i);
  for (const [i, word] of words(spoken).entries()) {
    const row = [i + 1];
    for (const [j, other] of actual.entries()) {
      row.push(Math.min(row[j]! + 1, previous[j + 1]! + 1, previous[j]! + Number(word !== other)));
    }
    previous = row;
  }
  return previous.at(-1)!;
}

const DIGITS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** A number is the same in words and in digits; each digit counts as a word. */
export function words(text: string): string[] {
  const all = text.toLowerCase().match(/\p{N}|[\p{L}']+/gu) ?? [];
  return all.map((word) => (DIGITS.includes(word) ? String(DIGITS.indexOf(word)) : word));
}
