import { describe, expect, it } from '@jest/globals';
import { acceptAnswer, answerOffer, offerAudio, receives, sends } from './offer-answer.ts';
import { readSessionDescription } from './session-description.ts';

const local = { address: '10.0.0.4', port: 30_000, version: 1 };
const lines = (...more: string[]) =>
  ['v=0', 'o=FreeSWITCH 1 1 IN IP4 10.0.0.5', 's=FreeSWITCH', 'c=IN IP4 10.0.0.5', 't=0 0', ...more, ''].join('\r\n');

describe('an offer', () => {
  it('an offer is answered with the first codec that both have, and what is agreed is known on both sides', () => {
    const offer = lines(
      'm=audio 16390 RTP/AVP 96 8 0 101',
      'a=rtpmap:96 opus/48000/2',
      'a=rtpmap:101 telephone-event/8000',
    );
    const { answer, agreed } = answerOffer(offer, local)!;
    expect(agreed).toEqual({
      address: '10.0.0.5',
      port: 16_390,
      codec: 'PCMA',
      payloadType: 8,
      keysPayloadType: 101,
      direction: 'sendrecv',
    });
    expect(acceptAnswer(answer)).toEqual({ ...agreed, address: '10.0.0.4', port: 30_000 });
    expect(answer).toContain('m=audio 30000 RTP/AVP 8 101\r\na=rtpmap:8 PCMA/8000\r\n');
  });

  it('an offer of ours is taken by the same code', () => {
    expect(answerOffer(offerAudio(local), { ...local, port: 40_000 })!.agreed).toMatchObject({
      port: 30_000,
      codec: 'PCMU',
      keysPayloadType: 101,
    });
  });

  it('an offer of more than audio is answered line by line, and everything else refused', () => {
    const offer = lines(
      'm=video 5000 RTP/AVP 97',
      'm=audio 6000 RTP/AVP 0',
      'm=audio 7000 RTP/AVP 0',
      'm=image 9 udptl t38',
    );
    const { answer } = answerOffer(offer, local)!;
    expect(answer.match(/^m=.*$/gm)).toEqual([
      'm=video 0 RTP/AVP 97',
      'm=audio 30000 RTP/AVP 0',
      'm=audio 0 RTP/AVP 0',
      'm=image 0 udptl t38',
    ]);
  });

  it.each([
    ['sendonly', 'recvonly', false, true],
    ['recvonly', 'sendonly', true, false],
    ['inactive', 'inactive', false, false],
    ['sendrecv', 'sendrecv', true, true],
  ] as const)('an offer that is %s is answered %s', (offered, answered, isSent, isReceived) => {
    const { answer, agreed } = answerOffer(lines('m=audio 6000 RTP/AVP 0', `a=${offered}`), local)!;
    expect(answer).toContain(`a=${answered}\r\n`);
    expect([sends(agreed), receives(agreed)]).toEqual([isSent, isReceived]);
  });

  it('an offer with an address of zeros is on hold', () => {
    const offer = lines('m=audio 6000 RTP/AVP 0', 'c=IN IP4 0.0.0.0');
    expect(answerOffer(offer, local)!.agreed.direction).toBe('inactive');
  });

  it('an offer may use IPv6', () => {
    const offer = lines('m=audio 6000 RTP/AVP 0', 'c=IN IP6 2001:db8::1');
    const { answer, agreed } = answerOffer(offer, { ...local, address: '::1' })!;
    expect(agreed.address).toBe('2001:db8::1');
    expect(answer).toContain('c=IN IP6 ::1\r\n');
  });

  it.each([
    ['without a codec of ours', lines('m=audio 6000 RTP/AVP 96', 'a=rtpmap:96 opus/48000/2')],
    ['whose payload type is another codec', lines('m=audio 6000 RTP/AVP 0', 'a=rtpmap:0 opus/48000/2')],
    ['encrypted', lines('m=audio 6000 RTP/SAVP 0')],
    ['without a port', lines('m=audio 0 RTP/AVP 0')],
    [
      'with a name instead of an address',
      lines('m=audio 6000 RTP/AVP 0').replace('10.0.0.5\r\nt', 'host.invalid\r\nt'),
    ],
    ['of video only', lines('m=video 6000 RTP/AVP 0')],
    ['without anything', ''],
    ['that is no description', 'v=0\r\nhello\r\n'],
    ['too long', lines('m=audio 6000 RTP/AVP 0', `a=${'x'.repeat(20_000)}`)],
    ['of too many media', lines(...Array.from({ length: 50 }, () => 'm=audio 6000 RTP/AVP 0'))],
  ])('an offer %s is not answered', (_what, offer) => {
    expect(answerOffer(offer, local)).toBeUndefined();
  });

  it('an offer is read with line feeds only', () => {
    expect(readSessionDescription('v=0\nc=IN IP4 10.0.0.5\nm=audio 1 RTP/AVP 0\n')?.audio?.port).toBe(1);
  });
});
