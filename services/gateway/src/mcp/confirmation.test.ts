import { describe, expect, it } from '@jest/globals';
import { CLIENT_CAPABILITIES_META_KEY } from '@modelcontextprotocol/server';
import { confirmation } from './confirmation.ts';

const tool = {
  definition: { name: 'call_out' } as never,
  confirm: ({ to }: { to?: string }) => (to ? `Call ${to}?` : undefined),
};
const asking = (elicitation: object) => ({ envelope: { [CLIENT_CAPABILITIES_META_KEY]: { elicitation } } });
const given = { to: '+4520304050' };

/** The key under which the client has to answer. */
function keyOf(args: object): string {
  const asked: any = confirmation(tool, { ...args }, asking({}));
  expect(asked.resultType).toBe('input_required');
  return Object.keys(asked.inputRequests)[0]!;
}
const answered = (key: string, action: string) => ({ ...asking({ form: {} }), inputResponses: { [key]: { action } } });

describe('the confirmation of a tool', () => {
  it('the confirmation of a tool is asked of clients that can ask in forms only', () => {
    for (const request of [{}, { envelope: {} }, asking({ url: {} })])
      expect(confirmation(tool, given, request)).toBeUndefined();
    for (const request of [asking({}), asking({ form: {} }), asking({ form: {}, url: {} })])
      expect(confirmation(tool, given, request)).toBeDefined();
    expect(confirmation({ ...tool, confirm: undefined }, given, asking({}))).toBeUndefined();
  });

  it('the confirmation of a tool counts for the arguments it was given for', () => {
    const key = keyOf(given);
    expect(confirmation(tool, given, answered(key, 'accept'))).toBeUndefined();
    expect(confirmation(tool, { to: '+4520304051' }, answered(key, 'accept'))).toMatchObject({
      resultType: 'input_required',
    });
    for (const action of ['decline', 'cancel', 'other'])
      expect(confirmation(tool, given, answered(key, action))).toMatchObject({ isError: true });
  });

  it('the confirmation of a tool is a question of bounded length', () => {
    const asked: any = confirmation(tool, { to: '\ud83d\ude00'.repeat(10_000) }, asking({}));
    const [question]: any[] = Object.values(asked.inputRequests);
    expect(question.params.message.length).toBeLessThanOrEqual(300);
  });
});
