import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { publicApiDocument } from '../../src/api-docs/api-document.ts';
import { breakingChanges, type Json } from './breaking-changes.ts';

const released: Json = JSON.parse(readFileSync(new URL('./openapi.json', import.meta.url), 'utf8'));
const current: Json = JSON.parse(JSON.stringify(publicApiDocument()));

/** The events of 0.3.0, whose document does not have them. */
const EVENTS_OF_0_3_0 = [
  'call.initiated',
  'call.outside_business_hours',
  'call.queued',
  'call.answered',
  'call.ended',
  'call.lost',
  'call.transcription_done',
  'voicemail.new',
  'voicemail.transcription_done',
  'contact.created',
  'contact.updated',
  'contact.deleted',
  'employee.status.changed',
  'number.registration_approved',
  'number.registration_rejected',
  'message.received',
  'message.status_changed',
  'call.held',
  'call.resumed',
  'call.note_changed',
  'thread.assigned',
  'thread.state_changed',
  'audit.created',
];

/** A copy of the present document, changed as a careless commit might. */
function changed(change: (document: any) => void): Json {
  const document = structuredClone(current);
  change(document);
  return document;
}

const schemaOf = (document: any, name: string) => document.components.schemas[name];

describe('the public API', () => {
  it('the public API has everything that the last release has, and requires nothing more', () => {
    expect(breakingChanges(released, current)).toEqual([]);
    expect(Object.keys(current['webhooks'])).toEqual(expect.arrayContaining(EVENTS_OF_0_3_0));
  });

  it.each<[string, (document: any) => void, string]>([
    ['a path', (document) => delete document.paths['/api/v1/contacts/{id}'], 'GET /api/v1/contacts/{id} is removed'],
    ['a method', (document) => delete document.paths['/api/v1/contacts'].post, 'POST /api/v1/contacts is removed'],
    [
      'a parameter',
      (document) => (document.paths['/api/v1/contacts'].get.parameters = []),
      'GET /api/v1/contacts phone is removed',
    ],
    [
      'a field of a response',
      (document) => delete schemaOf(document, 'Contact').properties.phone_formatted,
      '.phone_formatted is removed',
    ],
    [
      'a field that was always there',
      (document) => (schemaOf(document, 'Contact').required = ['id']),
      '.phone is not always there any more',
    ],
    [
      'a field of a body',
      (document) =>
        delete document.paths['/api/v1/contacts'].post.requestBody.content['application/json'].schema.properties.email,
      'POST /api/v1/contacts.email is removed',
    ],
    [
      'a value of an enumeration',
      (document) => schemaOf(document, 'Call').properties.state.enum.shift(),
      '.state has no "initiated" any more',
    ],
    ['a variant', (document) => schemaOf(document, 'InboxItem').oneOf.shift(), 'is not object any more'],
    [
      'null in a body',
      (document) =>
        (document.paths['/api/v1/contacts'].post.requestBody.content['application/json'].schema.properties.email = {
          type: 'string',
        }),
      'POST /api/v1/contacts.email is not null any more',
    ],
    ['an event', (document) => delete document.webhooks['call.ended'], 'the event call.ended is removed'],
    [
      'a field of an event',
      (document) => delete schemaOf(document, 'EventCall').properties.call_control_id,
      '.call_control_id is removed',
    ],
    [
      'the method of clients',
      (document) => (document.paths['/api/v1/contacts'].get['x-sdk-method'] = 'contacts.all'),
      'GET /api/v1/contacts is not contacts.list any more',
    ],
  ])('the public API that loses %s is found', (_what, change, problem) => {
    expect(breakingChanges(current, changed(change))).toContainEqual(expect.stringContaining(problem));
  });

  it.each<[string, (document: any) => void, string]>([
    [
      'a parameter',
      (document) =>
        document.paths['/api/v1/contacts'].get.parameters.push({
          name: 'sort',
          in: 'query',
          required: true,
          schema: { type: 'string' },
        }),
      'GET /api/v1/contacts requires sort',
    ],
    [
      'a field of a body',
      (document) =>
        document.paths['/api/v1/contacts'].post.requestBody.content['application/json'].schema.required.push('name'),
      'POST /api/v1/contacts requires name',
    ],
    [
      'one of some values',
      (document) =>
        (document.paths['/api/v1/contacts'].post.requestBody.content['application/json'].schema.properties.phone.enum =
          ['+4520304050']),
      'POST /api/v1/contacts.phone takes only +4520304050',
    ],
  ])('the public API that requires %s is found', (_what, change, problem) => {
    expect(breakingChanges(current, changed(change))).toContain(problem);
  });

  it('the public API may lose what the last release has marked as deprecated', () => {
    const announced = changed((document) => {
      document.paths['/api/v1/contacts'].post.deprecated = true;
      schemaOf(document, 'Contact').properties.note.deprecated = true;
      document.webhooks['call.lost'].post.deprecated = true;
    });
    const later = changed((document) => {
      delete document.paths['/api/v1/contacts'].post;
      delete schemaOf(document, 'Contact').properties.note;
      delete document.webhooks['call.lost'];
    });
    expect(breakingChanges(announced, later)).toEqual([]);
  });

  it('the public API may gain operations, optional input, fields, values and events', () => {
    const more = changed((document) => {
      document.paths['/api/v1/parcels'] = document.paths['/api/v1/contacts'];
      document.paths['/api/v1/contacts'].get.parameters.push({ name: 'sort', in: 'query', schema: { type: 'string' } });
      schemaOf(document, 'Contact').properties.parcels = { type: 'integer' };
      schemaOf(document, 'Call').properties.state.enum.push('parked');
      document.webhooks['parcel.created'] = document.webhooks['call.ended'];
    });
    expect(breakingChanges(current, more)).toEqual([]);
  });
});
