import type { ContactCopies } from '../contacts/contact-copy-store.ts';
import { pauseForRequests } from '@parley/queues';
import type { Owners } from './owners.ts';
import type { RebuildCounts } from './inbox-rebuild.ts';

/** Makes the copies of contacts equal to the directory's while events of contacts are applied. */
export async function rebuildContacts(
  contacts: ContactCopies,
  owners: Pick<Owners, 'contacts'>,
  companyId: string,
  signal: AbortSignal,
): Promise<Pick<RebuildCounts, 'contacts' | 'removedContacts'>> {
  const before = new Set<string>();
  for await (const id of contacts.ids(companyId)) before.add(id);
  const listed = new Set<string>();
  for await (const part of owners.contacts(companyId)) {
    signal.throwIfAborted();
    for (const { id } of part) listed.add(id);
    await contacts.applyAll(part);
    await pauseForRequests();
  }
  // A contact that was deleted between being listed and being copied would stay: its event was applied before.
  const added = listed.difference(before);
  const remaining = new Set<string>();
  if (added.size > 0) for await (const part of owners.contacts(companyId)) for (const { id } of part) remaining.add(id);
  const gone = before.difference(listed).union(added.difference(remaining));
  for (const id of gone) await contacts.remove(companyId, id);
  return { contacts: listed.size, removedContacts: gone.size };
}
