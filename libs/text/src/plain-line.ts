const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/** Control characters, and embeddings, overrides and isolates of bidirectional text (UAX #9). */
const CONTROLS = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** A text from outside as one line, without characters that control how it or the text after it is shown. */
export function plainLine(text: string): string {
  return text.toWellFormed().replaceAll(BREAKS, ' ').replaceAll(CONTROLS, '');
}
