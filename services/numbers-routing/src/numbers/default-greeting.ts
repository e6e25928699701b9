/** The default greeting outside business hours, by language. */
const greetings: Readonly<Record<string, string>> = {
  cs: 'Dobrý den. Právě máme zavřeno. Po zaznění tónu nám prosím zanechte vzkaz.',
  da: 'Tak for dit opkald. Vi har lukket lige nu. Læg en besked efter tonen, så vender vi tilbage.',
  de: 'Vielen Dank für Ihren Anruf. Wir haben derzeit geschlossen. Bitte hinterlassen Sie eine Nachricht nach dem Ton.',
  el: 'Ευχαριστούμε για την κλήση σας. Αυτή τη στιγμή είμαστε κλειστά. Αφήστε ένα μήνυμα μετά τον τόνο.',
  en: 'Thank you for calling. We are closed right now. Please leave a message after the tone.',
  es: 'Gracias por llamar. En este momento estamos cerrados. Deje un mensaje después de la señal.',
  et: 'Aitäh helistamast. Oleme praegu suletud. Palun jätke teade pärast helisignaali.',
  fi: 'Kiitos soitostasi. Olemme juuri nyt kiinni. Jätä viesti äänimerkin jälkeen.',
  fr: 'Merci de votre appel. Nous sommes actuellement fermés. Veuillez laisser un message après le signal sonore.',
  hr: 'Hvala na pozivu. Trenutno ne radimo. Ostavite poruku nakon zvučnog signala.',
  hu: 'Köszönjük a hívását. Jelenleg zárva vagyunk. Kérjük, hagyjon üzenetet a sípszó után.',
  is: 'Takk fyrir að hringja. Það er lokað hjá okkur núna. Vinsamlegast skildu eftir skilaboð eftir tóninn.',
  it: 'Grazie per la chiamata. In questo momento siamo chiusi. Lasciate un messaggio dopo il segnale acustico.',
  lt: 'Ačiū, kad skambinate. Šiuo metu nedirbame. Palikite žinutę po signalo.',
  lv: 'Paldies par zvanu. Šobrīd esam slēgti. Lūdzu, atstājiet ziņu pēc signāla.',
  nb: 'Takk for at du ringer. Vi har stengt akkurat nå. Legg igjen en beskjed etter tonen.',
  nl: 'Bedankt voor uw oproep. Wij zijn op dit moment gesloten. Laat een bericht achter na de toon.',
  pl: 'Dziękujemy za telefon. W tej chwili jest zamknięte. Prosimy zostawić wiadomość po sygnale.',
  pt: 'Obrigado pela sua chamada. Neste momento estamos fechados. Deixe uma mensagem após o sinal.',
  ro: 'Vă mulțumim pentru apel. În acest moment este închis. Vă rugăm să lăsați un mesaj după semnal.',
  sk: 'Ďakujeme za zavolanie. Práve máme zatvorené. Po zaznení tónu nám nechajte odkaz.',
  sl: 'Hvala za klic. Trenutno imamo zaprto. Po zvočnem signalu pustite sporočilo.',
  sv: 'Tack för att du ringer. Vi har stängt just nu. Lämna ett meddelande efter tonen.',
};

/** Languages without a translation get English. */
export function defaultGreeting(language: string): string {
  const [primary = 'en'] = language.split('-');
  const spoken = primary === 'no' || primary === 'nn' ? 'nb' : primary;
  return greetings[spoken] ?? greetings['en'] ?? '';
}
