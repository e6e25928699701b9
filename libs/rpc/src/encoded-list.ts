import {
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
  create,
} from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/**
 * A message with a list, whose items are encoded one by one: who sends it need not encode the items that have not changed, and who
 * receives it need not decode those that it has decoded before. On the wire it is the same message.
 */
export function encodeList<Desc extends DescMessage>(
  desc: Desc,
  list: keyof Desc['field'] & string,
  items: readonly Uint8Array[],
  others: MessageInitShape<Desc>,
): Uint8Array {
  const tag = varint((listNumber(desc, list) << 3) | WireType.LengthDelimited);
  const parts = items.flatMap((item) => [tag, varint(item.length), item]);
  return Buffer.concat([...parts, toBinary(desc, create(desc, others))]);
}

/** The encoded items of a list, and the message without them. */
export function decodeList<Desc extends DescMessage>(
  desc: Desc,
  list: keyof Desc['field'] & string,
  bytes: Uint8Array,
): { items: Uint8Array[]; others: MessageShape<Desc> } {
  const number = listNumber(desc, list);
  const reader = new BinaryReader(bytes);
  const items: Uint8Array[] = [];
  const others: Uint8Array[] = [];
  while (reader.pos < reader.len) {
    const from = reader.pos;
    const [field, wireType] = reader.tag();
    if (field === number && wireType === WireType.LengthDelimited) items.push(reader.bytes());
    else {
      reader.skip(wireType, field);
      others.push(bytes.subarray(from, reader.pos));
    }
  }
  return { items, others: fromBinary(desc, Buffer.concat(others)) };
}

function listNumber(desc: DescMessage, name: string): number {
  const field = desc.field[name];
  if (field?.fieldKind !== 'list' || field.listKind !== 'message')
    throw new Error(`${desc.typeName}.${name} is not a list of messages`);
  return field.number;
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Uint8Array.of(...bytes, rest);
}
