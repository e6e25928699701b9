import { expect, it } from '@jest/globals';
import { inbound } from './test-call.ts';

const closed = { type: 'message', prompt: null } as const;
const kindsOf = (looksUpCaller: boolean) => inbound(closed, { looksUpCaller }).commands.map(({ kind }) => kind);

it('a caller is looked up only where systems with data about callers are connected', () => {
  expect(kindsOf(true)).toContain('look_up_caller');
  expect(kindsOf(false)).not.toContain('look_up_caller');
});
