import { translated } from '../texting/translated.ts';
import type { Keyword } from './keyword.ts';

type Confirmations = Readonly<Record<Keyword, string>>;

/** Without characters outside GSM-7 where the language allows, so that each is one part. */
const confirmations: Readonly<Record<string, Confirmations>> & { readonly en: Confirmations } = {
  da: {
    stop: "Du er nu afmeldt og modtager ikke flere sms'er fra dette nummer. Svar START for at tilmelde dig igen.",
    start: "Du er nu tilmeldt igen og kan modtage sms'er fra dette nummer. Svar STOP for at afmelde.",
    help: "Svar STOP for at afmelde sms'er fra dette nummer, START for at tilmelde igen. Ring til nummeret for hjælp.",
  },
  de: {
    stop: 'Sie sind abgemeldet und erhalten keine SMS mehr von dieser Nummer. Antworten Sie START, um sie wieder zu erhalten.',
    start: 'Sie erhalten wieder SMS von dieser Nummer. Antworten Sie STOP, um sich abzumelden.',
    help: 'Antworten Sie STOP, um keine SMS mehr zu erhalten, oder START, um sie wieder zu erhalten. Für Hilfe rufen Sie diese Nummer an.',
  },
  en: {
    stop: 'You are unsubscribed and will get no more texts from this number. Reply START to get them again.',
    start: 'You will get texts from this number again. Reply STOP to unsubscribe.',
    help: 'Reply STOP to get no more texts from this number, START to get them again. Call this number for help.',
  },
  nb: {
    stop: 'Du er avmeldt og mottar ikke flere sms-er fra dette nummeret. Svar START for å melde deg på igjen.',
    start: 'Du mottar igjen sms-er fra dette nummeret. Svar STOP for å melde deg av.',
    help: 'Svar STOP for å melde deg av sms-er fra dette nummeret, START for å melde deg på igjen. Ring nummeret for hjelp.',
  },
  sv: {
    stop: 'Du är avanmäld och får inga fler sms från det här numret. Svara START för att få dem igen.',
    start: 'Du får åter sms från det här numret. Svara STOP för att avanmäla dig.',
    help: 'Svara STOP för att inte få fler sms från det här numret, START för att få dem igen. Ring numret för hjälp.',
  },
};

/** In the number's language where there is a translation, otherwise in English. */
export function confirmationText(keyword: Keyword, language: string): string {
  return translated(confirmations, language)[keyword];
}
