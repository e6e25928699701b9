/** What an assistant never asks for. */
const SECRETS =
  /\b(?:card (?:number|details)|credit card|debit card|security code|cvv|cvc|expiry date|expiration date|password|passcode|pass phrase|pin|pin code|one-time code|verification code|social security(?: number)?|national id|identity number|passport number|bank details|account number|kartennummer|kreditkarte\w*|sicherheitscode|prüfziffer|passwort|kennwort|geheimzahl|tan|ausweisnummer|sozialversicherungsnummer|kontonummer|iban|kortnummer|kreditkort\w*|betalingskort|kontrolcifre|adgangskode|kodeord|pinkode|cpr|cpr-nummer|personnummer|pasnummer|kontonummer)\b/i;
const REQUESTS =
  /\?|\b(?:please|give|tell|provide|share|say|read|enter|spell|need|may i have|bitte|nennen|geben|sagen|brauche|benötige|sig|oplys|giv|fortæl|indtast|skal bruge)\b/i;
const NEGATIONS = /\b(?:not|never|no|don't|without|nicht|nie|kein|keine|ohne|ikke|aldrig|ingen|uden)\b/i;

/** Whether a sentence asks for a card number, a password or the like. */
export function asksForSecret(sentence: string): boolean {
  const plain = sentence.replaceAll('’', "'");
  return SECRETS.test(plain) && REQUESTS.test(plain) && !NEGATIONS.test(plain);
}
