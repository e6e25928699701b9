import { describe, expect, it } from '@jest/globals';
import { decodeEvent } from './event.ts';
import { FrameReader } from './frame-reader.ts';
import { encodeEvent } from './server-frames.ts';
import { frameOf, testFrames } from '../test/frames.ts';

describe('an event', () => {
  it('an event is decoded from both formats, and nothing else is one', () => {
    const { items } = new FrameReader().push(Buffer.concat(testFrames.map(({ bytes }) => bytes)));
    const events = items.map((frame) => decodeEvent(frame)).filter((event) => event !== undefined);
    expect(events).toMatchObject([
      { name: 'CHANNEL_CREATE', headers: { 'Caller-Caller-ID-Name': 'José 100% Q: x;y' }, body: '' },
      { name: 'CHANNEL_CREATE', headers: { 'Caller-Caller-ID-Name': 'Jos\u{fffd}' }, body: '' },
      {
        name: 'BACKGROUND_JOB',
        headers: { 'Job-Command-Arg': 'sofia/internal/1001@127.0.0.1:5999 &park()' },
        body: '-ERR NORMAL_TEMPORARY_FAILURE\n',
      },
    ]);
  });

  it.each(['json', 'plain'] as const)('an event survives %s there and back', (format) => {
    const headers = { 'Event-Name': 'BACKGROUND_JOB', 'Job-Command-Arg': '{a=\'b, c\'}user/x &park() 100% + "☎"\r\nz' };
    for (const body of [undefined, '+OK\n', 'Grüße\n\nzwei']) {
      const [frame] = new FrameReader().push(encodeEvent(headers, body, format)).items;
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
      expect(decodeEvent(frame!)).toEqual({
        name: 'BACKGROUND_JOB',
        headers: { ...headers, ...length },
        body: body ?? '',
      });
    }
  });

  it('an event takes the body by the last of two inner lengths', () => {
    const text = 'Event-Name: CUSTOM\nContent-Length: 3\nContent-Length: 11\n\nhello world';
    expect(decodeEvent(frameOf('text/event-plain', text))?.body).toBe('hello world');
  });

  it('an event reads a header that was set more than once', () => {
    const text = '{"Event-Name":"CHANNEL_CREATE","variable_x":["a","b"]}';
    expect(decodeEvent(frameOf('text/event-json', text))?.headers.variable_x).toBe('ARRAY::a|:b');
  });

  it.each([
    ['an object', '{"toString":1}'],
    ['an object in a list', '[{"toString":1,"valueOf":2}]'],
    ['lists in lists', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['null', 'null'],
  ])('an event has no text for %s', (_what, value) => {
    const frame = frameOf('text/event-json', `{"Event-Name":"CHANNEL_CREATE","variable_x":${value}}`);
    expect(decodeEvent(frame)?.headers.variable_x).toMatch(/^(ARRAY::)?$/);
  });

  it('an event keeps percent signs that encode nothing and bytes that are not UTF-8', () => {
    const frame = frameOf(
      'text/event-plain',
      Buffer.from('Event-Name: X\nA: 100%\nB: Jos%E9\nC: Jos\u00e9\n\n', 'latin1'),
    );
    expect(decodeEvent(frame)?.headers).toMatchObject({ A: '100%', B: 'Jos\u{fffd}', C: 'Jos\u{fffd}' });
  });

  it.each([
    ['text/event-json', 'nonsense'],
    ['text/event-json', 'null'],
    ['text/event-json', '{"Unique-ID":"x"}'],
    ['text/event-plain', 'Event-Name: X'],
    ['text/event-plain', 'Unique-ID: x\n\n'],
    ['text/event-xml', '<event/>'],
  ])('no event is in %s %s', (type, body) => {
    expect(decodeEvent(frameOf(type, body))).toBeUndefined();
  });
});
