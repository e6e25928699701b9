/** What the service itself says in calls, besides the texts that companies write. */
interface SpokenTexts {
  /** To somebody outside the company who is called for a number. */
  readonly acceptCall: (name: string) => string;
}

const texts: Readonly<Record<string, SpokenTexts>> = {
  cs: { acceptCall: (name) => `Hovor pro ${name}. Pro přijetí stiskněte 1.` },
  da: { acceptCall: (name) => `Et opkald til ${name}. Tryk 1 for at tage det.` },
  de: { acceptCall: (name) => `Ein Anruf für ${name}. Drücken Sie die 1, um ihn anzunehmen.` },
  el: { acceptCall: (name) => `Κλήση για ${name}. Πατήστε 1 για να την αποδεχτείτε.` },
  en: { acceptCall: (name) => `Press 1 to accept a call for ${name}.` },
  es: { acceptCall: (name) => `Una llamada para ${name}. Pulse 1 para aceptarla.` },
  et: { acceptCall: (name) => `Kõne: ${name}. Vastuvõtmiseks vajutage 1.` },
  fi: { acceptCall: (name) => `Puhelu: ${name}. Vastaa painamalla 1.` },
  fr: { acceptCall: (name) => `Un appel pour ${name}. Appuyez sur le 1 pour l'accepter.` },
  hr: { acceptCall: (name) => `Poziv za ${name}. Pritisnite 1 za prihvaćanje.` },
  hu: { acceptCall: (name) => `Hívás: ${name}. A fogadáshoz nyomja meg az 1-es gombot.` },
  is: { acceptCall: (name) => `Símtal: ${name}. Ýttu á 1 til að svara.` },
  it: { acceptCall: (name) => `Una chiamata per ${name}. Prema 1 per accettarla.` },
  lt: { acceptCall: (name) => `Skambutis: ${name}. Norėdami atsiliepti, spauskite 1.` },
  lv: { acceptCall: (name) => `Zvans: ${name}. Lai atbildētu, nospiediet 1.` },
  nb: { acceptCall: (name) => `En samtale til ${name}. Trykk 1 for å ta den.` },
  nl: { acceptCall: (name) => `Een oproep voor ${name}. Druk op 1 om deze aan te nemen.` },
  pl: { acceptCall: (name) => `Połączenie dla ${name}. Naciśnij 1, aby je odebrać.` },
  pt: { acceptCall: (name) => `Uma chamada para ${name}. Prima 1 para a aceitar.` },
  ro: { acceptCall: (name) => `Un apel pentru ${name}. Apăsați 1 pentru a-l accepta.` },
  sk: { acceptCall: (name) => `Hovor pre ${name}. Na prijatie stlačte 1.` },
  sl: { acceptCall: (name) => `Klic za ${name}. Za sprejem pritisnite 1.` },
  sv: { acceptCall: (name) => `Ett samtal till ${name}. Tryck 1 för att ta det.` },
};

/** In the language itself where there is a translation, otherwise in English. */
export function spokenTexts(language: string): SpokenTexts {
  const [primary = 'en'] = language.split('-');
  return texts[primary === 'no' || primary === 'nn' ? 'nb' : primary] ?? texts['en']!;
}
