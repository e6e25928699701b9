import { describe, expect, it } from '@jest/globals';
import { jsonResponse, scriptedFetch } from '../test/scripted-fetch.ts';
import { Parley, type RecordedEvent, type WebhookEvent } from './index.ts';

/** What the type checker accepts is the test here: a service that is newer than the client. */
describe('what a newer service has', () => {
  it('what a newer service has can be sent and read: values, fields and types of events', async () => {
    const newer = { id: 'call_1', state: 'parked', direction: 'inbound', mood: { of: 'the caller' } };
    const { fetch, sent } = scriptedFetch(jsonResponse({ calls: [newer], next_cursor: null }), jsonResponse({}, 201));
    const parley = new Parley({ apiKey: 'pk_1', baseUrl: 'https://phone.example', fetch });
    const [call] = (await parley.calls.list({ direction: 'sideways', limit: 1 })).data;
    const isParked = call!.state === 'parked';
    const mood: unknown = call!.mood;
    await parley.webhooks.create({ name: 'x', url: 'https://app.example', events: ['fax.received'] });
    expect([isParked, mood, sent[0]!.url.split('?')[1]]).toEqual([
      true,
      { of: 'the caller' },
      'direction=sideways&limit=1',
    ]);
  });

  it('what a newer service has can be an event of another type beside those that are known', () => {
    function describeEvent(event: WebhookEvent): string {
      switch (event.event) {
        case 'contact.created': {
          const phone: string = event.data.contact.phone;
          // @ts-expect-error -- what is not known has no type: neither `any` nor `never` is left of the contact
          const unknown: string = event.data.contact.shoe_size;
          return unknown ?? phone;
        }
        case 'fax.received': {
          const fax: { pages: number } = event.data;
          return `${fax.pages} pages`;
        }
        default:
          return event.event;
      }
    }
    const events = [
      { event: 'contact.created', timestamp: '', data: { contact: { phone: '+4520304050' } } },
      { event: 'fax.received', timestamp: '', data: { pages: 3 } },
      { event: 'other', timestamp: '', data: {} },
    ] as unknown as WebhookEvent[];
    expect(events.map(describeEvent)).toEqual(['+4520304050', '3 pages', 'other']);
  });

  it('what a newer service has can be an event of another type in the event log', async () => {
    const recorded = (event: string, data: object) => ({ id: `evt_${event}`, event, timestamp: '', data });
    const contact = recorded('contact.created', { contact: { phone: '+4520304050' } });
    const fax = recorded('fax.received', { pages: 3 });
    const page = { events: [contact, fax], next_cursor: 'c', has_more: false, recorded_since: '' };
    const { fetch } = scriptedFetch(jsonResponse(page), jsonResponse(fax));
    const parley = new Parley({ apiKey: 'pk_1', baseUrl: 'https://phone.example', fetch });
    function describeRecorded(event: RecordedEvent): string {
      if (event.event === 'contact.created') {
        // @ts-expect-error -- as above
        const unknown: string = event.data.contact.shoe_size;
        return unknown ?? event.data.contact.phone;
      }
      const other: WebhookEvent = event;
      return `${event.id} ${other.event}`;
    }
    const { data } = await parley.events.list();
    expect(data.map(describeRecorded)).toEqual(['+4520304050', 'evt_fax.received fax.received']);
    expect(describeRecorded(await parley.events.get('evt_fax.received'))).toBe('evt_fax.received fax.received');
  });
});
