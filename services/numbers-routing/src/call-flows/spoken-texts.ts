/** What the service itself says in calls, besides the texts that companies write. */
interface SpokenTexts {
  /** To somebody outside the company who is called for a number. */
  readonly acceptCall: (name: string) => string;
  /** To a waiting caller. */
  readonly position: (place: number) => string;
}

const ENGLISH = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

const texts: Readonly<Record<string, SpokenTexts>> = {
  cs: {
    acceptCall: (name) => `Hovor pro ${name}. Pro přijetí stiskněte 1.`,
    position: (place) => `Jste ${place}. v pořadí.`,
  },
  da: {
    acceptCall: (name) => `Et opkald til ${name}. Tryk 1 for at tage det.`,
    position: (place) => `Du er nummer ${place} i køen.`,
  },
  de: {
    acceptCall: (name) => `Ein Anruf für ${name}. Drücken Sie die 1, um ihn anzunehmen.`,
    position: (place) => `Sie sind Nummer ${place} in der Warteschlange.`,
  },
  el: {
    acceptCall: (name) => `Κλήση για ${name}. Πατήστε 1 για να την αποδεχτείτε.`,
    position: (place) => `Είστε στη θέση ${place} της αναμονής.`,
  },
  en: {
    acceptCall: (name) => `Press 1 to accept a call for ${name}.`,
    position: (place) => `You are number ${ENGLISH[place - 1] ?? place} in the queue.`,
  },
  es: {
    acceptCall: (name) => `Una llamada para ${name}. Pulse 1 para aceptarla.`,
    position: (place) => `Usted es el número ${place} en la cola.`,
  },
  et: {
    acceptCall: (name) => `Kõne: ${name}. Vastuvõtmiseks vajutage 1.`,
    position: (place) => `Olete järjekorras ${place}.`,
  },
  fi: {
    acceptCall: (name) => `Puhelu: ${name}. Vastaa painamalla 1.`,
    position: (place) => `Olet jonossa numero ${place}.`,
  },
  fr: {
    acceptCall: (name) => `Un appel pour ${name}. Appuyez sur le 1 pour l'accepter.`,
    position: (place) => `Vous êtes le numéro ${place} dans la file d'attente.`,
  },
  hr: {
    acceptCall: (name) => `Poziv za ${name}. Pritisnite 1 za prihvaćanje.`,
    position: (place) => `Vi ste ${place}. u redu.`,
  },
  hu: {
    acceptCall: (name) => `Hívás: ${name}. A fogadáshoz nyomja meg az 1-es gombot.`,
    position: (place) => `Ön a várakozási sorban a(z) ${place}. helyen áll.`,
  },
  is: {
    acceptCall: (name) => `Símtal: ${name}. Ýttu á 1 til að svara.`,
    position: (place) => `Þú ert númer ${place} í röðinni.`,
  },
  it: {
    acceptCall: (name) => `Una chiamata per ${name}. Prema 1 per accettarla.`,
    position: (place) => `Lei è il numero ${place} in coda.`,
  },
  lt: {
    acceptCall: (name) => `Skambutis: ${name}. Norėdami atsiliepti, spauskite 1.`,
    position: (place) => `Jūs esate ${place} eilėje.`,
  },
  lv: {
    acceptCall: (name) => `Zvans: ${name}. Lai atbildētu, nospiediet 1.`,
    position: (place) => `Jūs esat ${place}. rindā.`,
  },
  nb: {
    acceptCall: (name) => `En samtale til ${name}. Trykk 1 for å ta den.`,
    position: (place) => `Du er nummer ${place} i køen.`,
  },
  nl: {
    acceptCall: (name) => `Een oproep voor ${name}. Druk op 1 om deze aan te nemen.`,
    position: (place) => `U bent nummer ${place} in de wachtrij.`,
  },
  pl: {
    acceptCall: (name) => `Połączenie dla ${name}. Naciśnij 1, aby je odebrać.`,
    position: (place) => `Jesteś na ${place} miejscu w kolejce.`,
  },
  pt: {
    acceptCall: (name) => `Uma chamada para ${name}. Prima 1 para a aceitar.`,
    position: (place) => `É o número ${place} na fila.`,
  },
  ro: {
    acceptCall: (name) => `Un apel pentru ${name}. Apăsați 1 pentru a-l accepta.`,
    position: (place) => `Sunteți numărul ${place} la rând.`,
  },
  sk: {
    acceptCall: (name) => `Hovor pre ${name}. Na prijatie stlačte 1.`,
    position: (place) => `Ste ${place}. v poradí.`,
  },
  sl: {
    acceptCall: (name) => `Klic za ${name}. Za sprejem pritisnite 1.`,
    position: (place) => `Ste ${place}. v vrsti.`,
  },
  sv: {
    acceptCall: (name) => `Ett samtal till ${name}. Tryck 1 för att ta det.`,
    position: (place) => `Du är nummer ${place} i kön.`,
  },
};

/** In the language itself where there is a translation, otherwise in English. */
export function spokenTexts(language: string): SpokenTexts {
  const [primary = 'en'] = language.split('-');
  return texts[primary === 'no' || primary === 'nn' ? 'nb' : primary] ?? texts['en']!;
}
