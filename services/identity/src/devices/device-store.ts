import { decided } from '@parley/errors';
import { digest, newSecret } from '@parley/secrets';
import { openGlobalDocuments } from '@parley/aggregates';
import type { Db } from 'mongodb';

interface Device {
  /** The digest of the cookie's value. */
  readonly id: string;
  readonly employeeId: string;
  readonly expiresAt: Date;
}

/** Browsers that employees have signed in with before; an attacker who guesses passwords has none. */
export type Devices = Awaited<ReturnType<typeof openDevices>>;

const LIFETIME_MS = 180 * 24 * 3600 * 1000;

export async function openDevices(db: Db) {
  const devices = await openGlobalDocuments<Device>({
    db,
    collection: 'devices',
    indexes: [
      { name: 'employee', key: { employeeId: 1 } },
      { name: 'expiry', key: { expiresAt: 1 } },
    ],
  });
  return {
    startExpiry: devices.startExpiry,
    async isKnown(secret: string, employeeId: string, now: Date): Promise<boolean> {
      if (secret === '') return false;
      const device = await devices.get(digest(secret));
      return device !== undefined && device.employeeId === employeeId && device.expiresAt > now;
    },
    /** Stores a new browser; the secret is for its cookie. */
    async add(employeeId: string, now: Date): Promise<string> {
      const secret = newSecret('knownBrowser');
      const expiresAt = new Date(now.getTime() + LIFETIME_MS);
      await devices.create(decided({ id: digest(secret), employeeId, expiresAt }));
      return secret;
    },
    async removeAll(employeeId: string): Promise<void> {
      for await (const { id } of devices.find({ employeeId }, { id: 1 }))
        await devices.changeIfExists(id, () => decided(null));
    },
  };
}
