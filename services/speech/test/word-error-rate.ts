/** The share of words that are wrong, missing or too many: 0 is perfect. */
export function wordErrorRate(spoken: string, recognized: string): number {
  const expected = words(spoken);
  const actual = words(recognized);
  let previous = Array.from({ length: actual.length + 1 }, (_, i) => i);
  for (const [i, word] of expected.entries()) {
    const row = [i + 1];
    for (const [j, other] of actual.entries()) {
      row.push(Math.min(row[j]! + 1, previous[j + 1]! + 1, previous[j]! + Number(word !== other)));
    }
    previous = row;
  }
  return previous.at(-1)! / expected.length;
}

function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
}
