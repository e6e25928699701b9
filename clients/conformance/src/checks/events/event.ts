import { eventually } from '../../expectations/eventually.ts';
import { expectThat } from '../../expectations/expect.ts';
import { matching, nullable, someText, text, timestamp } from '../../expectations/shapes.ts';
import type { Company } from '../../world/company.ts';
import type { Context } from '../../world/context.ts';
import { prepared } from '../../world/prepared.ts';
import { freshPhone } from '../../world/random.ts';

export const EVENT = { id: matching(/^evt_/), event: someText, timestamp };

/** The call in the data of an event. */
export const CALL_DATA = {
  id: someText,
  from: text,
  to: text,
  state: text,
  started_at: nullable(timestamp),
  main_number_id: text,
  main_number_name: text,
  main_number_number: text,
  main_number_number_formatted: text,
  call_control_id: text,
};

/** A company whose events are recorded: that begins with the first use. */
export async function recorded(company: Company): Promise<Company> {
  await prepared(company.get('/events?limit=1'), 200);
  return company;
}

export async function newContact(company: Company): Promise<any> {
  return await prepared(company.post('/contacts', { phone: freshPhone(), name: 'Emil' }), 201);
}

/** Where a reader begins who wants what follows the creation of a thing. */
export function since({ created_at: createdAt }: { created_at: string }): string {
  return encodeURIComponent(new Date(Date.parse(createdAt) - 1000).toISOString());
}

/** Waits until the events about a subject have these names, in order; the events. */
export async function eventsAbout(
  company: Company,
  query: string,
  isAbout: (data: any) => boolean,
  names: readonly string[],
): Promise<any[]> {
  return await eventually('the events', async () => {
    const { events } = await company.get(`/events?limit=100&${query}`).gives(200);
    const about = events.filter(({ data }: { data: unknown }) => isAbout(data));
    const found = about.map(({ event }: { event: string }) => event);
    expectThat(found.join() === names.join(), `the events are ${found.join(', ')} instead of ${names.join(', ')}`);
    return about;
  });
}

/** Waits until there is an event about a contact. */
export async function eventOfContact(company: Company, contact: any, name = 'contact.created'): Promise<any> {
  const isAbout = (data: any) => data.contact?.id === contact.id;
  const [event] = await eventsAbout(company, `from=${since(contact)}&types=${name}`, isAbout, [name]);
  return event;
}

/** The cursor behind everything that is recorded now. */
export async function lastCursor(company: Company): Promise<string> {
  let cursor = '';
  for (;;) {
    const after = cursor === '' ? '' : `&after=${encodeURIComponent(cursor)}`;
    const page = await prepared(company.get(`/events?limit=100${after}`), 200);
    cursor = page.next_cursor;
    if (!page.has_more) return cursor;
  }
}

/** The events that are recorded from now on. */
export async function fromNow({ clock }: Context): Promise<string> {
  return `from=${since({ created_at: (await clock.now()).toISOString() })}`;
}
