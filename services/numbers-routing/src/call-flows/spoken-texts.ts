/** Texts of the service itself that are played in calls, besides those that companies write. */
interface SpokenTexts {
  /** Played to a phone outside the company that a forwarded call rings. */
  readonly acceptCall: (name: string) => string;
  /** Played to a waiting caller. */
  readonly position: (place: number) => string;
  readonly callbackOffer: string;
}

const ENGLISH = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

const texts: Readonly<Record<string, SpokenTexts>> = {
  cs: {
    acceptCall: (name) => `Hovor pro ${name}. Pro přijetí stiskněte 1.`,
    position: (place) => `Jste ${place}. v pořadí.`,
    callbackOffer: 'Chcete-li, abychom vám zavolali zpět a neztratili jste své pořadí, stiskněte 1.',
  },
  da: {
    acceptCall: (name) => `Et opkald til ${name}. Tryk 1 for at tage det.`,
    position: (place) => `Du er nummer ${place} i køen.`,
    callbackOffer: 'Tryk 1, hvis vi skal ringe tilbage, når det er din tur. Du beholder din plads i køen.',
  },
  de: {
    acceptCall: (name) => `Ein Anruf für ${name}. Drücken Sie die 1, um ihn anzunehmen.`,
    position: (place) => `Sie sind Nummer ${place} in der Warteschlange.`,
    callbackOffer: 'Drücken Sie die 1, wenn wir Sie zurückrufen sollen. Sie behalten Ihren Platz in der Warteschlange.',
  },
  el: {
    acceptCall: (name) => `Κλήση για ${name}. Πατήστε 1 για να την αποδεχτείτε.`,
    position: (place) => `Είστε στη θέση ${place} της αναμονής.`,
    callbackOffer: 'Πατήστε 1 για να σας καλέσουμε εμείς όταν έρθει η σειρά σας.',
  },
  en: {
    acceptCall: (name) => `Press 1 to accept a call for ${name}.`,
    position: (place) => `You are number ${ENGLISH[place - 1] ?? place} in the queue.`,
    callbackOffer: 'Press 1 to be called back when it is your turn. You keep your place in the queue.',
  },
  es: {
    acceptCall: (name) => `Una llamada para ${name}. Pulse 1 para aceptarla.`,
    position: (place) => `Usted es el número ${place} en la cola.`,
    callbackOffer: 'Pulse 1 para que le devolvamos la llamada cuando sea su turno. Conservará su lugar en la cola.',
  },
  et: {
    acceptCall: (name) => `Kõne: ${name}. Vastuvõtmiseks vajutage 1.`,
    position: (place) => `Olete järjekorras ${place}.`,
    callbackOffer: 'Vajutage 1, kui soovite, et helistaksime teile tagasi. Teie koht järjekorras säilib.',
  },
  fi: {
    acceptCall: (name) => `Puhelu: ${name}. Vastaa painamalla 1.`,
    position: (place) => `Olet jonossa numero ${place}.`,
    callbackOffer: 'Paina 1, niin soitamme takaisin, kun on vuorosi. Paikkasi jonossa säilyy.',
  },
  fr: {
    acceptCall: (name) => `Un appel pour ${name}. Appuyez sur le 1 pour l'accepter.`,
    position: (place) => `Vous êtes le numéro ${place} dans la file d'attente.`,
    callbackOffer: 'Appuyez sur le 1 pour être rappelé quand ce sera votre tour. Vous gardez votre place dans la file.',
  },
  hr: {
    acceptCall: (name) => `Poziv za ${name}. Pritisnite 1 za prihvaćanje.`,
    position: (place) => `Vi ste ${place}. u redu.`,
    callbackOffer: 'Pritisnite 1 i nazvat ćemo vas kada dođete na red. Zadržavate svoje mjesto.',
  },
  hu: {
    acceptCall: (name) => `Hívás: ${name}. A fogadáshoz nyomja meg az 1-es gombot.`,
    position: (place) => `Ön a várakozási sorban a(z) ${place}. helyen áll.`,
    callbackOffer: 'Nyomja meg az 1-es gombot, és visszahívjuk, amikor Ön következik. A helyét megtartja.',
  },
  is: {
    acceptCall: (name) => `Símtal: ${name}. Ýttu á 1 til að svara.`,
    position: (place) => `Þú ert númer ${place} í röðinni.`,
    callbackOffer: 'Ýttu á 1 og við hringjum til baka þegar röðin kemur að þér.',
  },
  it: {
    acceptCall: (name) => `Una chiamata per ${name}. Prema 1 per accettarla.`,
    position: (place) => `Lei è il numero ${place} in coda.`,
    callbackOffer: 'Prema 1 per essere richiamato quando sarà il suo turno. Manterrà il suo posto in coda.',
  },
  lt: {
    acceptCall: (name) => `Skambutis: ${name}. Norėdami atsiliepti, spauskite 1.`,
    position: (place) => `Jūs esate ${place} eilėje.`,
    callbackOffer: 'Spauskite 1, ir mes jums perskambinsime, kai ateis jūsų eilė.',
  },
  lv: {
    acceptCall: (name) => `Zvans: ${name}. Lai atbildētu, nospiediet 1.`,
    position: (place) => `Jūs esat ${place}. rindā.`,
    callbackOffer: 'Nospiediet 1, un mēs jums atzvanīsim, kad pienāks jūsu kārta.',
  },
  nb: {
    acceptCall: (name) => `En samtale til ${name}. Trykk 1 for å ta den.`,
    position: (place) => `Du er nummer ${place} i køen.`,
    callbackOffer: 'Trykk 1, så ringer vi tilbake når det er din tur. Du beholder plassen i køen.',
  },
  nl: {
    acceptCall: (name) => `Een oproep voor ${name}. Druk op 1 om deze aan te nemen.`,
    position: (place) => `U bent nummer ${place} in de wachtrij.`,
    callbackOffer:
      'Druk op 1 om teruggebeld te worden wanneer u aan de beurt bent. U behoudt uw plaats in de wachtrij.',
  },
  pl: {
    acceptCall: (name) => `Połączenie dla ${name}. Naciśnij 1, aby je odebrać.`,
    position: (place) => `Jesteś na ${place} miejscu w kolejce.`,
    callbackOffer: 'Naciśnij 1, a oddzwonimy, gdy przyjdzie Twoja kolej. Zachowasz miejsce w kolejce.',
  },
  pt: {
    acceptCall: (name) => `Uma chamada para ${name}. Prima 1 para a aceitar.`,
    position: (place) => `É o número ${place} na fila.`,
    callbackOffer: 'Prima 1 para lhe ligarmos quando for a sua vez. Mantém o seu lugar na fila.',
  },
  ro: {
    acceptCall: (name) => `Un apel pentru ${name}. Apăsați 1 pentru a-l accepta.`,
    position: (place) => `Sunteți numărul ${place} la rând.`,
    callbackOffer: 'Apăsați 1 și vă vom suna când vă vine rândul. Vă păstrați locul la rând.',
  },
  sk: {
    acceptCall: (name) => `Hovor pre ${name}. Na prijatie stlačte 1.`,
    position: (place) => `Ste ${place}. v poradí.`,
    callbackOffer: 'Stlačte 1 a zavoláme vám späť, keď prídete na rad. Poradie vám zostane.',
  },
  sl: {
    acceptCall: (name) => `Klic za ${name}. Za sprejem pritisnite 1.`,
    position: (place) => `Ste ${place}. v vrsti.`,
    callbackOffer: 'Pritisnite 1 in poklicali vas bomo, ko boste na vrsti. Mesto v vrsti obdržite.',
  },
  sv: {
    acceptCall: (name) => `Ett samtal till ${name}. Tryck 1 för att ta det.`,
    position: (place) => `Du är nummer ${place} i kön.`,
    callbackOffer: 'Tryck 1 så ringer vi upp när det är din tur. Du behåller din plats i kön.',
  },
};

/** Languages without a translation get English. */
export function spokenTexts(language: string): SpokenTexts {
  const [primary = 'en'] = language.split('-');
  return texts[primary === 'no' || primary === 'nn' ? 'nb' : primary] ?? texts['en']!;
}
