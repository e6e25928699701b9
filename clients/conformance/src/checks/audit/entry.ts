import { eventually } from '../../expectations/eventually.ts';
import { expectThat } from '../../expectations/expect.ts';
import { nullable, oneOf, someText, text, timestamp } from '../../expectations/shapes.ts';
import type { ApiClient } from '../../http/api-client.ts';

export const ENTRY = {
  id: someText,
  at: timestamp,
  type: someText,
  actor: {
    type: oneOf('employee', 'app', 'operator', 'system'),
    id: nullable(text),
    name: nullable(text),
    credential: nullable({ type: nullable(text), id: nullable(text), name: nullable(text) }),
  },
  object: { type: someText, id: nullable(text), name: nullable(text) },
  address: nullable(text),
  request_id: nullable(text),
};

/** The newest entry of a type about an object, as soon as it is there. */
export async function entryOf(client: ApiClient, type: string, objectId: string): Promise<any> {
  return await eventually(`${type} is in the audit log`, async () => {
    const { audit_events: entries } = await client.get(`/audit_events?type=${type}&object_id=${objectId}`).gives(200);
    expectThat(entries.length > 0, 'there is no such entry');
    return entries[0];
  });
}
