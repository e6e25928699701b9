import { translated } from '../texting/translated.ts';
import type { PushedItem } from './thread-push.ts';

type Titles = Readonly<Record<'missed_call' | 'voicemail' | 'text' | 'assigned' | 'mentioned' | 'assistant', string>>;

const titles: Readonly<Record<string, Titles>> & { readonly en: Titles } = {
  en: {
    missed_call: 'Missed call',
    voicemail: 'New voicemail',
    text: 'New text',
    assigned: 'A conversation was assigned to you',
    mentioned: 'You were mentioned in a comment',
    assistant: 'The assistant took a message',
  },
  da: {
    missed_call: 'Ubesvaret opkald',
    voicemail: 'Ny telefonsvarerbesked',
    text: 'Ny sms',
    assigned: 'En samtale er tildelt dig',
    mentioned: 'Du er nævnt i en kommentar',
    assistant: 'Assistenten har taget imod en besked',
  },
  de: {
    missed_call: 'Verpasster Anruf',
    voicemail: 'Neue Voicemail',
    text: 'Neue SMS',
    assigned: 'Eine Unterhaltung wurde dir zugewiesen',
    mentioned: 'Du wurdest in einem Kommentar erwähnt',
    assistant: 'Der Assistent hat eine Nachricht aufgenommen',
  },
};

/** A message is at most 4,096 bytes when it is encrypted (RFC 8030 section 7.2); these are far fewer. */
const NAME_LENGTH_MAX = 100;

/** It names the person and the event, but has no text and no transcript, which a locked screen would show. */
export function pushPayload(about: {
  readonly item: PushedItem;
  readonly phone: string;
  readonly contactName: string;
  readonly businessNumberName: string;
  readonly language: string;
}) {
  const { item, phone, contactName, businessNumberName, language } = about;
  const type = item.kind === 'assigned' && item.coworker?.hasCommented ? 'mentioned' : item.kind;
  const others = [businessNumberName, item.coworker?.name ?? ''].filter((name) => name !== '');
  return {
    type,
    title: translated(titles, language)[type],
    body: [contactName || phone, ...others].map((name) => name.slice(0, NAME_LENGTH_MAX)).join(' · '),
    phone_number: phone,
    at: item.at.toISOString(),
  };
}
