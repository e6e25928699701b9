/** The recogniser's remarks: `[BLANK_AUDIO]`, `(music)`, `*sighs*`, notes. */
const REMARKS = /\[[^\]]*\]|\([^)]*\)|\*[^*]*\*|♪+/gu;
/** A phrase of up to eighty characters, said four times or more in a row: nobody does, but the recogniser may. */
const LOOP = /(\b.{1,80}?[\s,.!?]+)\1{3,}/gsu;

/** What was heard, without remarks and without the loops that unclear sound can send the recogniser into. */
export function cleanWords(text: string): string {
  return text.replaceAll(REMARKS, ' ').replaceAll(LOOP, '$1').replaceAll(/\s+/g, ' ').trim();
}
