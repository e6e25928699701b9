import { describe, expect, it } from '@jest/globals';
import { readSubmission } from './telnyx.ts';

const answer = (status: number, body: unknown) => ({
  status,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});
const data = { id: 'p1', parts: 2, encoding: 'UCS-2', to: [{ status: 'queued' }] };

describe('the answer to a submission', () => {
  it.each([
    [200, { data }, { outcome: 'accepted', providerId: 'p1', smsCount: 2, encoding: 'ucs2' }],
    [200, { data: { id: 'p1' } }, { outcome: 'accepted', providerId: 'p1', smsCount: null, encoding: null }],
    [
      200,
      { data: { ...data, to: [{ status: 'sending_failed' }], errors: [{ code: '40306' }] } },
      { outcome: 'failed', failureCode: 'telnyx_40306', providerId: 'p1' },
    ],
    [200, 'not JSON', { outcome: 'unknown' }],
    [422, { errors: [{ code: '40300' }] }, { outcome: 'failed', failureCode: 'telnyx_40300', providerId: null }],
    [429, { errors: [{ code: 10011 }] }, { outcome: 'failed', failureCode: 'telnyx_10011', providerId: null }],
    [400, 'Bad Request', { outcome: 'failed', failureCode: 'provider_rejected', providerId: null }],
    [401, { errors: [{ code: 'x' }] }, { outcome: 'failed', failureCode: 'provider_rejected', providerId: null }],
    [408, {}, { outcome: 'unknown' }],
    [500, { errors: [{ code: '10007' }] }, { outcome: 'unknown' }],
    [503, '', { outcome: 'unknown' }],
    [302, '', { outcome: 'unknown' }],
  ])('the answer %i with %j to a submission is read', (status, body, result) => {
    expect(readSubmission(answer(status, body))).toEqual(result);
  });
});
