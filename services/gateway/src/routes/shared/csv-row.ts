/** Characters that begin a formula, and their wide, small and raised forms, which some spreadsheets read as the same. */
const FORMULA = '=+\\-@\\uff1d\\uff0b\\uff0d\\uff20\\ufe66\\ufe62\\ufe63\\ufe6b\\u207a-\\u207c\\u208a-\\u208c\\u2212';
/** What may stand in front of them: spaces and invisible characters, quotation marks, and apostrophes, of which the import removes one. */
const IGNORED = `(?:(?![;\\t\\r\\n])[\\s\\p{C}\\p{Default_Ignorable_Code_Point}"'])*`;
/**
 * Where a cell that is a formula begins: at the beginning of the text, and behind each separator by which spreadsheets split, because one
 * that splits by semicolons or tabs takes the quotation marks in the middle of a line for ordinary characters.
 */
const BEGINNING = new RegExp(`^(?=${IGNORED}[${FORMULA}\\t\\r])|(?<=[;\\t\\r\\n])(?=${IGNORED}[${FORMULA}])`, 'gu');
/** The same once it is covered. */
const COVERED = new RegExp(`(?:${BEGINNING.source})'`, 'gu');
/** Calculates nothing, and is imported again as it was exported. */
const PHONE_NUMBER = /^\+\d[\d ]*$/;

/** One line of RFC 4180; a text that a spreadsheet would execute as a formula gets an apostrophe in front. */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

/** The first one is never a phone number: where nothing splits the line, all of it is one cell. */
function cell(text: string, index: number): string {
  const safe = index > 0 && PHONE_NUMBER.test(text) ? text : text.replaceAll(BEGINNING, "'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A cell as it was before `csvRow`. */
export function uncoveredCell(text: string): string {
  return text.replaceAll(COVERED, '');
}
