import { invalid, notFound, Refused } from '@parley/errors';
import { readPhoneNumber } from '@parley/phone-numbers';
import type { Directory } from '../directory/directory-client.ts';
import { ALL_NUMBERS } from '../projection/inbox-item.ts';
import type { InboxStore } from '../projection/inbox-store.ts';
import { threadId } from '../projection/thread.ts';
import type { ServiceContext } from '../service-context.ts';
import { listedThread } from './list-threads-store.ts';

const LIMIT_MAX = 100;

/**
 * The number in E.164; throws `Refused` when it can be none. Texts also come from short codes and named senders, which have
 * no such form: those are known by the thread that they have.
 */
export async function externalNumber(
  store: Pick<InboxStore, 'threads'>,
  companyId: string,
  written: string,
  country: string,
): Promise<string> {
  const phone = readPhoneNumber(written, country)?.number;
  if (phone !== undefined && phone === written) return phone;
  // First: in some countries a short code could also be a national number.
  if (await store.threads.of(companyId).get(threadId(companyId, ALL_NUMBERS, written))) return written;
  if (phone !== undefined) return phone;
  throw new Refused(invalid({ phone_number: ['is not a valid phone number'] }));
}

/** Reads the external number of a thread that is listed; throws `Refused` when there is none. */
export function phoneOfThread({ store, directory }: { readonly store: InboxStore; readonly directory: Directory }) {
  return async (companyId: string, written: string): Promise<string> => {
    const { messagingEnabled, country } = await directory.company(companyId);
    const phone = await externalNumber(store, companyId, written, country);
    const thread = await store.threads.of(companyId).get(threadId(companyId, ALL_NUMBERS, phone));
    if (!thread || !listedThread(thread, messagingEnabled)) throw new Refused(notFound);
    return phone;
  };
}

/** Throws `Refused` when the company has no such business number. */
export async function requireNumber(
  { numbers }: Pick<ServiceContext, 'numbers'>,
  companyId: string,
  id: string | undefined,
): Promise<void> {
  if (id !== undefined && (await numbers.listOf(companyId, [id])).length === 0) throw new Refused(notFound);
}

export function pageLimit(limit: number): number {
  return Math.min(Math.max(limit, 1), LIMIT_MAX);
}

/** The time a client has seen everything up to; throws `Refused` when it lies in the future. */
export function pastTime(through: bigint, nowMicros: number): number {
  const time = Number(through);
  if (time > nowMicros) throw new Refused(invalid({ through: ['must not be in the future'] }));
  return time;
}

/** The content of a cursor; throws `Refused` when it belongs to another query. */
export function openCursor<Position>(opened: unknown): Position {
  if (opened === undefined) throw new Refused(invalid({ cursor: ['is invalid'] }));
  return opened as Position;
}
