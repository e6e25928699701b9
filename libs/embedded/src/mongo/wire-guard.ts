import { bsonDepth } from './bson-depth.ts';

/** Operation codes of MongoDB's wire protocol. */
export const OPCODE = { reply: 1, query: 2004, message: 2013 } as const;

/** The engine supports 1,000 levels and crashes at 1,500; MongoDB itself stores 180. */
const DEPTH_MAX = 180;
/** One level costs at least a length, a type, an empty name and an end. A shorter message cannot nest too deeply. */
const LEVEL_BYTES_MIN = 7;

/** Session commands end the engine with SIGSEGV; the others change or repair it from outside. */
const REFUSED_COMMANDS = new Set([
  'startSession',
  'endSessions',
  'killSessions',
  'killAllSessions',
  'killAllSessionsByPattern',
  'refreshSessions',
  'setParameter',
  'shutdown',
  'wiredTigerRepair',
]);

/** Drivers use OP_QUERY for the first greeting only. */
const GREETINGS = new Set(['hello', 'isMaster', 'ismaster']);

/** A message that is not sound enough to be answered: its connection is dropped. */
export class MalformedMessage extends Error {
  override name = 'MalformedMessage';
}

/** Why this message must not reach the engine, or undefined. Throws `MalformedMessage`. */
export function refusalOf(message: Buffer): string | undefined {
  const opcode = message.readInt32LE(12);
  if (opcode === OPCODE.message) return refusalOfSections(message);
  if (opcode === OPCODE.query) return refusalOfQuery(message);
  throw new MalformedMessage(`operation ${opcode} is not served`);
}

function refusalOfSections(message: Buffer): string | undefined {
  if (message.length < 26) throw new MalformedMessage('a message without a command');
  const checksumPresent = (message.readUInt32LE(16) & 1) === 1;
  const end = message.length - (checksumPresent ? 4 : 0);
  let at = 20;
  while (at < end) {
    const kind = message[at++];
    if (kind === 0) {
      const refusal = refusalOfCommand(message, at) ?? refusalOfDepth(message, at);
      if (refusal) return refusal;
      at += lengthAt(message, at, 5);
    } else if (kind === 1) {
      const stop = at + lengthAt(message, at, 6);
      let documentAt = message.indexOf(0, at + 4) + 1;
      if (documentAt === 0) throw new MalformedMessage('a section without a name');
      while (documentAt < stop) {
        const refusal = refusalOfDepth(message, documentAt);
        if (refusal) return refusal;
        documentAt += lengthAt(message, documentAt, 5);
      }
      at = stop;
    } else throw new MalformedMessage(`a section of kind ${kind}`);
  }
  return undefined;
}

function refusalOfQuery(message: Buffer): string | undefined {
  // flags, the collection's name, numbers to skip and to return, then the command.
  const commandAt = message.indexOf(0, 20) + 1 + 8;
  const name = commandName(message, commandAt);
  if (!GREETINGS.has(name)) return `'${name}' is not allowed with OP_QUERY`;
  return refusalOfDepth(message, commandAt);
}

function refusalOfCommand(message: Buffer, at: number): string | undefined {
  const name = commandName(message, at);
  return REFUSED_COMMANDS.has(name) ? `the embedded engine has no command '${name}'` : undefined;
}

function refusalOfDepth(message: Buffer, at: number): string | undefined {
  if (message.length < DEPTH_MAX * LEVEL_BYTES_MIN) return undefined;
  const depth = bsonDepth(message, at);
  if (depth === undefined) throw new MalformedMessage('a document that is not BSON');
  return depth > DEPTH_MAX ? `the document nests ${depth} levels deep, more than ${DEPTH_MAX}` : undefined;
}

/** A command is the name of the first field of its document. */
function commandName(message: Buffer, at: number): string {
  const end = message.indexOf(0, at + 5);
  if (end < 0) throw new MalformedMessage('a command without a name');
  return message.toString('latin1', at + 5, end);
}

function lengthAt(message: Buffer, at: number, least: number): number {
  if (at + 4 > message.length) throw new MalformedMessage('a message that ends too early');
  const length = message.readInt32LE(at);
  if (length < least || at + length > message.length) throw new MalformedMessage(`a length of ${length} bytes`);
  return length;
}
