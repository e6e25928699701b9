import { describe, expect, it } from '@jest/globals';
import { ConnectionError, type CursorExpiredError, errorOfResponse, ParleyError, TimeoutError } from './errors.ts';

describe('the error of a response', () => {
  it.each([
    [400, { error: 'invalid_json' }, 'ParleyError'],
    [401, { error: 'Invalid API key' }, 'AuthenticationError'],
    [403, { error: 'forbidden', code: 'forbidden' }, 'PermissionError'],
    [404, { error: 'not_found' }, 'NotFoundError'],
    [409, { error: 'employee_in_use', code: 'employee_in_use' }, 'ConflictError'],
    [410, { error: 'cursor_expired', code: 'cursor_expired', oldest_cursor: 'c1' }, 'CursorExpiredError'],
    [410, { error: 'gone' }, 'ParleyError'],
    [422, { error: 'phone is wrong', code: 'validation_failed' }, 'ValidationError'],
    [429, { error: 'rate_limited', code: 'rate_limited' }, 'RateLimitError'],
    [500, { error: 'internal_error' }, 'ServerError'],
    [503, 'a page of a proxy', 'ServerError'],
    [400, { error: 'invalid_grant', error_description: 'the refresh token is spent' }, 'AuthenticationError'],
  ])('the error of a response %i %j is a %s', (status, body, name) => {
    const error = errorOfResponse(status, body);
    expect(error).toBeInstanceOf(ParleyError);
    expect([error.constructor.name, error.name, error.status, error.body]).toEqual([name, name, status, body]);
  });

  it('the error of a response has the sentence, the code, the fields and the id of the request', () => {
    const body = {
      error: 'Validation failed',
      code: 'validation_failed',
      errors: { phone: ['is no number'], odd: 'x' },
    };
    expect(errorOfResponse(422, body, { requestId: 'r1', retryAfterSecs: 3 })).toMatchObject({
      message: 'Validation failed',
      code: 'validation_failed',
      fields: { phone: ['is no number'] },
      requestId: 'r1',
      retryAfterSecs: 3,
    });
  });

  it.each([null, [], 'text', 7, { error: 5, code: {}, errors: [1] }])(
    'the error of a response with the body %j has a message all the same',
    (body) => {
      const error = errorOfResponse(500, body);
      expect([error.message, error.code, error.fields]).toEqual(['the service responded with 500', undefined, {}]);
    },
  );

  it('the error of a response to an expired cursor has the oldest one', () => {
    const error = errorOfResponse(410, { error: 'cursor_expired', code: 'cursor_expired', oldest_cursor: 'c9' });
    expect((error as CursorExpiredError).oldestCursor).toBe('c9');
  });

  it('a time limit is also a lost connection', () => {
    expect(new TimeoutError('late')).toBeInstanceOf(ConnectionError);
  });
});
