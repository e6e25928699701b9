import { decided } from '@parley/errors';
import { digest, type Encryptor } from '@parley/secrets';
import { type Documents, openDocuments } from '@parley/aggregates';
import type { Db } from 'mongodb';
import { type EmployeePushSubscriptions, type PushSubscription, removeSubscription } from './push-subscription.ts';

/** The address of a browser's messages, and the keys they are encrypted with. Whoever has it can send to the browser. */
export interface PushTarget {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

export interface PushSubscriptions extends Documents<EmployeePushSubscriptions> {
  /** The stored form of a target. */
  sealed(target: PushTarget): Pick<PushSubscription, 'endpointDigest' | 'encryptedTarget'>;
  targetOf(subscription: PushSubscription): PushTarget;
  /** One that is not there any more stays so. */
  remove(companyId: string, employeeId: string, id: string): Promise<void>;
}

export const targetContext = (endpointDigest: string) => `push-subscription/${endpointDigest}/target`;

export async function openPushSubscriptions(db: Db, encryptor: Encryptor): Promise<PushSubscriptions> {
  const documents = await openDocuments<EmployeePushSubscriptions>({ db, collection: 'push_subscriptions' });
  return {
    ...documents,
    sealed(target) {
      const endpointDigest = digest(target.endpoint);
      // Compared in its stored form: a browser that is added again changes nothing.
      const text = JSON.stringify(target);
      return { endpointDigest, encryptedTarget: encryptor.encryptRepeatably(text, targetContext(endpointDigest)) };
    },
    targetOf: ({ encryptedTarget, endpointDigest }) =>
      JSON.parse(encryptor.decrypt(encryptedTarget, targetContext(endpointDigest))) as PushTarget,
    async remove(companyId, employeeId, id) {
      await documents.of(companyId).changeIfExists(employeeId, (current) => {
        const decision = removeSubscription(current, id);
        return decision.ok ? decision : decided(current);
      });
    },
  };
}
