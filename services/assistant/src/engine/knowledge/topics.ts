import type { Language } from '../../words/languages.ts';

/** What callers ask for that needs no entry. */
export type Topic = 'hours' | 'address' | 'human' | 'message' | 'callback';

/**
 * Ways to ask for it, whose meanings are compared. What is usually said is recognised by rules before; these are for the rest, and so
 * that an entry about something similar is not taken for the only answer.
 */
export const TOPIC_PHRASES: Readonly<Record<Language, Readonly<Record<Topic, readonly string[]>>>> = {
  en: {
    hours: [
      'What are your opening hours?',
      'Are you open today?',
      'When do you close?',
      'Are you open at the weekend?',
      'Are you closed on public holidays?',
    ],
    address: ['What is your address?', 'Where are you located?', 'How do I find you?', 'Where is your shop?'],
    human: ['I want to talk to a real person', 'Can I speak to somebody?', 'Connect me with an employee'],
    message: ['I would like to leave a message', 'Can you pass on a message?', 'Please let them know something'],
    callback: ['Can somebody call me back?', 'I would like to be called back', 'Please phone me later'],
  },
  da: {
    hours: ['Hvad er jeres åbningstider?', 'Har I åbent i dag?', 'Hvornår lukker I?', 'Har I åbent i weekenden?'],
    address: ['Hvad er jeres adresse?', 'Hvor ligger I?', 'Hvordan finder jeg jer?'],
    human: ['Jeg vil gerne tale med et menneske', 'Kan jeg tale med nogen?'],
    message: ['Jeg vil gerne lægge en besked', 'Kan du give en besked videre?'],
    callback: ['Kan nogen ringe mig op?', 'Jeg vil gerne ringes op'],
  },
  de: {
    hours: [
      'Was sind Ihre Öffnungszeiten?',
      'Haben Sie heute geöffnet?',
      'Wann schließen Sie?',
      'Haben Sie am Wochenende auf?',
    ],
    address: ['Wie ist Ihre Adresse?', 'Wo finde ich Sie?', 'Wie komme ich zu Ihnen?'],
    human: ['Ich möchte mit einem Menschen sprechen', 'Kann ich mit jemandem sprechen?'],
    message: ['Ich möchte eine Nachricht hinterlassen', 'Können Sie etwas ausrichten?'],
    callback: ['Kann mich jemand zurückrufen?', 'Ich möchte zurückgerufen werden'],
  },
};
