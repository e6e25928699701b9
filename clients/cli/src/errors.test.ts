import { describe, expect, it } from '@jest/globals';
import {
  AuthenticationError,
  ConnectionError,
  CursorExpiredError,
  ParleyError,
  PermissionError,
  ServerError,
  TimeoutError,
  ValidationError,
} from '@parley/sdk';
import { CommandError, failureJson, failureOf, linesOf, wrongUsage } from './errors.ts';

describe('a failure', () => {
  it.each([
    [new ValidationError('phone is wrong'), 1],
    [new PermissionError('forbidden'), 1],
    [new ServerError('the response is not the JSON of the API'), 1],
    [new ParleyError('conflict', { status: 418 }), 1],
    [new Error('no space left'), 1],
    [wrongUsage('which event?'), 2],
    [new TypeError('baseUrl must be an address'), 2],
    [new AuthenticationError('Invalid API key'), 3],
    [new ConnectionError('no response'), 4],
    [new TimeoutError('no response within 20000 ms'), 4],
    [new CommandError(3, 'not signed in'), 3],
  ])('a failure %s ends the run with %i', (error, exitCode) => {
    expect(failureOf(error).exitCode).toBe(exitCode);
  });

  it.each([
    new AuthenticationError('no'),
    new ConnectionError('no'),
    new PermissionError('no'),
    new CursorExpiredError('no'),
  ])('a failure %s says what to do', (error) => {
    expect(failureOf(error).hint).toBeDefined();
  });

  it('a failure has its problems, the id of the request and what to do, each in a line', () => {
    const details = { status: 500, fields: { phone: ['is wrong', 'is short'] }, requestId: 'req_1' };
    const failure = failureOf(new ServerError('internal_error', details));
    expect(linesOf(failure)).toEqual([
      'parley: internal_error',
      '  phone: is wrong, is short',
      '  request id: req_1',
      'Try again; if it stays, tell the operator the request id.',
    ]);
    expect(failureJson(failure)).toMatchObject({
      error: { message: 'internal_error', exit_code: 1, request_id: 'req_1' },
    });
  });

  it('a failure of a hostile server is cut', () => {
    expect(failureOf(new ServerError('x'.repeat(100_000))).message).toHaveLength(500);
  });
});
