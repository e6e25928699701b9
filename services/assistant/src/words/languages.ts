/** The languages in which the product has its fixed sentences. */
export const LANGUAGES = ['en', 'da', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

export function isLanguage(code: string): code is Language {
  return (LANGUAGES as readonly string[]).includes(code);
}

const disclosures: Readonly<Record<Language, string>> = {
  en: 'You are speaking with an automated assistant.',
  da: 'Du taler med en automatisk assistent.',
  de: 'Sie sprechen mit einem automatischen Assistenten.',
};

/** What an assistant says first unless the company has words of its own. */
export function defaultDisclosure(language: Language): string {
  return disclosures[language];
}
