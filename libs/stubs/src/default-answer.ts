import {
  create,
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescMethod,
  ScalarType,
  toBinary,
} from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { Principal } from '@parley/rpc';

/** Deep enough for every contract; a message that contains itself ends here. */
const DEPTH_MAX = 5;

/** Prefixes of ids by the noun before `_id`, or by the message that has an `id`. */
const ID_PREFIXES: Readonly<Record<string, string>> = {
  company: 'com',
  employee: 'emp',
  owner: 'emp',
  contact: 'con',
  credential: 'key',
  api_key: 'key',
  session: 'ses',
  call: 'cal',
  voicemail: 'vm',
  message: 'msg',
  number: 'num',
  business_number: 'num',
  subscription: 'whk',
};

/** Texts by the name of their field, as a real service would send them. */
const TEXTS: Readonly<Record<string, string>> = {
  name: 'Ane Andersen',
  email: 'ane@example.com',
  phone: '+4520304050',
  number: '+4570112233',
  e164: '+4570112233',
  phone_formatted: '+45 20 30 40 50',
  number_formatted: '+45 70 11 22 33',
  country: 'DK',
  language: 'en',
  timezone: 'Europe/Copenhagen',
  url: 'https://example.com/',
  content_type: 'audio/wav',
  text: 'Hello',
};

type Known = Readonly<Record<string, unknown>>;

/**
 * A plausible answer to any method, made from its schema: every field has a value that its type and name allow. What the
 * request or the principal contains (an id, a company) is repeated, so that responses fit the request. The same request has the
 * same answer.
 */
export function defaultAnswer(method: DescMethod, request: unknown, principal: Principal): Record<string, unknown> {
  const requested = request as Known;
  const known = { ...(principal.kind === 'employee' && principal), ...requested };
  return defaultMessage(method.output, known, 0);
}

function defaultMessage(desc: DescMessage, known: Known, depth: number): Record<string, unknown> {
  const message = create(desc) as unknown as Record<string, unknown>;
  for (const field of desc.fields) {
    if (field.oneof) continue;
    const value = defaultValue(field, desc, known, depth);
    if (value !== undefined) message[field.localName] = value;
  }
  for (const { localName, fields } of desc.oneofs) {
    const [first] = fields;
    if (!first) continue;
    const value = defaultValue(first, desc, known, depth);
    if (value !== undefined) message[localName] = { case: first.localName, value };
  }
  // An invalid message must fail here, where the method is known.
  toBinary(desc, message as never);
  return message;
}

function defaultValue(field: DescField, parent: DescMessage, known: Known, depth: number): unknown {
  switch (field.fieldKind) {
    case 'scalar':
      return defaultScalar(field.scalar, field, parent, known);
    case 'enum':
      return firstValue(field.enum);
    case 'message':
      if (field.message.typeName === 'google.protobuf.Timestamp') return defaultTime(field);
      return depth < DEPTH_MAX ? defaultMessage(field.message, known, depth + 1) : undefined;
    case 'list':
      return defaultList(field, known, depth);
    case 'map':
      return {};
  }
}

/** One element for a list; none for lists of problems. */
function defaultList(field: DescField & { fieldKind: 'list' }, known: Known, depth: number) {
  if (field.listKind === 'enum') return [firstValue(field.enum)];
  if (field.listKind === 'scalar') return [];
  return depth < DEPTH_MAX ? [defaultMessage(field.message, known, depth + 1)] : [];
}

function defaultScalar(type: ScalarType, field: DescField, parent: DescMessage, known: Known): unknown {
  const requested = known[field.localName];
  if (requested !== undefined && typeof requested === typeof scalarZero(type)) return requested;
  if (type !== ScalarType.STRING) return scalarZero(type);
  if (field.name === 'id' || field.name.endsWith('_id')) return idFor(field, parent);
  return TEXTS[field.name] ?? field.name.replaceAll('_', ' ');
}

function scalarZero(type: ScalarType): unknown {
  if (type === ScalarType.STRING) return '';
  if (type === ScalarType.BOOL) return false;
  if (type === ScalarType.BYTES) return new Uint8Array();
  if (/64/.test(ScalarType[type])) return 0n;
  return 0;
}

function idFor(field: DescField, parent: DescMessage): string {
  const noun = field.name === 'id' ? snakeCase(parent.name) : field.name.slice(0, -'_id'.length);
  const prefix = ID_PREFIXES[noun] ?? noun.replaceAll('_', '');
  return `${prefix}_${'0'.repeat(31)}1`;
}

/** End times are in the future. */
function defaultTime({ name }: DescField) {
  const aheadMs = /until|expire|deadline/.test(name) ? 3_600_000 : 0;
  return timestampFromMs(Date.now() + aheadMs);
}

function firstValue({ values }: DescEnum): number {
  return (values.find(({ number }) => number !== 0) ?? values[0])?.number ?? 0;
}

function snakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
}
