/** The characters of GSM 03.38, and those that take two places of a text. */
const GSM7 = /^[\n\f\r -_a-~¡£¤¥§¿ÄÅÆÇÉÑÖØÜßàäåæèéìñòöøùüΓΔΘΛΞΠΣΦΨΩ€]*$/;
const EXTENDED = /[\f[\\\]^{|}~€]/;
/** Places of a text alone, and of each part of a longer one. */
const PLACES = { 'GSM-7': { alone: 160, part: 153 }, 'UCS-2': { alone: 70, part: 67 } } as const;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** How a provider divides a text: what is displayed as one character is in one part. */
export function smsParts(text: string): { parts: number; encoding: 'GSM-7' | 'UCS-2' } {
  const encoding = GSM7.test(text) ? 'GSM-7' : 'UCS-2';
  const { alone, part } = PLACES[encoding];
  let [places, parts, used] = [0, 1, 0];
  for (const size of encoding === 'GSM-7' ? septets(text) : units(text)) {
    places += size;
    if (used + size > part) [parts, used] = [parts + 1, 0];
    used += size;
  }
  return { parts: places <= alone ? 1 : parts, encoding };
}

function* septets(text: string): Generator<number> {
  for (const character of text) yield EXTENDED.test(character) ? 2 : 1;
}

function* units(text: string): Generator<number> {
  for (const { segment } of graphemes.segment(text)) {
    // The two characters of a line break are two.
    if (segment === '\r\n') yield 1;
    yield segment === '\r\n' ? 1 : segment.length;
  }
}
