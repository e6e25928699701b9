import { connect, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { BSON, type Document } from 'mongodb';

/**
 * A proxy before the MongoDB of the tests that can lose responses. As a `server` it presents the MongoDB as the primary of a replica
 * set with retryable writes. Simulated: the fields of `hello`, and a table of transaction numbers by which a repeated write is
 * answered instead of done. Not simulated: other members, elections, transactions, change streams and the TTL monitor.
 */
export interface WireProxy {
  readonly url: string;
  /** The names of the commands that arrived. */
  readonly commands: readonly string[];
  /** The next such command is done and its response is lost, with the connection; `meanwhile` happens in between. */
  loseResponse(command: string, meanwhile?: () => Promise<unknown>): void;
  /** The next such command is refused as by a primary that has just stepped down. */
  stepDown(command: string): void;
  /** Ends all connections of clients, as the end of the server's process does. */
  endConnections(): void;
  close(): Promise<void>;
}

const SET_NAME = 'simulated';
const OP_REPLY = 1;
const OP_MSG = 2013;
const HEADER_BYTES = 16;
/** What a standalone server does not understand. */
const OF_SESSIONS = ['lsid', 'txnNumber', '$clusterTime'];
const STEPPED_DOWN = { ok: 0, code: 10_107, codeName: 'NotWritablePrimary', errmsg: 'not primary' };

export async function startWireProxy(target: string, engine: 'embedded' | 'server'): Promise<WireProxy> {
  const commands: string[] = [];
  const lost = new Map<string, () => Promise<unknown>>();
  const refused = new Set<string>();
  const done = new Map<string, Document>();
  const sockets = new Set<Socket>();

  async function answer(request: Document, ask: (command: Document) => Promise<Document>): Promise<Document | 'lost'> {
    const name = Object.keys(request)[0]!;
    commands.push(name);
    if (refused.delete(name)) return { ...STEPPED_DOWN, errorLabels: ['RetryableWriteError'] };
    const transaction =
      request['txnNumber'] === undefined ? undefined : `${request['lsid'].id.toString('hex')}/${request['txnNumber']}`;
    const known = transaction === undefined ? undefined : done.get(transaction);
    const fields = Object.entries(request).filter(([field]) => !OF_SESSIONS.includes(field));
    // The driver's first message names its database outside of the document.
    const plain = { ...Object.fromEntries(fields), $db: request['$db'] ?? 'admin' };
    const reply = known ?? (name === 'endSessions' ? { ok: 1 } : await ask(plain));
    if (transaction !== undefined) done.set(transaction, reply);
    const meanwhile = lost.get(name);
    if (!meanwhile) return isHello(name) ? { ...reply, ...setFields() } : reply;
    lost.delete(name);
    await meanwhile();
    return 'lost';
  }

  const clients = new Set<Socket>();
  const server = createServer((client) => {
    clients.add(client);
    client.on('close', () => clients.delete(client));
    const upstream = connect(addressOf(target));
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    const replies: ((reply: Document) => void)[] = [];
    onMessages(upstream, (message) => replies.shift()?.(documentOf(message)));
    let queue = Promise.resolve();
    onMessages(client, (message) => {
      queue = queue.then(async () => {
        const reply = await answer(documentOf(message), (command) => {
          upstream.write(messageOf(command, 0));
          return new Promise((resolve) => replies.push(resolve));
        });
        if (reply === 'lost') client.destroy();
        else client.write(messageOf(reply, message.readInt32LE(4), message.readInt32LE(12) !== OP_MSG));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const setFields = (): Document =>
    engine === 'embedded'
      ? {}
      : {
          setName: SET_NAME,
          setVersion: 1,
          hosts: [address],
          me: address,
          primary: address,
          secondary: false,
          logicalSessionTimeoutMinutes: 30,
        };

  return {
    url: `mongodb://${address}/?${engine === 'server' ? `replicaSet=${SET_NAME}` : 'directConnection=true'}`,
    commands,
    loseResponse: (command, meanwhile = async () => undefined) => void lost.set(command, meanwhile),
    stepDown: (command) => void refused.add(command),
    endConnections: () => clients.forEach((client) => client.end()),
    close: () => closeServer(server, sockets),
  };
}

function isHello(name: string): boolean {
  return ['hello', 'ismaster', 'isMaster'].includes(name);
}

function addressOf(url: string): { path: string } | { host: string; port: number } {
  const [, host = ''] = /^mongodb:\/\/(?:[^@/]*@)?([^/?]*)/.exec(url) ?? [];
  const path = decodeURIComponent(host);
  if (path.startsWith('/')) return { path };
  const [name = '', port = '27017'] = host.split(':');
  return { host: name, port: Number(port) };
}

function onMessages(socket: Socket, take: (message: Buffer) => void): void {
  let received = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    while (received.length >= 4 && received.length >= received.readInt32LE(0)) {
      const length = received.readInt32LE(0);
      take(received.subarray(0, length));
      received = received.subarray(length);
    }
  });
}

const TYPED = { promoteValues: false, promoteBuffers: false };

/** The document of an OP_MSG, an OP_QUERY (the driver's first message) or an OP_REPLY. */
function documentOf(message: Buffer): Document {
  const kind = message.readInt32LE(12);
  // An OP_QUERY has flags, the name of a collection that ends with a zero, and two numbers before its document.
  const start =
    kind === OP_MSG
      ? HEADER_BYTES + 5
      : kind === OP_REPLY
        ? HEADER_BYTES + 20
        : message.indexOf(0, HEADER_BYTES + 4) + 9;
  const [document, end] = documentAt(message, start);
  return end < message.length ? { ...document, ...sequenceAt(message, end) } : document;
}

function documentAt(message: Buffer, start: number): [document: Document, end: number] {
  const end = start + message.readInt32LE(start);
  return [BSON.deserialize(message.subarray(start, end), TYPED), end];
}

/** The second section of an OP_MSG: a kind, its length, the name of a field, and the documents of that field. */
function sequenceAt(message: Buffer, start: number): Document {
  const nameEnd = message.indexOf(0, start + 5);
  const documents: Document[] = [];
  for (let at = nameEnd + 1; at < message.length;) {
    const [document, end] = documentAt(message, at);
    documents.push(document);
    at = end;
  }
  return { [message.toString('utf8', start + 5, nameEnd)]: documents };
}

function messageOf(document: Document, responseTo: number, isLegacy = false): Buffer {
  const body = BSON.serialize(document);
  const head = Buffer.alloc(HEADER_BYTES + (isLegacy ? 20 : 5));
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(responseTo, 8);
  head.writeInt32LE(isLegacy ? OP_REPLY : OP_MSG, 12);
  if (isLegacy) head.writeInt32LE(1, 32);
  return Buffer.concat([head, body]);
}

async function closeServer(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  sockets.forEach((socket) => socket.destroy());
  await closed;
}
