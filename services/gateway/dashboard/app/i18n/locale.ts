/** The languages of the application. */
export const LANGUAGES = { en: 'English', da: 'Dansk', de: 'Deutsch' } as const;

export type Language = keyof typeof LANGUAGES;

const KEY = 'parley.language';

/** The language that was chosen in this browser, or the first of the browser's own that the application has. */
export const language: Language = decideLanguage(stored(), typeof navigator === 'undefined' ? [] : navigator.languages);

/** The browser's own variant of the language for dates and numbers, such as Austrian German. */
export const locale: string =
  (typeof navigator === 'undefined' ? [] : navigator.languages).find((one) => one.startsWith(language)) ?? language;

export function decideLanguage(chosen: string | null, preferred: readonly string[]): Language {
  const known = [chosen, ...preferred].map((one) => one?.slice(0, 2).toLowerCase());
  return known.find((one): one is Language => one !== undefined && one in LANGUAGES) ?? 'en';
}

/** Takes effect with the next load of the page. */
export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(KEY, chosen);
}

function stored(): string | null {
  return typeof localStorage === 'undefined' ? null : localStorage.getItem(KEY);
}
