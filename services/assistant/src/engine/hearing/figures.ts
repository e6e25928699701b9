import { vocabularyOf } from '../words/vocabularies.ts';

/** A plain text with figures for the words of numbers up to 99: "half past four" is "half past 4", "forty five" is "45". */
export function withFigures(plain: string, language: string): string {
  const { digits, tens, onesAndTens } = vocabularyOf(language).numbers;
  const words: string[] = [];
  let ten: number | undefined;
  for (const word of plain.split(' ')) {
    const [, ones, tensWord] = onesAndTens?.exec(word) ?? [];
    const value =
      ones !== undefined && tensWord !== undefined
        ? String(tens[tensWord]! + Number(digits[ones]))
        : (digits[word] ?? undefined);
    if (ten !== undefined && value !== undefined && value.length === 1 && value !== '0')
      words[words.length - 1] = String(ten + Number(value));
    else words.push(value ?? (tens[word] === undefined ? word : String(tens[word])));
    ten = tens[word];
  }
  return words.join(' ');
}
