import { describe, expect, it } from '@jest/globals';
import { CommandReader } from './command-reader.ts';
import { decodeEvent } from './event.ts';
import { FrameReader } from './frame-reader.ts';
import { readReply } from './command.ts';

const PARTS = [
  'Content-Length: 12\n',
  'Content-Length: -1\n',
  'Content-Type: text/event-json\n',
  'Content-Type: text/event-plain\n',
  'Content-Type: command/reply\n',
  'Content-Type: api/response\n',
  'Reply-Text: -ERR\n',
  '\n',
  '\n\n',
  ':\n',
  '{"Event-Name":"X","a":{"toString":1}}',
  '{"Event-Name":[[[1]]],"__proto__":"x"}',
  'Event-Name: %00%ff%\nContent-Length: 9e9\n\n',
  'null',
  '\0\u00ff',
  'api x\n\n',
  'sendevent X\nContent-Length: 3\n\nabc',
];

describe('bytes of a hostile peer', () => {
  it('bytes of a hostile peer are frames, commands or an error, and never throw', () => {
    let seed = 20_261_116;
    const below = (limit: number) => (seed = (seed * 48_271) % 2_147_483_647) % limit;
    let frames = 0;
    for (let round = 0; round < 3_000; round++) {
      const text = Array.from({ length: 1 + below(12) }, () => PARTS[below(PARTS.length)]).join('');
      const bytes = Buffer.from(text, 'latin1');
      const cut = below(bytes.length + 1);
      const [reader, commands] = [new FrameReader(), new CommandReader()];
      for (const chunk of [bytes.subarray(0, cut), bytes.subarray(cut)]) {
        for (const frame of reader.push(chunk).items) {
          frames += 1;
          readReply(frame);
          decodeEvent(frame);
        }
        commands.push(chunk);
      }
    }
    expect(frames).toBeGreaterThan(500);
  });
});
