import { describe, expect, it } from '@jest/globals';
import { json, empty } from '../responses/response.ts';
import { deleteCall, failing, servingInTests } from '../../test/test-calls-api.ts';

const serve = servingInTests();

describe('checkResponses', () => {
  const given = (body: unknown, status = 200) => ({ ...failing(() => 0), handle: () => json(status, body) });
  it.each([
    ['a wrong type', given({ who: 1, id: 'x' }), 'expected string'],
    ['a missing field', given({ who: 'Ada' }), 'expected string'],
    ['an undeclared field', given({ who: 'Ada', id: 'x', password: 'y' }), '/password is not declared'],
    ['an undeclared status', given({ who: 'Ada', id: 'x' }, 201), 'a status it does not declare'],
    ['no body', { ...failing(() => 0), handle: () => empty(200) }, 'no body where it declares one'],
    [
      'a body for 204',
      { ...deleteCall, method: 'get' as const, path: '/fails', handle: () => json(204, {}) },
      'declares none',
    ],
  ])('checkResponses fails loudly on %s', async (_what, wrong, why) => {
    const { call, log } = await serve([wrong]);
    expect(await call('/api/v1/fails')).toMatchObject({ status: 500 });
    expect(String(log.lines.find(({ level }) => level === 'error')?.fields.err)).toContain(why);
  });

  it('checkResponses lets a right answer pass, and costs nothing when it is off', async () => {
    expect(await (await serve([given({ who: 'Ada', id: 'x', more: undefined })])).call('/api/v1/fails')).toMatchObject({
      status: 200,
    });
    const unchecked = await serve([given({ surprising: true })], { checkResponses: false });
    expect(await unchecked.call('/api/v1/fails')).toMatchObject({ status: 200, json: { surprising: true } });
  });
});
