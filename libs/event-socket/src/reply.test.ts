import { describe, expect, it } from '@jest/globals';
import { FrameReader } from './frame-reader.ts';
import { classifyReply, readReply } from './command.ts';
import { encodeApiResponse, encodeAuthRequest, encodeDisconnectNotice, encodeReply } from './server-frames.ts';

describe('a reply', () => {
  it.each([
    ['+OK\n', true, '+OK'],
    ['true', true, 'true'],
    ['_undef_', true, '_undef_'],
    ['', true, ''],
    ['-5', true, '-5'],
    ['{"row_count": 0}', true, '{"row_count": 0}'],
    ['-ERR No such channel!\n', false, '-ERR No such channel!'],
    ['-ERROR\n', false, '-ERROR'],
    ['-USAGE: <uuid>\n', false, '-USAGE: <uuid>'],
    ['+OK hold 2\n-ERR later lines do not count\n', true, '+OK hold 2\n-ERR later lines do not count'],
  ])('the reply %j has ok %s', (text, ok, trimmed) => {
    expect(classifyReply(text)).toEqual({ ok, text: trimmed });
  });

  it('a reply is a command/reply or an api/response, and nothing else', () => {
    const frames = [
      encodeAuthRequest(),
      encodeReply('+OK Job-UUID: job-1', { 'Job-UUID': 'job-1' }),
      encodeApiResponse('-ERR no reply\n'),
      encodeReply('-ERR permission denied'),
      encodeDisconnectNotice('Disconnected, goodbye.\n'),
    ];
    const { items } = new FrameReader().push(Buffer.concat(frames));
    const replies = items.map((frame) => readReply(frame));
    expect(replies.map((reply) => reply && [reply.ok, reply.text])).toEqual([
      undefined,
      [true, '+OK Job-UUID: job-1'],
      [false, '-ERR no reply'],
      [false, '-ERR permission denied'],
      undefined,
    ]);
    expect(replies[1]?.headers.get('job-uuid')).toBe('job-1');
  });
});
