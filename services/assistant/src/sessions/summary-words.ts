/** The sentences of a summary in a language. */
export interface SummaryWords {
  readonly somebody: string;
  readonly called: (who: string) => string;
  readonly about: (matter: string) => string;
  readonly answered: (questions: number) => string;
  readonly textSent: string;
  readonly connected: (name: string) => string;
  readonly notReached: (name: string) => string;
  readonly message: (text: string, name?: string) => string;
  readonly callBack: (number?: string, wanted?: string) => string;
  readonly answerMessage: (number?: string) => string;
  readonly matterIsOpen: string;
  /** To the fallback of the assistant: what is left is known there. */
  readonly passedOn: string;
  /** Undefined: nothing is left. */
  readonly left: (todo: string | undefined) => string;
}

const ENGLISH: SummaryWords = {
  somebody: 'Somebody',
  called: (who) => `${who} called.`,
  about: (matter) => `About: “${matter}”.`,
  answered: (count) => (count === 1 ? 'A question was answered.' : `${count} questions were answered.`),
  textSent: 'A text was sent.',
  connected: (name) => `The caller was connected with ${name}.`,
  notReached: (name) => `${name} could not be reached.`,
  message: (text, name) => `Message${name === undefined ? '' : ` for ${name}`}: “${text}”.`,
  callBack: (number, wanted) =>
    `call back${number === undefined ? '' : ` ${number}`}${wanted === undefined ? '' : ` (${wanted})`}`,
  answerMessage: (number) => `answer the message${number === undefined ? '' : ` (${number})`}`,
  matterIsOpen: 'the matter is open',
  passedOn: 'The call was passed on.',
  left: (todo) => (todo === undefined ? 'Nothing is left to do.' : `Left to do: ${todo}.`),
};

const DANISH: SummaryWords = {
  somebody: 'Nogen',
  called: (who) => `${who} ringede.`,
  about: (matter) => `Om: “${matter}”.`,
  answered: (count) => (count === 1 ? 'Et spørgsmål blev besvaret.' : `${count} spørgsmål blev besvaret.`),
  textSent: 'Der blev sendt en sms.',
  connected: (name) => `Opkaldet blev viderestillet til ${name}.`,
  notReached: (name) => `${name} kunne ikke træffes.`,
  message: (text, name) => `Besked${name === undefined ? '' : ` til ${name}`}: “${text}”.`,
  callBack: (number, wanted) =>
    `ring tilbage${number === undefined ? '' : ` til ${number}`}${wanted === undefined ? '' : ` (${wanted})`}`,
  answerMessage: (number) => `besvar beskeden${number === undefined ? '' : ` (${number})`}`,
  matterIsOpen: 'sagen er åben',
  passedOn: 'Opkaldet blev sendt videre.',
  left: (todo) => (todo === undefined ? 'Der mangler ikke mere.' : `Mangler: ${todo}.`),
};

const GERMAN: SummaryWords = {
  somebody: 'Jemand',
  called: (who) => `${who} hat angerufen.`,
  about: (matter) => `Worum es ging: „${matter}“.`,
  answered: (count) => (count === 1 ? 'Eine Frage wurde beantwortet.' : `${count} Fragen wurden beantwortet.`),
  textSent: 'Eine SMS wurde gesendet.',
  connected: (name) => `Der Anruf wurde mit ${name} verbunden.`,
  notReached: (name) => `${name} war nicht zu erreichen.`,
  message: (text, name) => `Nachricht${name === undefined ? '' : ` für ${name}`}: „${text}“.`,
  callBack: (number, wanted) =>
    `zurückrufen${number === undefined ? '' : ` unter ${number}`}${wanted === undefined ? '' : ` (${wanted})`}`,
  answerMessage: (number) => `auf die Nachricht antworten${number === undefined ? '' : ` (${number})`}`,
  matterIsOpen: 'das Anliegen ist offen',
  passedOn: 'Der Anruf wurde weitergeleitet.',
  left: (todo) => (todo === undefined ? 'Es ist nichts mehr zu tun.' : `Noch zu tun: ${todo}.`),
};

export function summaryWordsOf(language: string): SummaryWords {
  return language.startsWith('da') ? DANISH : language.startsWith('de') ? GERMAN : ENGLISH;
}
