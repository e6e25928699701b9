/**
 * What a terminal does not show but obeys, or what changes the order of what is shown: control characters (C0 and C1), marks of direction,
 * and separators of lines.
 */
// oxlint-disable-next-line no-control-regex -- control characters are what it finds
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
// oxlint-disable-next-line no-control-regex -- control characters are what it finds
const UNSAFE_IN_LINES = /(?![\n\t])[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/** JSON has escaped those below already. */
const UNSAFE_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A text of a server in one line: an escape sequence is shown as `\u001b[31m`. */
export function printable(text: string): string {
  return text.replaceAll(UNSAFE, escaped);
}

/** A text of a server in as many lines as it has. */
export function printableLines(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(UNSAFE_IN_LINES, escaped);
}

/** JSON of the same value in characters that a terminal only shows. */
export function printableJson(value: unknown, indent?: number): string {
  return (JSON.stringify(value, undefined, indent) ?? 'null').replaceAll(UNSAFE_IN_JSON, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
