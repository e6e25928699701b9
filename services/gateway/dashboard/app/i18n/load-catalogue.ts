import { language } from './locale.ts';
import { setCatalogue } from './translate.ts';

/** Loads the sentences of the language; English needs none. */
export async function loadCatalogue(): Promise<void> {
  if (language === 'da') setCatalogue((await import('./danish.ts')).danish);
  if (language === 'de') setCatalogue((await import('./german.ts')).german);
}
