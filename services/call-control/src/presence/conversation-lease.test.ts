import { describe, expect, it } from '@jest/globals';
import { notFound, Refused } from '@parley/errors';
import { type Presences, addConversationLease } from './presence-store.ts';

const answering = (addLease: () => Promise<never>) => ({ of: () => ({ addLease }) }) as unknown as Presences;
const who = { companyId: 'com_1', employeeId: 'emp_ada', callId: 'cal_1' };

describe('the lease of a conversation', () => {
  it('an employee who was deleted has no lease of a conversation: nothing of the call may wait for it', async () => {
    const deleted = answering(() => Promise.reject(new Refused(notFound)));
    await expect(addConversationLease(deleted, who)).resolves.toBeUndefined();
  });

  it('the lease of a conversation is tried again after anything else', async () => {
    const broken = answering(() => Promise.reject(new Error('no database')));
    await expect(addConversationLease(broken, who)).rejects.toThrow('no database');
  });
});
