import { type ExportedFile, type ExportPerson, jsonFile, jsonMentions, type Person } from '@parley/personal-data';
import type { Deliveries, DeliveryBodies } from '../deliveries/delivery-store.ts';

interface ExportPersonDeps {
  readonly deliveries: Deliveries;
  readonly bodies: DeliveryBodies;
}

/** Deliveries that are read at a time. */
const PAGE = 200;

/** Exports what was sent about a person to the company's own systems. */
export function exportPerson(deps: ExportPersonDeps): ExportPerson {
  return async function* (person): AsyncGenerator<ExportedFile> {
    yield jsonFile('webhook_deliveries.json', deliveriesOf(deps, person));
  };
}

async function* deliveriesOf({ deliveries, bodies }: ExportPersonDeps, { companyId, phoneNumber }: Person) {
  let after: string | undefined = '';
  while (after !== undefined) {
    const page = await deliveries.ofCompany(companyId, after, PAGE);
    for (const { id, subscriptionId, event, sealedBody, createdAt } of page) {
      const body = bodies.open(sealedBody, id);
      if (!jsonMentions(body, phoneNumber)) continue;
      yield { id, webhook_id: subscriptionId, event, created_at: createdAt, body: JSON.parse(body) as unknown };
    }
    after = page.length < PAGE ? undefined : page.at(-1)?.id;
  }
}
