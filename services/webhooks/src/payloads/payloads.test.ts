import { create, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  ContactCreatedSchema,
  ContactDeletedSchema,
  ContactUpdatedSchema,
} from '@parley/proto/directory/v1/contact_events_pb';
import { describe, expect, it } from '@jest/globals';
import { webhookBody } from './payload.ts';
import { payloads } from './payloads.ts';

const createdAt = new Date('2026-03-01T12:00:00.007Z');
const updatedAt = new Date('2026-03-02T12:00:00.000Z');
const bare = {
  id: 'con_1',
  phone: '+4512345678',
  phoneFormatted: '+45 12 34 56 78',
  createdAt: timestampFromDate(createdAt),
  updatedAt: timestampFromDate(updatedAt),
};
const bareJson = {
  id: 'con_1',
  name: null,
  email: null,
  phone: '+4512345678',
  phone_formatted: '+45 12 34 56 78',
  company_name: null,
  note: null,
  created_at: '2026-03-01T12:00:00.007Z',
  updated_at: '2026-03-02T12:00:00.000Z',
};

function dataOf(fact: string, bytes: Uint8Array) {
  return payloads.filter((payload) => payload.fact === fact).map(({ event, data }) => [event, data(bytes)]);
}

describe('contact payloads', () => {
  it.each([
    ['directory.contact.created', 'contact.created', ContactCreatedSchema],
    ['directory.contact.updated', 'contact.updated', ContactUpdatedSchema],
    ['directory.contact.deleted', 'contact.deleted', ContactDeletedSchema],
  ] as const)('of %s carry the full contact, absent fields as null', (fact, event, schema) => {
    const full = { name: 'Ida', email: 'ida@example.com', companyName: 'Ida ApS', note: 'VIP' };
    const send = (contact: object) => toBinary(schema, create(schema, { contact: { ...bare, ...contact } } as never));
    expect(dataOf(fact, send({}))).toEqual([[event, { contact: bareJson }]]);
    expect(dataOf(fact, send(full))).toEqual([
      [
        event,
        { contact: { ...bareJson, name: 'Ida', email: 'ida@example.com', company_name: 'Ida ApS', note: 'VIP' } },
      ],
    ]);
  });

  it('are not made of an event without a contact', () => {
    const empty = toBinary(ContactCreatedSchema, create(ContactCreatedSchema));
    expect(() => dataOf('directory.contact.created', empty)).toThrow('without its contact');
  });
});

describe('a webhook body', () => {
  it('has the three envelope keys only', () => {
    expect(webhookBody('contact.created', createdAt, { contact: 1 })).toBe(
      '{"event":"contact.created","timestamp":"2026-03-01T12:00:00.007Z","data":{"contact":1}}',
    );
  });
});
