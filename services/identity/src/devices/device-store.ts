import { digest, newSecret } from '@parley/secrets';
import { whileUnreachable } from '@parley/store';
import type { Collection, Db } from 'mongodb';

interface StoredDevice {
  _id: string;
  employeeId: string;
  expiresAt: Date;
}

/** Browsers that employees have signed in with before; whoever guesses at an account does not have one of them. */
export interface Devices {
  isKnown(secret: string, employeeId: string, now: Date): Promise<boolean>;
  /** Remembers a new browser; the secret is for its cookie. */
  add(employeeId: string, now: Date): Promise<string>;
  removeAll(employeeId: string): Promise<void>;
  readonly collection: Collection<StoredDevice>;
}

const LIFETIME_MS = 180 * 24 * 3600 * 1000;

export async function openDevices(db: Db): Promise<Devices> {
  const collection = db.collection<StoredDevice>('devices');
  await collection.createIndexes([
    { name: 'employee', key: { employeeId: 1 } },
    { name: 'expiry', key: { expiresAt: 1 } },
  ]);
  return {
    collection,
    async isKnown(secret, employeeId, now) {
      if (secret === '') return false;
      const found = await collection.findOne({ _id: digest(secret), employeeId, expiresAt: { $gt: now } });
      return found !== null;
    },
    async add(employeeId, now) {
      const secret = newSecret('knownBrowser');
      const device = { employeeId, expiresAt: new Date(now.getTime() + LIFETIME_MS) };
      await whileUnreachable(() => collection.replaceOne({ _id: digest(secret) }, device, { upsert: true }));
      return secret;
    },
    async removeAll(employeeId) {
      await whileUnreachable(() => collection.deleteMany({ employeeId }));
    },
  };
}
