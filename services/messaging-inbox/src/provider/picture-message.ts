import { translated } from '../texting/translated.ts';

/** Says why a text may be without what its sender sees in it. */
const notes = {
  da: '[Billedbesked: billeder og vedhæftede filer modtages ikke.]',
  de: '[Bildnachricht: Bilder und Anhänge werden nicht empfangen.]',
  en: '[Picture message: pictures and attachments are not received.]',
  nb: '[Bildemelding: bilder og vedlegg mottas ikke.]',
  sv: '[Bildmeddelande: bilder och bilagor tas inte emot.]',
};

/** The stored text of a picture message (MMS): its own text, if there is one, and a note in the language of the number. */
export function pictureMessageText(text: string, language: string): string {
  const note = translated(notes, language);
  return text.trim() === '' ? note : `${text}\n\n${note}`;
}
