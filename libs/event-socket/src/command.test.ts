import { describe, expect, it } from '@jest/globals';
import { CommandReader } from './command-reader.ts';
import { encodeCommand, UnsafeCommand } from './command.ts';
import { cuts } from '../test/frames.ts';

const read = (text: string | Buffer) =>
  new CommandReader().push(Buffer.from(text as string)).items.map(({ line, headers, body }) => ({
    line,
    headers: Object.fromEntries(headers),
    body: body.toString(),
  }));

describe('a command', () => {
  it.each([
    ['api echo caller\nX-Injected: 1', {}],
    ['api echo caller\n\napi echo injected', {}],
    ['api echo caller\r', {}],
    ['api echo caller\0', {}],
    ['', {}],
    ['  ', {}],
    ['sendmsg leg-1', { 'execute-app-arg': 'x\n\napi system id' }],
    ['sendmsg leg-1', { 'execute-app-arg': 'x\0' }],
    ['sendmsg leg-1', { 'bad\nname': 'x' }],
    ['sendmsg leg-1', { 'bad: name': 'x' }],
    ['sendmsg leg-1', { 'Content-Length': '5' }],
  ])('a command with %j and %j is refused', (line, headers) => {
    expect(() => encodeCommand(line, headers as Record<string, string>)).toThrow(UnsafeCommand);
  });

  it('a command is read back as it was written, however the network cuts the stream', () => {
    const bytes = Buffer.concat([
      encodeCommand('auth secret'),
      encodeCommand('sendmsg leg-1', { 'call-command': 'execute', 'execute-app-arg': 'tone_stream://%(100,0,440): ☎' }),
      Buffer.from('sendevent CUSTOM\r\nEvent-Subclass: app::ping\r\nContent-Length: 7\r\n\r\na\n\nb\n\nc'),
      Buffer.from('\r\n\napi echo crlf\r\n\r\n'),
    ]);
    for (const chunks of cuts(bytes)) {
      const reader = new CommandReader();
      const commands = chunks.flatMap((chunk) => reader.push(chunk).items);
      expect(commands.map(({ line, headers, body }) => [line, Object.fromEntries(headers), body.toString()])).toEqual([
        ['auth secret', {}, ''],
        ['sendmsg leg-1', { 'call-command': 'execute', 'execute-app-arg': 'tone_stream://%(100,0,440): ☎' }, ''],
        ['sendevent CUSTOM', { 'event-subclass': 'app::ping', 'content-length': '7' }, 'a\n\nb\n\nc'],
        ['api echo crlf', {}, ''],
      ]);
    }
  });

  it('a command with an injected empty line is two commands for the switch, which is why the encoder refuses it', () => {
    expect(read('api echo name\nX-Injected: 1\n\napi echo injected\n\n').map(({ line }) => line)).toEqual([
      'api echo name',
      'api echo injected',
    ]);
  });

  it('a command may have lines that are no headers', () => {
    expect(read('api echo x\nno header\nA: b\n\n')).toEqual([{ line: 'api echo x', headers: { a: 'b' }, body: '' }]);
  });

  it.each([
    ['that never ends', 'x'.repeat(70_000)],
    ['of endless headers', 'A: b\n'.repeat(20_000)],
    ['with a length that is no number', 'sendevent X\nContent-Length: much\n\n'],
  ])('a command %s ends the connection', (_what, text) => {
    const reader = new CommandReader();
    expect(reader.push(Buffer.from(text)).error?.name).toBe('FramingError');
    expect(reader.push(Buffer.from('exit\n\n'))).toMatchObject({ items: [], error: { name: 'FramingError' } });
  });
});
