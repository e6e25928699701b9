import { newId } from '@parley/secrets';
import type { Document } from 'mongodb';

/** The right to work on a document, or on a part of it, until a time by the machine's clock; then it is free. */
export interface Lease {
  readonly owner: string;
  readonly until: Date;
}

export function newLease(leaseMs: number, owner = newId('lease')): Lease {
  return { owner, until: new Date(Date.now() + leaseMs) };
}

export function isFree(lease: Lease | null | undefined, now = new Date()): boolean {
  return !lease || lease.until < now;
}

/** Documents whose lease in a field is free. */
export function freeLease(field: string, now = new Date()): Document {
  return { $or: [{ [field]: null }, { [`${field}.until`]: { $lt: now } }] };
}
