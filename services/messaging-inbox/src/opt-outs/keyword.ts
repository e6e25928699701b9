/** A word by which people say whether they want texts. */
export type Keyword = 'stop' | 'start' | 'help';

/** What carriers and providers recognise. Words that people also use in conversation (yes, no) are not among them. */
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

/** The keyword that a text consists of, in whatever case and punctuation; undefined when it says anything else. */
export function keywordOf(text: string): Keyword | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  const bare = text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s\p{P}\p{Cf}]/gu, '');
  return Object.hasOwn(words, bare) ? words[bare] : undefined;
}
