import { newId } from '@parley/secrets';
import { describe, expect, it } from '@jest/globals';
import { decodeEvent, encodeEvent, type Event, nounOf } from './envelope.ts';

const event: Event = {
  id: newId('evt'),
  type: 'directory.contact.created',
  companyId: 'com_1',
  aggregateId: 'con_1',
  aggregateSequence: 3,
  occurredAt: new Date('2026-03-01T12:00:00.123Z'),
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  data: new Uint8Array([1, 2, 3]),
};

describe('an event', () => {
  it('an event arrives as it was sent', () => {
    expect(decodeEvent(encodeEvent(event))).toEqual(event);
    expect(decodeEvent(encodeEvent({ ...event, traceparent: undefined })).traceparent).toBeUndefined();
  });

  it('an event brings its actor and its audit entry', () => {
    const actor = {
      type: 'app' as const,
      id: 'emp_1',
      name: 'Ada',
      credential: { type: 'oauth_token', id: 'grant_1', name: 'CRM' },
      address: '192.0.2.7',
      requestId: 'req_1',
    };
    const object = { type: 'employee', id: 'emp_2', name: 'Ben' };
    const audit = { type: 'employee.role_changed', object, changes: { role: { from: null, to: ['admin', 1] } } };
    expect(decodeEvent(encodeEvent({ ...event, actor, audit }))).toEqual({ ...event, actor, audit });
    const system = { type: 'system' as const, id: 'directory', name: 'directory' };
    expect(decodeEvent(encodeEvent({ ...event, actor: system })).actor).toEqual(system);
  });

  it.each([
    ['has no id', encodeEvent({ ...event, id: '' })],
    ['has no type', encodeEvent({ ...event, type: '' })],
    ['belongs to nothing', encodeEvent({ ...event, aggregateId: '' })],
    ['has no number', encodeEvent({ ...event, aggregateSequence: 0 })],
    ['is empty', new Uint8Array()],
    ['is text', new TextEncoder().encode('hello')],
  ])('a message is no event when it %s', (_, bytes) => {
    expect(() => decodeEvent(bytes)).toThrow();
  });

  it('an event is numbered by its noun', () => {
    expect(nounOf('identity.credential.revoked')).toBe('credential');
  });
});
