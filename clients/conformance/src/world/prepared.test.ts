import { expect, it } from '@jest/globals';
import { SetUpFailure } from '../expectations/failure.ts';
import type { Reply } from '../http/reply.ts';
import { prepared } from './prepared.ts';

const reply = { request: 'POST /clock/advance', status: 503, text: 'busy' } as Reply;

it('an answer that is not the one that was prepared for says nothing about the rule', async () => {
  await expect(prepared(Promise.resolve(reply), 200)).rejects.toThrow(SetUpFailure);
  await expect(prepared(Promise.resolve(reply), 200)).rejects.toThrow('POST /clock/advance was answered 503 busy');
});

it('a request that gets no answer says nothing about the rule either', async () => {
  await expect(prepared(Promise.reject(new Error('aborted')), 200)).rejects.toThrow(new SetUpFailure('aborted'));
});
