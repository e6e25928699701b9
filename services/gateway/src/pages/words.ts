import { type Markup, markup } from '@parley/http';
import { danishAccount } from '../../dashboard/app/i18n/danish-account.ts';
import { germanAccount } from '../../dashboard/app/i18n/german-account.ts';

/** The languages of the pages; the dashboard has the same. */
export type Language = 'en' | 'da' | 'de';

const catalogues: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {},
  da: danishAccount,
  de: germanAccount,
};

/** A sentence in the visitor's language by its English original; `{name}` in it is replaced by the value of that name. */
export function t(
  { language }: { readonly language: Language },
  english: string,
  values: Readonly<Record<string, string | number | Markup>> = {},
): Markup {
  const text = catalogues[language]?.[english] ?? english;
  // Odd parts are the names between the braces.
  const parts = text.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : (values[part] ?? `{${part}}`)));
  return markup`${parts.map((part) => markup`${part}`)}`;
}

const isLanguage = (code: string): code is Language => Object.hasOwn(catalogues, code);

/** The first language of an Accept-Language header that the pages have, by the header's own order of preference. */
export function preferredLanguage(header = ''): Language {
  const ranges = header
    .slice(0, HEADER_MAX)
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.trim().toLowerCase().split(';');
      const quality = parameters.map((one) => /^\s*q=([\d.]+)$/.exec(one)?.[1]).find((one) => one !== undefined);
      return { code: tag.split('-', 1)[0] ?? '', quality: Number(quality ?? 1) };
    });
  const known = ranges.filter(({ code, quality }) => isLanguage(code) && quality > 0);
  return (known.toSorted((a, b) => b.quality - a.quality)[0]?.code ?? 'en') as Language;
}

/** Headers of real browsers are far shorter. */
const HEADER_MAX = 1_000;
