import { describe, expect, it } from '@jest/globals';
import { anOutboundMessage, stateOf } from '../../test/an-outbound-message.ts';
import { settleSubmission } from '../messages/outbound-message.ts';
import { chooseUnidentified } from './apply-report.ts';

const inFlight = (id: string, text: string) => ({ message: anOutboundMessage({ id }), text });
const lost = (id: string, text: string) => ({
  message: stateOf(settleSubmission(anOutboundMessage({ id }), 0, { outcome: 'unknown' })),
  text,
});

describe('a report with an unknown id', () => {
  it.each([
    ['none is open', [], undefined],
    ['one is open', [lost('msg_1', 'Hello')], 'msg_1'],
    ['one is open whose text the carrier has changed', [lost('msg_1', 'Hello…')], 'msg_1'],
    ['one is being submitted', [inFlight('msg_1', 'Hello')], 'msg_1'],
    ['one has its text', [lost('msg_1', 'Hi'), lost('msg_2', 'Hello')], 'msg_2'],
    ['several have its text', [lost('msg_1', 'Hello'), lost('msg_2', 'Hello')], 'msg_1'],
    ['one was lost and one is being submitted', [inFlight('msg_1', 'Hello'), lost('msg_2', 'Hello')], 'msg_2'],
    ['several are being submitted', [inFlight('msg_1', 'Hello'), inFlight('msg_2', 'Hello')], undefined],
    ['several are open and none has its text', [lost('msg_1', 'Hi'), lost('msg_2', 'Hey')], undefined],
  ])('a report with an unknown id is for the open text that fits best, if there is one: %s', (_name, open, id) => {
    expect(chooseUnidentified(open, 'Hello')?.id).toBe(id);
  });
});
