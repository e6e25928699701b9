import type { LegSnapshot } from '../../calls/model/leg-event.ts';
import { type PhoneContact, readPhoneContact } from './phone-contact.ts';

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
  /** Null when what the phone wrote cannot be dialled. */
  readonly contact: PhoneContact | null;
}

const FIELD = /^ {8}<([a-z-]+)>(.*)<\/\1>$/;

/**
 * The registrations of `sofia xmlstatus profile internal reg` and `… user`. The switch writes each field into a line of
 * its own but does not escape the Call-ID, which the phone chose: read as XML, it could contain further registrations.
 */
export function readRegistrations(text: string): readonly RegisteredPhone[] {
  const phones: RegisteredPhone[] = [];
  let fields: Map<string, string> | undefined;
  for (const line of text.split('\n')) {
    if (line === '    <registration>') fields = new Map();
    else if (line === '    </registration>') {
      phones.push(...readPhone(fields ?? new Map()));
      fields = undefined;
    } else {
      const [, name, value] = FIELD.exec(line) ?? [];
      if (fields && name !== undefined && value !== undefined && !fields.has(name)) fields.set(name, value);
    }
  }
  return phones;
}

function readPhone(fields: ReadonlyMap<string, string>): readonly RegisteredPhone[] {
  const field = (name: string) => unescaped(fields.get(name) ?? '');
  const [user = '', domain = ''] = field('user').split('@');
  const callId = fields.get('call-id') ?? '';
  if (user === '' || callId === '') return [];
  const contact = readPhoneContact({
    contact: field('contact'),
    status: field('status'),
    networkIp: field('network-ip'),
    networkPort: field('network-port'),
  });
  return [{ user, domain, callId, contact: contact ?? null }];
}

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', lt: '<', gt: '>', amp: '&', apos: "'" };

function unescaped(text: string): string {
  return text.replaceAll(/&(\w+);/g, (entity, word: string) => ENTITIES[word] ?? entity);
}
