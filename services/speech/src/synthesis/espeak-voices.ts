/** The languages espeak-ng has a voice for; invented ones are left out. */
const VOICES = new Set(
  (
    'af am an ar as az ba be bg bn bpy bs ca ca-ba ca-nw ca-va cmn cs cv cy da de el en en-029 en-gb-scotland ' +
    'en-us en-us-nyc eo es es-419 et eu fa fi fo fr fr-be fr-ch ga gd gn grc gu hak haw he hi hr ht hu hy hyw ia id ' +
    'io is it ja ka kaa kk kl kn ko kok ku ky la lb lt ltg lv mi mk ml mr ms mt my nb nci ne nl nog om or pa pap pl pt ' +
    'pt-br quc ro ru ru-lv sd shn si sk sl smj sq sr sv sw ta te th ti tk tn tr tt ug uk ur uz vi vi-vn-x-central ' +
    'vi-vn-x-south yue'
  ).split(' '),
);

/** Aliases: macro languages, old codes, and languages that share a voice. */
const ALIASES: Readonly<Record<string, string>> = {
  'en-gb': 'en',
  'es-mx': 'es-419',
  'fr-fr': 'fr',
  hbs: 'hr',
  in: 'id',
  iw: 'he',
  nn: 'nb',
  no: 'nb',
  'pt-pt': 'pt',
  sh: 'hr',
  zh: 'cmn',
  'zh-hk': 'yue',
  'zh-yue': 'yue',
};

/** The voice for a language code, by its longest supported prefix: `fr` for `fr-CA`. Undefined when there is none. */
export function espeakVoice(language: string): string | undefined {
  const parts = language.toLowerCase().replaceAll('_', '-').split('-');
  for (let length = parts.length; length > 0; length -= 1) {
    const code = parts.slice(0, length).join('-');
    const voice = ALIASES[code] ?? code;
    if (VOICES.has(voice)) return voice;
  }
  return undefined;
}
