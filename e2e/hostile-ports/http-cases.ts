import type { Random } from '../support/random.ts';

const METHODS = [
  'GET',
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'CONNECT',
  'PRI',
  'get',
  'G\0T',
  '',
];
const VERSIONS = ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.1\r', 'HTTP', ''];
const PATHS = [
  '/',
  '//',
  '/healthz',
  '/healthz/ready',
  '/cable',
  '/cable?token=%00',
  '/sip',
  '/api/v1/contacts',
  '/api/v1/contacts/con_1?fields[a]=b',
  '/api/v1/calls?query=%ff',
  '/operator/v1/companies',
  '/oauth/token',
  '/oauth/authorize?client_id[]=1',
  '/signin',
  '/mcp',
  '/webhooks/telnyx',
  '/media/x',
  '/openapi.json',
  '/dashboard/../../etc/passwd',
  '/hooks/fuzz',
  '/clock',
  '/emails?to=',
  '/legs/x',
  '/switch/directory',
  '/switch/prompts/0.wav',
  `/switch/recordings/${'a'.repeat(80)}.wav`,
];
const TARGETS = [
  '*',
  'http://[',
  'http://',
  'http://a:99999/',
  'ftp://a/',
  'a',
  '?',
  '/%',
  '/%zz',
  '/?%',
  '#',
  '/\\',
  'host:80',
  '',
];
const HEADERS = [
  'Host: 127.0.0.1',
  'Host: ',
  'Host: [',
  'Host: a, b',
  'Host: 127.0.0.1:99999999',
  'Connection: close',
  'Connection: keep-alive, Upgrade',
  'Upgrade: websocket',
  'Upgrade: h2c',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Version: x',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Key: ',
  'Sec-WebSocket-Protocol: sip,,,',
  'Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=99',
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 1e9',
  'Content-Length: 99999999999999999999',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked, gzip',
  'Transfer-Encoding: x',
  'Content-Encoding: gzip',
  'Content-Type: application/json',
  'Content-Type: application/json; charset=\u00ff',
  'Content-Type: multipart/form-data; boundary=',
  'Content-Type: ;;;',
  'Expect: 100-continue',
  'Expect: x',
  'Authorization: Bearer x',
  'Authorization: Basic %%%',
  'Authorization: Basic OjpvOg==',
  'X-Api-Key: pk_x',
  'X-Request-Id: \t\u0001',
  'Cookie: =; ; a; __Host-session=%',
  'Origin: null',
  'Origin: http://[',
  'Range: bytes=9-1,-,x',
  'If-None-Match: "',
  'Accept: ,;q=',
  'X-Forwarded-For: , ,x',
  'traceparent: 00-0-0-0',
  'Idempotency-Key: \u202e',
  ' folded: x',
  'no colon',
  ': empty',
  'N\0ame: x',
];
const BODIES = [
  '',
  'hello',
  '{}',
  '{"a":',
  '[[[[[[[[[[',
  '{"__proto__":{"a":1},"toString":1}',
  '\u0000\u0001',
  '5\r\nhello\r\n0\r\n\r\n',
  'fffffffff\r\n',
  '-1\r\n\r\n',
  '5;x=y\r\nhel',
  '0\r\nTrailer: x\r\n\r\n',
  'a=b&a[]=c&%=%',
];

/** A request that no client should send. */
export function httpBytes(random: Random): Buffer {
  if (random.chance(0.05)) return random.bytes(1 + random.below(200));
  const path = random.chance(0.7) ? random.pick(PATHS) : random.pick(TARGETS);
  const target = random.chance(0.2) ? random.mutated(path) : path;
  const long = random.chance(0.03) ? `X-Long: ${'x'.repeat(random.below(40_000))}` : undefined;
  const headers = Array.from({ length: random.below(8) }, () => random.pick(HEADERS));
  const host = random.chance(0.8) ? ['Host: 127.0.0.1'] : [];
  const lines = [
    `${random.pick(METHODS)} ${target} ${random.pick(VERSIONS)}`,
    ...host,
    ...headers.map((header) => (random.chance(0.1) ? random.mutated(header) : header)),
    ...(long === undefined ? [] : [long]),
  ];
  const request = `${lines.join(random.chance(0.95) ? '\r\n' : '\n')}\r\n\r\n${random.pick(BODIES)}`;
  return Buffer.from(request.repeat(random.chance(0.1) ? 1 + random.below(5) : 1), 'latin1');
}

/** A valid handshake for WebSocket, and what comes after it. */
export function webSocketBytes(random: Random, { path, protocol }: { path: string; protocol: string }): Buffer {
  const handshake = [
    `GET ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    `Sec-WebSocket-Protocol: ${protocol}`,
  ];
  const frames = Array.from({ length: random.below(6) }, () => webSocketFrame(random, protocol));
  return Buffer.concat([Buffer.from(`${handshake.join('\r\n')}\r\n\r\n`), ...frames]);
}

function webSocketFrame(random: Random, protocol: string): Buffer {
  if (random.chance(0.15)) return random.bytes(1 + random.below(60));
  const text = protocol === 'sip' ? sipText(random) : cableText(random);
  const payload = random.chance(0.9) ? Buffer.from(text) : random.bytes(random.below(200));
  const first = random.chance(0.8) ? 0x81 : random.below(256);
  const mask = random.bytes(4);
  const length =
    payload.length < 126
      ? Buffer.from([(random.chance(0.9) ? 0x80 : 0) | payload.length])
      : Buffer.from([0x80 | 126, payload.length >> 8, payload.length & 255]);
  return Buffer.concat([Buffer.from([first]), length, mask, payload.map((byte, at) => byte ^ mask[at & 3]!)]);
}

const CABLE = [
  '{"command":"subscribe","identifier":"{\\"channel\\":\\"LiveChannel\\"}"}',
  '{"command":"subscribe","identifier":{"toString":1}}',
  '{"command":"message","identifier":"x","data":"["}',
  '{"command":null}',
  '[]',
  'null',
  '{',
];

const cableText = (random: Random): string =>
  random.chance(0.3) ? random.mutated(random.pick(CABLE)) : random.pick(CABLE);

const SIP_METHODS = ['REGISTER', 'INVITE', 'BYE', 'CANCEL', 'ACK', 'OPTIONS', 'INFO', 'PRACK', 'X'];
const SIP_HEADERS = [
  'Via: SIP/2.0/WS x.invalid;branch=z9hG4bK1',
  'From: <sip:emp_1@parley.invalid>;tag=1',
  'From: "\u0000\u202e" <sip:@>',
  'To: <sip:emp_1@parley.invalid>',
  'Call-ID: a',
  'Call-ID: ',
  'CSeq: 1 REGISTER',
  'CSeq: x',
  'Contact: <sip:a@b.invalid;transport=ws>;expires=60',
  'Contact: *',
  'Expires: 0',
  'Expires: -1',
  'Authorization: Digest username="emp_1", realm="parley.invalid", nonce="x", uri="sip:x", response="0"',
  'Authorization: Digest ,,,=',
  'Proxy-Authorization: Digest username="',
  'Content-Type: application/sdp',
  'Content-Length: 999999',
  'Content-Length: -1',
  'X-Business-Number: \u0001',
  'Max-Forwards: 0',
];
const SDP = 'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 0\r\na=ice-ufrag:x\r\n';

function sipText(random: Random): string {
  const first = random.chance(0.8)
    ? `${random.pick(SIP_METHODS)} sip:${random.pick(['parley.invalid', '+4520304050@parley.invalid', '', '[', '%'])} SIP/2.0`
    : random.pick(['SIP/2.0 200 OK', 'SIP/2.0 x', 'SIP/2.0', '']);
  const headers = Array.from({ length: random.below(10) }, () => random.pick(SIP_HEADERS));
  const text = `${[first, ...headers].join('\r\n')}\r\n\r\n${random.chance(0.4) ? SDP : ''}`;
  return random.chance(0.4) ? random.mutated(text) : text;
}
