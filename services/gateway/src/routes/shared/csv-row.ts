/**
 * A spreadsheet treats a cell that begins like this as a formula; one that already has apostrophes gets one more, so that the
 * import can remove exactly one.
 */
const FORMULA = /^'*[=+\-@\t\r]/;
/** Calculates nothing, and is imported again as it was exported. */
const PHONE_NUMBER = /^\+\d[\d ]*$/;

/** One line of RFC 4180; a text that a spreadsheet would execute as a formula gets an apostrophe in front. */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

function cell(text: string): string {
  const safe = FORMULA.test(text) && !PHONE_NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A cell as it was before `csvRow`. */
export function uncoveredCell(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}
