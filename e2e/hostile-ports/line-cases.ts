import type { Random } from '../support/random.ts';

const MAIL = [
  'Subject: hello\r\n\r\ntext',
  'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n',
  'Content-Type: text/plain; charset=utf-99\r\nContent-Transfer-Encoding: base64\r\n\r\n%%%',
  'Content-Type: text/html; charset=""\r\nContent-Transfer-Encoding: x\r\n\r\n<a href=',
  'Subject: =?utf-8?B?%%%?=\r\n =?x?Q?=\r\n\r\n',
  `To: ${'a,'.repeat(500)}\r\n\r\n`,
  'Content-Type: message/rfc822\r\n\r\nContent-Type: message/rfc822\r\n\r\n',
  '\u0000\u0001\r\n..\r\n',
  '',
];
const SMTP = [
  'EHLO a',
  'HELO ',
  'MAIL FROM:<a@example.com>',
  'MAIL FROM:<>',
  'MAIL FROM:<a@example.com> SIZE=99999999999 BODY=x',
  'MAIL FROM:',
  'RCPT TO:<b@example.com>',
  'RCPT TO:<@[>',
  'DATA',
  'BDAT 5',
  'RSET',
  'NOOP',
  'VRFY x',
  'AUTH PLAIN AAAA',
  'STARTTLS',
  'XCLIENT NAME=x',
  'PROXY TCP4 1 2 3 4',
  'QUIT',
  'HELP',
];

/** A conversation with a mail server. */
export function smtpBytes(random: Random): Buffer {
  if (random.chance(0.1)) return random.bytes(1 + random.below(300));
  const orderly = ['EHLO a', 'MAIL FROM:<a@example.com>', 'RCPT TO:<fuzz@example.com>', 'DATA'];
  const commands = random.chance(0.5) ? orderly : Array.from({ length: random.below(8) }, () => random.pick(SMTP));
  const mail = random.pick(MAIL);
  const lines = [
    ...commands.map((line) => (random.chance(0.1) ? random.mutated(line) : line)),
    random.chance(0.3) ? random.mutated(mail) : mail,
    ...(random.chance(0.7) ? ['.'] : []),
    ...(random.chance(0.05) ? ['x'.repeat(random.below(100_000))] : []),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1');
}

const COMMANDS = [
  'event json ALL',
  'event plain CHANNEL_CREATE',
  'event xml',
  'nixevent',
  'filter Unique-ID x',
  'filter delete',
  'api status',
  'api uuid_kill x',
  'api uuid_bridge a b',
  'api originate {a=b',
  'api originate [^^:a]user/x &park()',
  'api sofia_contact */*@*',
  'api uuid_setvar x y',
  'api conference x json_list',
  'api show channels as json',
  'api show calls as xml',
  'api ',
  'bgapi uuid_exists x\nJob-UUID: a',
  'bgapi originate',
  'sendmsg x\ncall-command: execute\nexecute-app-name: playback',
  'sendmsg\ncall-command: hangup',
  'sendevent CUSTOM\nEvent-Subclass: x\nContent-Length: 3\n\nabc',
  'sendevent __proto__\nConstructor: x',
  'log 9',
  'linger',
  'exit',
  'auth x',
  'connect',
  'myevents x',
  'getvar',
];

/** Commands for an event socket; some clients know its password. */
export function eventSocketBytes(random: Random, login: string): Buffer {
  if (random.chance(0.1)) return random.bytes(1 + random.below(300));
  const commands = Array.from({ length: random.below(10) }, () => {
    const command = random.pick(COMMANDS);
    return random.chance(0.3) ? random.mutated(command) : command;
  });
  const first = random.pick([login, login, 'auth wrong', 'userauth x:', '']);
  const length = random.chance(0.1)
    ? [`sendevent X\nContent-Length: ${random.pick(['-1', 'x', '99999999999', '1e3'])}`]
    : [];
  return Buffer.from(`${[first, ...commands, ...length].join('\n\n')}\n\n`);
}

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

/** HTTP/2, more or less, for a gRPC server. */
export function grpcBytes(random: Random): Buffer {
  if (random.chance(0.2)) return random.bytes(1 + random.below(200));
  const frames = Array.from({ length: random.below(12) }, () => http2Frame(random));
  const start = random.chance(0.95) ? PREFACE : random.mutated(PREFACE);
  return Buffer.concat([Buffer.from(start, 'latin1'), ...(random.chance(0.9) ? [SETTINGS] : []), ...frames]);
}

const SETTINGS = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
/** HPACK without compression: POST, http, and a path. */
const headersFor = (path: string) =>
  Buffer.concat([
    Buffer.from([0x83, 0x86, 0x04, path.length]),
    Buffer.from(path),
    ...[
      ['content-type', 'application/grpc'],
      ['te', 'trailers'],
      ['grpc-timeout', '1S'],
      ['x-parley-proof', 'x.y.z'],
    ].flatMap(([name = '', value = '']) => [
      Buffer.from([0x00, name.length]),
      Buffer.from(name),
      Buffer.from([value.length]),
      Buffer.from(value),
    ]),
  ]);
const GRPC_PATHS = [
  '/grpc.health.v1.Health/Check',
  '/parley.directory.v1.EmployeeService/ListEmployees',
  '/parley.identity.v1.X/Y',
  '/',
  'x',
  '//',
];

function http2Frame(random: Random): Buffer {
  const type = random.chance(0.7) ? random.pick([0, 1, 1, 1, 2, 3, 4, 6, 7, 8, 9]) : random.below(256);
  const stream = random.pick([0, 1, 1, 3, 5, 7, 2, 0x7fffffff]);
  const flags = random.chance(0.6) ? random.pick([0, 1, 4, 5]) : random.below(256);
  const payload =
    type === 1 && random.chance(0.8)
      ? headersFor(random.pick(GRPC_PATHS))
      : random.pick([
          random.bytes(random.below(40)),
          Buffer.from([0, 0, 0, 0, 2, 8, 1]),
          Buffer.alloc(4),
          Buffer.alloc(8),
        ]);
  const length = random.chance(0.95) ? payload.length : random.below(2 ** 24);
  const head = Buffer.alloc(9);
  head.writeUIntBE(length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}
