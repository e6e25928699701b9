import { describe, expect, it } from '@jest/globals';
import { serialize } from 'bson';
import { MalformedMessage, OPCODE, refusalOf } from './wire-guard.ts';

function message(opcode: number, ...parts: Uint8Array[]): Buffer {
  const head = Buffer.alloc(16);
  head.writeInt32LE(opcode, 12);
  const whole = Buffer.concat([head, ...parts]);
  whole.writeInt32LE(whole.length, 0);
  return whole;
}

const NO_FLAGS = Buffer.alloc(4);

function command(body: object): Buffer {
  return message(OPCODE.message, NO_FLAGS, Buffer.of(0), serialize(body));
}

function withDocuments(body: object, documents: object[]): Buffer {
  const content = Buffer.concat([Buffer.from('documents\0'), ...documents.map((document) => serialize(document))]);
  const length = Buffer.alloc(4);
  length.writeInt32LE(4 + content.length);
  return message(OPCODE.message, NO_FLAGS, Buffer.of(0), serialize(body), Buffer.of(1), length, content);
}

function query(body: object): Buffer {
  return message(OPCODE.query, NO_FLAGS, Buffer.from('admin.$cmd\0'), Buffer.alloc(8), serialize(body));
}

function nested(levels: number): object {
  return levels === 1 ? {} : { a: nested(levels - 1) };
}

describe('what reaches the engine', () => {
  it.each([
    ['an ordinary command', command({ ping: 1, $db: 'admin' })],
    ['a greeting of old', query({ ismaster: 1 })],
    ['an insert of many documents', withDocuments({ insert: 'x', $db: 'y' }, Array(500).fill({ _id: 1, text: 'a' }))],
    ['a document of 180 levels', withDocuments({ insert: 'x', $db: 'y' }, [nested(180)])],
    ['a field that has the name of a session command', command({ find: 'x', filter: { startSession: 1 } })],
  ])('%s reaches the engine', (_, bytes) => {
    expect(refusalOf(bytes)).toBeUndefined();
  });

  it.each(['startSession', 'endSessions', 'killSessions', 'killAllSessions', 'killAllSessionsByPattern'])(
    '%s, which would crash the engine, does not reach it',
    (name) => {
      expect(refusalOf(command({ [name]: 1, $db: 'admin' }))).toBe(`the embedded engine has no command '${name}'`);
    },
  );

  it('a session command in the old form does not reach the engine', () => {
    expect(refusalOf(query({ startSession: 1 }))).toBe("'startSession' is not allowed with OP_QUERY");
  });

  it.each([
    ['in a command', command({ find: 'x', filter: nested(200) })],
    ['in a list of documents', withDocuments({ insert: 'x', $db: 'y' }, [{}, nested(1_500)])],
    ['in a greeting of old', query({ ismaster: 1, client: nested(1_500) })],
  ])('deep nesting %s does not reach the engine', (_, bytes) => {
    expect(refusalOf(bytes)).toMatch(/^the document nests \d+ levels deep, more than 180$/);
  });
});

describe('a message that cannot be answered', () => {
  const insert = withDocuments({ insert: 'x', $db: 'y' }, [{ a: 1 }]);

  it('a message that cannot be answered has an unknown operation', () => {
    expect(() => refusalOf(message(2012, Buffer.alloc(30)))).toThrow(MalformedMessage);
  });

  it('a message that cannot be answered has no command', () => {
    expect(() => refusalOf(message(OPCODE.message, NO_FLAGS))).toThrow(MalformedMessage);
  });

  it('a message that cannot be answered is cut short, in whichever place', () => {
    const commandEnd = 21 + insert.readInt32LE(21);
    for (let length = 21; length < insert.length; length++) {
      if (length !== commandEnd) expect(() => refusalOf(insert.subarray(0, length))).toThrow(MalformedMessage);
    }
  });

  it('a message that cannot be answered has a length that would lead backwards', () => {
    const bytes = Buffer.from(insert);
    bytes.writeInt32LE(-30, 21);
    expect(() => refusalOf(bytes)).toThrow(MalformedMessage);
  });
});
