import { z } from 'zod';
import { boundedText, emailText, nameText } from '../shared/bounded-text.ts';

/** The optional fields of a contact as a body has them; null and blank both clear. */
export const contactTexts = z.object({
  name: nameText.nullish(),
  email: emailText.nullish(),
  company_name: nameText.nullish(),
  note: boundedText(10_000).nullish(),
});
