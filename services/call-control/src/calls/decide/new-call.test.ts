import { expect, it } from '@jest/globals';
import { inbound } from '../../../test/test-call.ts';

const closed = { type: 'message', prompt: { contentHash: 'abc', durationMs: 300 } } as const;
const kindsOf = (looksUpCaller: boolean) => inbound(closed, { looksUpCaller }).commands.map(({ kind }) => kind);

it('a caller is looked up only where systems with data about callers are connected', () => {
  expect(kindsOf(true)).toContain('look_up_caller');
  expect(kindsOf(false)).not.toContain('look_up_caller');
});

it.each([
  [false, ['call-control.call.initiated']],
  [true, ['call-control.call.initiated', 'call-control.call.outside_business_hours']],
])(
  'the last event of a new call says that a message is played to it (outside business hours: %s)',
  (outside, types) => {
    const { events } = inbound(closed, { outside });
    expect(events.map(({ type }) => type)).toEqual(types);
    expect(events.map(({ call }) => call.state)).toEqual(types.map(() => 'initiated'));
    expect(events.map(({ current }) => current?.state)).toEqual([
      ...types.slice(1).map(() => undefined),
      'playing_audio',
    ]);
  },
);
