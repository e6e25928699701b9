/** What a text says about where something is: e-mail addresses, links and streets. */
export interface Places {
  readonly emails: readonly string[];
  /** Without scheme and `www`. */
  readonly links: readonly string[];
  /** Names of streets. */
  readonly streets: readonly string[];
}

/** Texts that places are looked up in. */
export interface KnownPlaces extends Places {
  /** All of them, as `plainWords` has them. */
  readonly words: string;
}

const EMAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63})+/gu;
const LINK =
  /https?:\/\/[^\s<>"]+|(?<![\p{L}\p{N}@.-])(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+(?:[a-z]{2,24}|[A-Z]{2,24})(?![\p{L}\p{N}-])(?:\/[^\s<>"]*)?/gu;

/** How signs are spoken, in all languages. */
const SPOKEN_SIGNS: readonly (readonly [RegExp, string])[] = [
  [/ (?:dot|punkt|punktum) /giu, '.'],
  [/ (?:slash|schrägstrich|skråstreg) /giu, '/'],
  [/ (?:dash|hyphen|bindestrich|bindestreg) /giu, '-'],
  [/ (?:underscore|unterstrich) /giu, '_'],
  [/ (?:ät|snabel-a|snabel a) /giu, '@'],
];
/** ` at ` belongs to an e-mail address where something with a dot follows, except behind these. */
const NO_MAILBOX =
  'us|me|it|out|online|website|page|site|visit|look|more|that|details|available|everything|book|order|buy|shop|find|see|read|check|go|apply|register|form|is|are|there|here|them|one|this|information';
const SPOKEN_AT = new RegExp(
  String.raw`(?<![\p{L}\p{N}._-])(?!(?:${NO_MAILBOX}) at )([\p{L}\p{N}._-]{1,64}) at (?=(?!www\.)[\p{L}\p{N}-]{1,63}\.[\p{L}\p{N}])`,
  'giu',
);
/** What a sentence may begin with before the name of a street. */
const NO_NAME = '(?!(?:The|Our|Your|On|At|In|From|To|Near|Behind|Visit|Find|Down|Along|It|This|That|By) )';
const ENGLISH_STREET = new RegExp(
  String.raw`((?:${NO_NAME}\p{Lu}[\p{L}'-]{0,40}\s){1,3})([Ss]treet|[Rr]oad|[Aa]venue|[Ll]ane|[Dd]rive|[Ss]quare|[Bb]oulevard|[Tt]errace|[Cc]rescent|[Pp]laza|[Hh]ighway|[Pp]arkway|[Cc]ourt|[Pp]lace|[Ww]ay)\b`,
  'gu',
);
const COMPOUND_STREET =
  /\p{Lu}[\p{L}-]{1,40}(?:straße|strasse|platz|weg|allee|gasse|gade|vej|allé|plads|vænget|stræde|torv|boulevarden)\b/gu;

/** A sentence about where the company is. */
const LOCATION =
  /\b(?:located|address|find us|situated|based in|our (?:shop|store|office|workshop|branch)s? (?:is|are)|visit us|adresse|ligger|finder os|find os|befinde[nt]|finden sie uns|liegt|liegen)\b/iu;

function readPlaces(text: string): Places {
  const written = withSpokenSigns(text);
  const emails = [...written.matchAll(EMAIL)].map(([email]) => email.toLowerCase().replace(/[.-]+$/, ''));
  const withoutEmails = written.replaceAll(EMAIL, ' ');
  const links = [...withoutEmails.matchAll(LINK)].map(([link]) => linkOf(link));
  const streets = [
    ...[...text.matchAll(ENGLISH_STREET)].map(([, name = '', kind = '']) => `${name}${kind}`),
    ...[...text.matchAll(COMPOUND_STREET)].map(([street]) => street),
  ].map(plainWords);
  return { emails, links, streets };
}

export function knownPlaces(texts: readonly string[]): KnownPlaces {
  const read = texts.map(readPlaces);
  return {
    emails: read.flatMap(({ emails }) => emails),
    links: read.flatMap(({ links }) => links),
    streets: read.flatMap(({ streets }) => streets),
    words: ` ${texts.map(plainWords).join(' ')} `,
  };
}

/** Whether every e-mail address, link and street of a text is known, and the town if it says where something is. */
export function placesAreKnown(text: string, known: KnownPlaces, language: string): boolean {
  const { emails, links, streets } = readPlaces(text);
  return (
    emails.every((email) => known.emails.includes(email)) &&
    links.every((link) => known.links.some((other) => other === link || other.startsWith(`${link}/`))) &&
    streets.every((street) => isSaid(street, known)) &&
    namesOfPlaces(text, language).every((name) => isSaid(name, known))
  );
}

/** Text without signs, so that it can be compared. */
export function plainWords(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function isSaid(name: string, { words }: KnownPlaces): boolean {
  return words.includes(` ${name} `);
}

/** Names in a sentence that says where something is. */
function namesOfPlaces(text: string, language: string): string[] {
  if (!LOCATION.test(text)) return [];
  // German writes all nouns with a capital: only what is behind a preposition is a name.
  const pattern = language.startsWith('de') ? /\bin (\p{Lu}[\p{L}-]+)/gu : /(?<=[\p{L}\p{N},] )(\p{Lu}[\p{L}'’-]+)/gu;
  return [...text.matchAll(pattern)]
    .map(([, name = '']) => plainWords(name))
    .filter((name) => name !== '' && !/^(?:i|im|ill|ive|we|our|you|okay|ok)$/.test(name));
}

function withSpokenSigns(text: string): string {
  let written = text.replaceAll(/\bw[ .]?w[ .]?w (?:dot|punkt|punktum) /giu, 'www.');
  for (const [spoken, sign] of SPOKEN_SIGNS) written = written.replaceAll(spoken, sign);
  return written.replaceAll(SPOKEN_AT, '$1@');
}

function linkOf(link: string): string {
  return link
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/[.,;:!?)'"\]]+$/, '')
    .replace(/\/+$/, '');
}
