import type { Frame } from '../src/frame-reader.ts';

/** A short recorded dialogue with a real switch, with every content type. */
export interface TestFrame {
  readonly bytes: Buffer;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

function testFrame(lines: readonly string[], body: string | Buffer = ''): TestFrame {
  const bodyBytes = Buffer.from(body as string);
  const all = bodyBytes.length > 0 ? lines.map((line) => line.replace('{length}', String(bodyBytes.length))) : lines;
  return {
    bytes: Buffer.concat([Buffer.from(`${all.join('\n')}\n\n`), bodyBytes]),
    headers: Object.fromEntries(
      all.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    ),
    body: bodyBytes,
  };
}

const eventJson = ['Content-Length: {length}', 'Content-Type: text/event-json'];
const eventPlain = ['Content-Length: {length}', 'Content-Type: text/event-plain'];
const jobId = '3f86a4ae-64ba-4f6f-b10b-1331f3813f30';

export const testFrames: readonly TestFrame[] = [
  testFrame(['Content-Type: auth/request']),
  testFrame(['Content-Type: command/reply', 'Reply-Text: +OK accepted']),
  testFrame(['Content-Type: command/reply', `Reply-Text: +OK Job-UUID: ${jobId}`, `Job-UUID: ${jobId}`]),
  testFrame(['Content-Type: api/response', 'Content-Length: {length}'], '-ERR No such channel!\n'),
  testFrame(['Content-Type: api/response', 'Content-Length: {length}'], 'Grüße: 100% ☎'),
  testFrame(['Content-Type: api/response', 'Content-Length: 0']),
  testFrame(
    eventJson,
    '{"Event-Name":"CHANNEL_CREATE","Caller-Caller-ID-Name":"José 100% Q: x;y","Unique-ID":"leg-1"}',
  ),
  // A body that contains a frame separator.
  testFrame(eventJson, '{"Event-Name":"BACKGROUND_JOB","_body":"one\\n\\ntwo"}\n\nContent-Type: auth/request\n\n'),
  // A carrier's Latin-1, passed on as it is.
  testFrame(eventJson, Buffer.from('{"Event-Name":"CHANNEL_CREATE","Caller-Caller-ID-Name":"Jos\u00e9"}', 'latin1')),
  testFrame(
    eventPlain,
    [
      'Event-Name: BACKGROUND_JOB',
      `Job-UUID: ${jobId}`,
      'Job-Command-Arg: sofia/internal/1001%40127.0.0.1%3A5999%20%26park()',
      'Content-Length: 30',
      '',
      '-ERR NORMAL_TEMPORARY_FAILURE\n',
    ].join('\n'),
  ),
  testFrame(
    ['Content-Type: text/disconnect-notice', 'Content-Length: {length}'],
    'Disconnected, goodbye.\nSee you at ClueCon!\n',
  ),
];

/** A frame as the reader would give it. */
export function frameOf(contentType: string, body: string | Buffer, headers: Record<string, string> = {}): Frame {
  return {
    headers: new Map(Object.entries({ 'content-type': contentType, ...headers })),
    body: Buffer.from(body as string),
  };
}

/** The ways a network may cut a stream: at once, byte by byte, and at random places. */
export function* cuts(bytes: Buffer, rounds = 40): Generator<readonly Buffer[]> {
  yield [bytes];
  yield Array.from(bytes, (byte) => Buffer.of(byte));
  // A fixed seed: a failure can be repeated.
  let seed = 7;
  const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
  for (let round = 0; round < rounds; round += 1) {
    const chunks: Buffer[] = [];
    for (let at = 0; at < bytes.length;) {
      const next = at + 1 + Math.floor(random() * (round % 2 === 0 ? 7 : 300));
      chunks.push(bytes.subarray(at, next));
      at = next;
    }
    yield chunks;
  }
}
