import { describe, expect, it } from '@jest/globals';
import { decodeMessage, encodeMessage, isEventType } from './event-types.ts';

describe('event types', () => {
  it('event types decode what was encoded for the type', () => {
    const { type, data } = encodeMessage('identity.credential.revoked', { credentialId: 'key_1', employeeId: 'emp_1' });
    expect(type).toBe('identity.credential.revoked');
    expect(decodeMessage('identity.credential.revoked', data)).toMatchObject({
      credentialId: 'key_1',
      employeeId: 'emp_1',
    });
  });

  it('event types refuse bytes that are not the message', () => {
    expect(() => decodeMessage('directory.contact.created', new Uint8Array([0xff, 0xff]))).toThrow();
  });

  it('event types distinguish registered types from others', () => {
    expect(isEventType('call-control.call.initiated')).toBe(true);
    expect(isEventType('call-control.call.renamed')).toBe(false);
    expect(isEventType('toString')).toBe(false);
  });
});
