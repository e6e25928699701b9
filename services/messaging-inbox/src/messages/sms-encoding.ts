export type SmsEncoding = 'gsm7' | 'ucs2';

/** The characters of GSM 03.38. */
const GSM7 = /^[\n\f\r -_a-~¡£¤¥§¿ÄÅÆÇÉÑÖØÜßàäåæèéìñòöøùüΓΔΘΛΞΠΣΦΨΩ€]*$/;

/** The encoding that a text needs. */
export function encodingOf(text: string): SmsEncoding {
  return GSM7.test(text) ? 'gsm7' : 'ucs2';
}
