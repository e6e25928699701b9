import type { Message, OutboundMessage } from '../src/messages/message.ts';
import { createOutboundMessage, type NewOutboundMessage } from '../src/messages/outbound-message.ts';

/** When the tests' messages were stored. */
export const now = new Date('2026-03-01T12:00:00Z');

/** A message that an employee has just sent. */
export function anOutboundMessage(change: Partial<NewOutboundMessage> = {}): OutboundMessage {
  const decision = createOutboundMessage(
    {
      id: 'msg_1',
      companyId: 'com_1',
      businessNumberId: 'num_1',
      businessNumberName: 'Support',
      from: '+4570123456',
      to: '+4520304050',
      externalNumber: '+4520304050',
      encryptedText: 'sealed',
      createdAtMicros: now.getTime() * 1000,
      encoding: 'gsm7',
      author: { type: 'employee', id: 'emp_1', name: 'Ada' },
      ...change,
    },
    'client:key',
    now,
  );
  if (!decision.ok) throw new Error('a decision that never refuses');
  return decision.state;
}

/** The next state; fails on a refusal. */
export function stateOf(decision: { ok: boolean; state?: Message }): OutboundMessage {
  if (!decision.ok || decision.state?.direction !== 'outbound') throw new Error('refused');
  return decision.state;
}
