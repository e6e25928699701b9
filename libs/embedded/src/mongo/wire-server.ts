import { createServer, type Server, type Socket } from 'node:net';
import { serialize } from 'bson';
import type { Engine, EngineReply } from './engine-library.ts';
import { OPCODE, refusalOf } from './wire-guard.ts';

const HEADER_BYTES = 16;
/** MongoDB's own limit for one message, plus its header. */
const MESSAGE_BYTES_MAX = 48_000_000 + 16_384;
/** Above this, copying a reply behind its header costs more than two writes. */
const COPIED_REPLY_BYTES_MAX = 65_536;
/** MongoDB's code for a command that does not exist. */
const COMMAND_NOT_FOUND = 59;

export interface WireServer {
  readonly server: Server;
  dropConnections(): void;
}

/** Serves the engine to MongoDB drivers; what would crash it is refused before it gets there. */
export function createWireServer(engine: Pick<Engine, 'roundTrip'>): WireServer {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serve(engine, socket);
  });
  return { server, dropConnections: () => sockets.forEach((socket) => socket.destroy()) };
}

/** One connection. Messages are answered in the order they came; drivers run commands in parallel on more connections. */
function serve(engine: Pick<Engine, 'roundTrip'>, socket: Socket): void {
  let queue = Promise.resolve();
  let replyId = 0;
  const answer = async (message: Buffer) => {
    const refusal = refusalOf(message);
    const reply = refusal ? refuse(message, refusal) : await engine.roundTrip(message);
    if (reply.moreToCome || socket.destroyed) return;
    replyId = (replyId + 1) | 0;
    writeReply(socket, reply, replyId);
  };
  // A failure is the connection's, as with a real server: the driver sees it dropped.
  const drop = () => void socket.destroy();
  const takeMessages = messageReader((message) => {
    queue = queue.then(() => answer(message)).catch(drop);
  });
  socket.on('error', drop);
  socket.on('data', (chunk) => {
    try {
      takeMessages(chunk);
    } catch {
      drop();
    }
  });
}

/** Cuts a stream of bytes into wire messages; bytes are joined only once a message is whole. */
function messageReader(onMessage: (message: Buffer) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let bytes = 0;
  return (chunk) => {
    chunks.push(chunk);
    bytes += chunk.length;
    while (bytes >= 4) {
      if (chunks[0]!.length < 4) chunks = [Buffer.concat(chunks)];
      const length = chunks[0]!.readInt32LE(0);
      if (length < HEADER_BYTES || length > MESSAGE_BYTES_MAX) throw new Error(`a message of ${length} bytes`);
      if (bytes < length) return;
      const all = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      const rest = all.subarray(length);
      chunks = rest.length > 0 ? [rest] : [];
      bytes = rest.length;
      onMessage(all.subarray(0, length));
    }
  };
}

function refuse(message: Buffer, errmsg: string): EngineReply {
  const legacy = message.readInt32LE(12) === OPCODE.query;
  return {
    requestId: message.readInt32LE(4),
    moreToCome: !legacy && (message.readUInt32LE(16) & 2) !== 0,
    legacy,
    response: serialize({ ok: 0, errmsg, code: COMMAND_NOT_FOUND, codeName: 'CommandNotFound' }),
  };
}

function writeReply(socket: Socket, { requestId, legacy, response }: EngineReply, replyId: number): void {
  const head = Buffer.alloc(HEADER_BYTES + (legacy ? 20 : 5));
  head.writeInt32LE(head.length + response.length, 0);
  head.writeInt32LE(replyId, 4);
  head.writeInt32LE(requestId, 8);
  head.writeInt32LE(legacy ? OPCODE.reply : OPCODE.message, 12);
  // After the header an OP_REPLY has flags, a cursor, a start and the number of documents; an OP_MSG flags and a kind.
  if (legacy) head.writeInt32LE(1, 32);
  if (response.length <= COPIED_REPLY_BYTES_MAX) {
    socket.write(Buffer.concat([head, response]));
    return;
  }
  socket.cork();
  socket.write(head);
  socket.write(response);
  socket.uncork();
}
