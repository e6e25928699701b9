import { describe, expect, it } from '@jest/globals';
import { phonePresence } from './phone-presence.ts';

const CALL_ID = 'a@softphone';

/** Call-control after each question. */
function answers(...lists: string[][]) {
  const asked: string[] = [];
  const listPhoneRegistrations = async ({ employeeId = '' }) => {
    asked.push(employeeId);
    return { callIds: lists[Math.min(asked.length, lists.length) - 1] ?? [] };
  };
  return { asked, client: { listPhoneRegistrations } as never };
}

describe('a phone that went on or off line', () => {
  it('is waited for until presence counts it', async () => {
    const { asked, client } = answers([], ['other'], [CALL_ID]);
    await phonePresence(client).untilApplied('emp_1', CALL_ID, true);
    expect(asked).toEqual(['emp_1', 'emp_1', 'emp_1']);
  });

  it('is waited for until presence no longer counts it', async () => {
    const { asked, client } = answers([CALL_ID], ['other']);
    await phonePresence(client).untilApplied('emp_1', CALL_ID, false);
    expect(asked).toHaveLength(2);
  });

  it('is not waited for without end', async () => {
    const { asked, client } = answers([]);
    await phonePresence(client, 50).untilApplied('emp_1', CALL_ID, true);
    expect(asked.length).toBeGreaterThan(0);
  });
});
