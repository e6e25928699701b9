import { readFileSync } from 'node:fs';
import { createFileRegistry, fromBinary, type JsonValue, type Message, toJson } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { EnvelopeSchema } from '@parley/proto/events/v1/envelope_pb';
import { describe, expect, it } from '@jest/globals';
import { decodeEvent, encodeEvent } from './envelope.ts';
import { decodeMessage, encodeMessage, isEventType } from './event-types.ts';

/** One event of each type that the demo company of release 0.3.0 has, as that release stored it. */
const released = JSON.parse(
  readFileSync(new URL('../../test/releases/0.3.0-events.json', import.meta.url), 'utf8'),
) as Record<string, string>;

/** The contracts of that release. */
const contracts = createFileRegistry(
  fromBinary(FileDescriptorSetSchema, readFileSync(new URL('../../../../proto/released.binpb', import.meta.url))),
);

/** A message as the release reads it. */
function asReleased(typeName: string, bytes: Uint8Array): JsonValue {
  const contract = contracts.getMessage(typeName);
  if (!contract) throw new Error(`${typeName} is not in proto/released.binpb`);
  return toJson(contract, fromBinary(contract, bytes), { registry: contracts });
}

const hasUnknownFields = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !ArrayBuffer.isView(value) &&
  (((value as Partial<Message>).$unknown?.length ?? 0) > 0 || Object.values(value).some(hasUnknownFields));

describe('an event of the last release', () => {
  it.each(Object.entries(released))(
    'an event of the last release is read and written as that release does: %s',
    (type, text) => {
      const bytes = Buffer.from(text, 'base64');
      if (!isEventType(type)) throw new Error(`${type} is no longer an event`);
      const event = decodeEvent(bytes);
      const message = decodeMessage(type, event.data);
      expect(event.type).toBe(type);
      expect(hasUnknownFields(message)).toBe(false);
      // Written again by this version, and read by the release.
      const { data } = encodeMessage(type, message as never);
      expect(asReleased(message.$typeName, data)).toEqual(asReleased(message.$typeName, event.data));
      const envelope = encodeEvent({ ...event, data });
      expect(asReleased(EnvelopeSchema.typeName, envelope)).toEqual(asReleased(EnvelopeSchema.typeName, bytes));
    },
  );
});
