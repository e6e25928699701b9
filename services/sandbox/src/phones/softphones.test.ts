import { describe, expect, it } from '@jest/globals';
import { phonePresence } from './softphones.ts';

const CALL_ID = 'a@softphone';

/** Call-control after each question. */
function answers(...lists: string[][]) {
  const requested: string[] = [];
  const listPhoneRegistrations = async ({ employeeId = '' }) => {
    requested.push(employeeId);
    return { callIds: lists[Math.min(requested.length, lists.length) - 1] ?? [] };
  };
  return { requested, client: { listPhoneRegistrations } as unknown as Parameters<typeof phonePresence>[0] };
}

describe('a phone that went on or off line', () => {
  it('a phone that went on or off line is waited for until presence counts it', async () => {
    const { requested, client } = answers([], ['other'], [CALL_ID]);
    await phonePresence(client).untilApplied('emp_1', CALL_ID, true);
    expect(requested).toEqual(['emp_1', 'emp_1', 'emp_1']);
  });

  it('a phone that went on or off line is waited for until presence no longer counts it', async () => {
    const { requested, client } = answers([CALL_ID], ['other']);
    await phonePresence(client).untilApplied('emp_1', CALL_ID, false);
    expect(requested).toHaveLength(2);
  });

  it('a phone that went on or off line is not waited for without end', async () => {
    const { requested, client } = answers([]);
    await phonePresence(client, 50).untilApplied('emp_1', CALL_ID, true);
    expect(requested.length).toBeGreaterThan(0);
  });
});
