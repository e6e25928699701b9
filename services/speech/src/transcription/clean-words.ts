/** The recogniser's remarks: `[BLANK_AUDIO]`, `(music)`, `*sighs*`, notes. */
const REMARKS = /\[[^\]]*\]|\([^)]*\)|\*[^*]*\*|♪+/gu;
/** A phrase of up to eighty characters, repeated four times or more in a row, which is an artefact of the recogniser. */
const LOOP = /(\b.{1,80}?[\s,.!?]+)\1{3,}/gsu;

/** The recognised text without annotations and without the repetitions that unclear sound can cause. */
export function cleanWords(text: string): string {
  return text.replaceAll(REMARKS, ' ').replaceAll(LOOP, '$1').replaceAll(/\s+/g, ' ').trim();
}
