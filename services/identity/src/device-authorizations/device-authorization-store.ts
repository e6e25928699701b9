import { decided, refusal, Refused } from '@parley/errors';
import { openGlobalDocuments } from '@parley/aggregates';
import { digest } from '@parley/secrets';
import type { Db } from 'mongodb';
import type { DeviceAuthorization, DeviceDecision } from './device-authorization.ts';

/** They belong to nobody until an employee enters the code. */
export type DeviceAuthorizations = Awaited<ReturnType<typeof openDeviceAuthorizations>>;

const userCodeTaken = refusal('conflict', 'another program has the same user code');

export async function openDeviceAuthorizations(db: Db) {
  const authorizations = await openGlobalDocuments<DeviceAuthorization>({
    db,
    collection: 'device_authorizations',
    indexes: [
      { name: 'device_code', key: { deviceCodeDigest: 1 }, unique: true },
      { name: 'user_code', key: { userCodeDigest: 1 }, unique: true },
      { name: 'company', key: { companyId: 1 } },
      { name: 'removal', key: { removeAt: 1 } },
    ],
    collisions: { user_code: userCodeTaken },
  });
  return {
    startExpiry: authorizations.startExpiry,
    /** False when another one has the same user code. */
    async add(authorization: DeviceAuthorization): Promise<boolean> {
      try {
        await authorizations.create(decided(authorization));
        return true;
      } catch (error) {
        if (error instanceof Refused && error.refusal === userCodeTaken) return false;
        throw error;
      }
    },
    byDeviceCode: (code: string) => authorizations.findOne({ deviceCodeDigest: digest(code) }),
    byUserCode: (code: string) => authorizations.findOne({ userCodeDigest: digest(code) }),
    /** Decides on the current state, again after a write conflict. Undefined when it does not exist any more. */
    async decide<Outcome>(
      authorization: DeviceAuthorization,
      decision: (current: DeviceAuthorization) => DeviceDecision<Outcome>,
    ): Promise<{ readonly outcome: Outcome; readonly state: DeviceAuthorization } | undefined> {
      try {
        return await authorizations.changeWithOutcome(
          authorization.id,
          (current) => {
            const { outcome, next = current } = decision(current);
            return { ...decided(next), outcome };
          },
          authorization,
        );
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return undefined;
      }
    },
  };
}
