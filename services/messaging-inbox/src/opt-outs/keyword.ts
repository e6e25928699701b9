/** A keyword to opt out of texts or back in. */
export type Keyword = 'stop' | 'start' | 'help';

/** The keywords of carriers and providers, without words of ordinary conversation (yes, no). */
const words: Readonly<Record<string, Keyword>> = {
  STOP: 'stop',
  STOPALL: 'stop',
  UNSUBSCRIBE: 'stop',
  CANCEL: 'stop',
  END: 'stop',
  QUIT: 'stop',
  OPTOUT: 'stop',
  REVOKE: 'stop',
  START: 'start',
  UNSTOP: 'start',
  OPTIN: 'start',
  SUBSCRIBE: 'start',
  HELP: 'help',
  INFO: 'help',
};

const LENGTH_MAX = 40;

/** The keyword that a text consists of, in any case and punctuation; undefined for any other text. */
export function keywordOf(text: string): Keyword | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  const bare = text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s\p{P}\p{Cf}]/gu, '');
  return Object.hasOwn(words, bare) ? words[bare] : undefined;
}
