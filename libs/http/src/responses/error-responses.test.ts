import { describe, expect, it } from '@jest/globals';
import { invalid, notFound, type RefusalCode, Refused, refusal } from '@parley/errors';
import { errorResponse, HttpError, unauthorized } from './error-responses.ts';

describe('errorResponse', () => {
  it.each([
    ['invalid_request', 400, { error: 'invalid_request', code: 'invalid_request' }],
    ['forbidden', 403, { error: 'forbidden', code: 'forbidden' }],
    ['not_controller', 403, { error: 'not_controller', code: 'not_controller' }],
    ['not_found', 404, { error: 'not_found' }],
    ['conflict', 409, { error: 'conflict', code: 'conflict' }],
    ['limit_reached', 422, { error: 'Some sentence.', code: 'limit_reached' }],
    ['recording_not_ready', 425, { error: 'recording_not_ready', code: 'recording_not_ready' }],
    ['rate_limited', 429, { error: 'rate_limited', code: 'rate_limited' }],
  ] satisfies [RefusalCode, number, unknown][])(
    'errorResponse gives %s the status %i and its body',
    (code, status, body) => {
      const { response, defect } = errorResponse(new Refused(refusal(code, 'Some sentence.')), 'r1');
      expect([response.status, response.body, defect]).toEqual([status, body, false]);
    },
  );

  it.each([
    ['recording_not_ready', '2'],
    ['rate_limited', '60'],
    ['conflict', undefined],
  ] satisfies [RefusalCode, string | undefined][])(
    'errorResponse says of %s when to try again: %s',
    (code, retryAfter) => {
      const { response } = errorResponse(new Refused(refusal(code, 'Some sentence.')), 'r1');
      expect(response.headers?.['Retry-After']).toBe(retryAfter);
    },
  );

  it('errorResponse adds what the refusal adds', () => {
    const extra = { main_numbers: [{ id: 'num_1', name: 'Sales' }] };
    const { response } = errorResponse(new Refused(refusal('employee_in_use', 'In use.', { extra })), 'r1');
    expect(response.body).toEqual({ error: 'employee_in_use', code: 'employee_in_use', ...extra });
  });

  it('errorResponse names the fields of an invalid request', () => {
    const { response } = errorResponse(new Refused(invalid({ phone: ['has already been taken'] })), 'r1');
    expect(response.body).toEqual({
      error: 'phone has already been taken',
      code: 'validation_failed',
      errors: { phone: ['has already been taken'] },
    });
  });

  it('errorResponse has Retry-After for a rate limit', () => {
    const { response } = errorResponse(new Refused(refusal('rate_limited', 'Slow down.')), 'r1');
    expect(response.headers).toEqual({ 'Retry-After': '60' });
  });

  it('errorResponse has the same 404 body whatever a refusal adds', () => {
    const { response } = errorResponse(
      new Refused({ ...notFound, message: 'no such contact', extra: { id: 'con_1' } }),
      'r1',
    );
    expect(response.body).toEqual({ error: 'not_found' });
  });

  it('errorResponse has a challenge for unauthenticated requests', () => {
    const expected = {
      kind: 'json',
      status: 401,
      body: { error: 'Missing credentials' },
      headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
    };
    expect(errorResponse(unauthorized('Missing credentials'), 'r1').response).toEqual(expected);
    const refused = new Refused(refusal('unauthenticated', 'Missing credentials'));
    expect(errorResponse(refused, 'r1').response).toEqual(expected);
  });

  it('errorResponse uses the status and body of an HttpError', () => {
    const error = new HttpError(400, { error: 'phone parameter required' }, { 'X-Why': 'none' });
    expect(errorResponse(error, 'r1')).toMatchObject({
      response: { status: 400, body: { error: 'phone parameter required' }, headers: { 'X-Why': 'none' } },
      defect: false,
    });
  });

  it('errorResponse has Retry-After when a service is unavailable', () => {
    const error = Object.assign(new Error('14 UNAVAILABLE: directory:50051'), { name: 'Unavailable' });
    expect(errorResponse(error, 'r1')).toMatchObject({
      response: { status: 503, body: { error: 'unavailable', request_id: 'r1' }, headers: { 'Retry-After': '1' } },
      defect: false,
    });
  });

  it.each([
    [new Error('E11000 duplicate key mongodb://secret')],
    ['a thrown string'],
    [undefined],
    [new Refused({ code: 'from_the_future' as RefusalCode, message: 'x' })],
  ])('errorResponse keeps %s to itself', (error) => {
    const { response, defect } = errorResponse(error, 'r1');
    expect([response.status, response.body, defect]).toEqual([
      500,
      { error: 'internal_error', request_id: 'r1' },
      true,
    ]);
  });
});
