import type { LegSnapshot } from '../calls/model/leg-event.ts';
import { contactAddress } from './read-switch-event.ts';

/** The channels of `show channels as json`, which leaves `rows` out when there are none. */
export function readChannels(text: string): readonly Omit<LegSnapshot, 'memberId'>[] {
  const { rows = [] } = JSON.parse(text) as { rows?: readonly Record<string, string>[] };
  return rows.map((row) => ({
    legId: row.uuid ?? '',
    isAnswered: ['ACTIVE', 'HELD', 'UNHELD'].includes(row.callstate ?? ''),
    application: row.application ?? '',
    applicationData: row.application_data ?? '',
  }));
}

/** A phone that is registered at a switch. */
export interface RegisteredPhone {
  readonly user: string;
  readonly domain: string;
  readonly callId: string;
  readonly address: string;
}

/** The registrations of `sofia xmlstatus profile internal reg`. */
export function readRegistrations(xml: string): readonly RegisteredPhone[] {
  return [...xml.matchAll(/<registration>(.*?)<\/registration>/gs)].flatMap(([, inner = '']) => {
    const [user = '', domain = ''] = element(inner, 'user').split('@');
    const callId = element(inner, 'call-id');
    const address = contactAddress(element(inner, 'contact'));
    return user === '' || callId === '' ? [] : [{ user, domain, callId, address }];
  });
}

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', lt: '<', gt: '>', amp: '&', apos: "'" };

function element(xml: string, name: string): string {
  const start = xml.indexOf(`<${name}>`);
  const end = xml.indexOf(`</${name}>`);
  if (start < 0 || end < start) return '';
  return xml
    .slice(start + name.length + 2, end)
    .replaceAll(/&(\w+);/g, (entity, word: string) => ENTITIES[word] ?? entity);
}

/** The contacts of `sofia_contact`, as dial strings; none for `error/user_not_registered`. */
export function readContacts(text: string): readonly string[] {
  return text.split(',').filter((contact) => contact.startsWith('sofia/'));
}
