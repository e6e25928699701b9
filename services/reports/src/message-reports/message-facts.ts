import { type Call, CallDirection } from '@parley/proto/call_control/v1/calls_pb';
import {
  type Message,
  MessageAuthorType,
  MessageDirection,
  MessageStatus,
} from '@parley/proto/messaging_inbox/v1/messages_pb';
import type { Fact } from '../facts/fact.ts';
import { callFact } from '../call-reports/call-fact.ts';

type Source = Pick<Fact, 'sequence' | 'readAt' | 'storedAt'>;
/** The pseudonym of a phone number; undefined for what is none. */
type PersonOf = (phone: string) => string | undefined;

/** The fact that a text adds to totals. */
export function messageFact(message: Message, source: Source, personOf: PersonOf): Fact {
  const isInbound = message.direction !== MessageDirection.OUTBOUND;
  const person = personOf(isInbound ? message.from : message.to);
  const { author, status, smsCount = 0 } = message;
  const isEmployees = author?.type === MessageAuthorType.EMPLOYEE;
  return {
    id: message.id,
    companyId: message.companyId,
    kind: 'messages',
    at: new Date(Number(message.createdAtMicros / 1000n)),
    ...source,
    businessNumberId: message.businessNumberId,
    ...(person !== undefined && { person }),
    // An automatic reply is no response.
    ...(isInbound ? { contact: 'asks' } : isEmployees && { contact: 'responds' }),
    employeeIds: isEmployees && author.id !== undefined ? [author.id] : [],
    cell: {
      counts: isInbound
        ? { received: 1, partsReceived: Math.max(1, smsCount) }
        : {
            sent: 1,
            ...(status === MessageStatus.DELIVERED && { delivered: 1 }),
            ...(status === MessageStatus.FAILED && { failed: 1 }),
            ...(smsCount > 0 && { parts: smsCount }),
          },
      spreads: {},
    },
  };
}

/** A call that asks for a response, or is one; undefined for others. It is no text, and counts as none. */
export function contactFact(call: Call, source: Source, personOf: PersonOf): Fact | undefined {
  const isOutbound = call.direction === CallDirection.OUTBOUND;
  const fact = isOutbound || call.missed ? callFact(call, source) : undefined;
  const person = personOf(isOutbound ? call.to : call.from);
  return (
    fact && {
      ...fact,
      id: `${call.id}/contact`,
      kind: 'messages',
      ...(person !== undefined && { person }),
      contact: isOutbound ? 'responds' : 'asks',
      cell: { counts: {}, spreads: {} },
    }
  );
}
