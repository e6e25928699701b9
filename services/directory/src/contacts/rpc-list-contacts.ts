import { setImmediate } from 'node:timers/promises';
import type { ContactService } from '@parley/proto/directory/v1/contacts_pb';
import type { EmployeeCaller, Handler } from '@parley/rpc';
import { contactToProto } from './contact-proto.ts';
import { NEWEST_FIRST } from './contact-store.ts';
import type { ContactDeps } from './contact-deps.ts';

/** Contacts per message: large enough to be cheap, small enough to pass in a blink. */
const CHUNK = 50;

export const listContactsRpc = ({
  contacts,
}: ContactDeps): Handler<typeof ContactService.method.listContacts, EmployeeCaller> =>
  async function* (_request, { caller, signal }) {
    let chunk = [];
    for await (const contact of contacts.of(caller.companyId).find({}, NEWEST_FIRST)) {
      if (signal.aborted) return;
      if (chunk.push(contactToProto(contact)) < CHUNK) continue;
      yield { contacts: chunk };
      chunk = [];
      await setImmediate(); // let others have their turn
    }
    if (chunk.length > 0) yield { contacts: chunk };
  };
