/** A word, a number or a mark of a text. */
export interface Token {
  /** In lower case. */
  readonly text: string;
  readonly isWord: boolean;
  readonly isNumber: boolean;
  readonly isCapital: boolean;
  readonly beginsSentence: boolean;
  readonly hasSpaceBefore: boolean;
}

const TOKEN =
  /\d{4}-\d{2}-\d{2}(?!\d)|\d{1,2}\/\d{1,2}(?:\/\d{2,4})?(?!\d)|\d+(?:[.,:'’]\d+)*|\p{L}[\p{L}\p{M}]*(?:['’]\p{L}+)*|\S/gu;

/** Digits of other scripts, which a model or a recogniser may write. */
const DIGIT = /\p{Nd}/gu;

export function tokensOf(text: string): Token[] {
  const plain = plainDigits(text).replaceAll(/\b([ap])\s?\.\s?m\b\.?/gi, '$1m');
  const tokens: Token[] = [];
  let beginsSentence = true;
  for (const match of plain.matchAll(TOKEN)) {
    const [found] = match;
    const isNumber = /^\d/.test(found);
    const isWord = /^\p{L}/u.test(found);
    const before = plain[match.index - 1] ?? ' ';
    tokens.push({
      text: found.toLowerCase().replaceAll('’', "'"),
      isWord,
      isNumber,
      isCapital: /^\p{Lu}/u.test(found),
      beginsSentence,
      hasSpaceBefore: /\s/.test(before),
    });
    beginsSentence = /^[.!?]$/.test(found);
  }
  return tokens;
}

/** One way of writing everything: `１２` and `١٢` are 12, and nothing is invisible. */
function plainDigits(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(DIGIT, (digit) => (digit <= '9' ? digit : String(valueOfDigit(digit))));
}

/** The decimal digits of a script are ten characters in a row, which begin at a code point of the property. */
function valueOfDigit(digit: string): number {
  const code = digit.codePointAt(0)!;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return code - zero;
}
