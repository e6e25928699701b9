import { describe, expect, it } from '@jest/globals';
import { pictureMessageText } from './picture-message.ts';

describe('a picture message', () => {
  it.each([
    ['', 'en', '[Picture message: pictures and attachments are not received.]'],
    [' \n', 'da-DK', '[Billedbesked: billeder og vedhæftede filer modtages ikke.]'],
    ['Look at this', 'de', 'Look at this\n\n[Bildnachricht: Bilder und Anhänge werden nicht empfangen.]'],
    ['Look', 'no', 'Look\n\n[Bildemelding: bilder og vedlegg mottas ikke.]'],
    ['', 'fi', '[Picture message: pictures and attachments are not received.]'],
    ['', 'constructor', '[Picture message: pictures and attachments are not received.]'],
  ])('a picture message with the text %j in %s is stored as %j', (text, language, stored) => {
    expect(pictureMessageText(text, language)).toBe(stored);
  });
});
