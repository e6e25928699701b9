/** The translation for a number's language, in English where there is none. */
export function translated<Text>(
  translations: Readonly<Record<string, Text>> & { readonly en: Text },
  language: string,
): Text {
  const [primary = 'en'] = language.toLowerCase().split('-');
  const spoken = primary === 'no' || primary === 'nn' ? 'nb' : primary;
  return (Object.hasOwn(translations, spoken) ? translations[spoken] : undefined) ?? translations.en;
}
