const LINE_BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/** Control characters, and embeddings, overrides and isolates of bidirectional text (UAX #9). */
const LINE_CONTROLS = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

const BREAKS = /\r\n|[\n\v\f\r\u0085]/g;
const CONTROLS = /(?!\n)\p{Cc}/gu;
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;
const HAS_DIRECTION = /[\u202a-\u202e\u2066-\u2069]/;

const PDF = '\u202c';
const PDI = '\u2069';
/** What ends an embedding or override, and an isolate (UAX #9). */
const END_OF: Readonly<Record<string, string>> = {
  '\u202a': PDF,
  '\u202b': PDF,
  '\u202d': PDF,
  '\u202e': PDF,
  '\u2066': PDI,
  '\u2067': PDI,
  '\u2068': PDI,
};

/** A text from outside as one line, without characters that control how it or the text after it is shown. */
export function plainLine(text: string): string {
  return text.toWellFormed().replaceAll(LINE_BREAKS, ' ').replaceAll(LINE_CONTROLS, '');
}

/**
 * A text from outside, of any number of lines, that does not control how it is shown beyond its own end: without control characters,
 * and every direction that it begins ends within it. Line breaks stay, as `\n`; a tab becomes a space.
 */
export function plainText(text: string): string {
  const plain = text.toWellFormed().replaceAll(BREAKS, '\n').replaceAll('\t', ' ').replaceAll(CONTROLS, '');
  return HAS_DIRECTION.test(plain) ? closeDirections(plain) : plain;
}

/** Ends what is open, in the order in which it was begun, and leaves out the ends of nothing. */
function closeDirections(text: string): string {
  /** The ends of what is open, the innermost last. */
  const open: string[] = [];
  let isolates = 0;
  const balanced = text.replaceAll(DIRECTIONS, (mark) => {
    const end = END_OF[mark];
    if (end !== undefined) {
      open.push(end);
      if (end === PDI) isolates += 1;
      return mark;
    }
    if (mark === PDF) return open.at(-1) === PDF ? open.pop()! : '';
    if (isolates === 0) return '';
    isolates -= 1;
    // The end of an isolate ends the embeddings within it.
    return open.splice(open.lastIndexOf(PDI)).toReversed().join('');
  });
  return balanced + open.toReversed().join('');
}
