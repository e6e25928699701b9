import { ECDH } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Clock } from '@parley/clock';
import { checkUrl, type EgressPolicy, urlProblems } from '@parley/egress';
import { invalid, Refused } from '@parley/errors';
import { newId } from '@parley/secrets';
import { PushSubscriptionService } from '@parley/proto/messaging_inbox/v1/push_subscriptions_pb';
import { employees, type RpcServer } from '@parley/rpc';
import { addSubscription, type PushSubscription, removeSubscription } from './push-subscription.ts';
import type { PushSubscriptions, PushTarget } from './push-subscription-store.ts';

/** Every RPC of the contract. */
export function addPushSubscriptionService(
  server: RpcServer,
  deps: { subscriptions: PushSubscriptions; publicKey: string; egressPolicy: EgressPolicy; clock: Clock },
): void {
  const { subscriptions, publicKey, egressPolicy, clock } = deps;

  async function checkTarget({ endpoint, p256dh, auth }: PushTarget): Promise<void> {
    const check = await checkUrl(endpoint, egressPolicy);
    const problems = {
      ...(!check.ok && { endpoint: [urlProblems[check.problem]] }),
      ...(!isPublicKey(p256dh) && { 'keys.p256dh': ['is not a public key of a browser'] }),
      ...(bytesOf(auth).length !== AUTH_BYTES && { 'keys.auth': ['is not the secret of a browser'] }),
    };
    if (Object.keys(problems).length > 0) throw new Refused(invalid(problems));
  }

  server.add(PushSubscriptionService, employees.withRole('member'), {
    async listPushSubscriptions(_request, { principal: { companyId, employeeId, credentialId } }) {
      const own = await subscriptions.of(companyId).get(employeeId);
      return { pushSubscriptions: (own?.subscriptions ?? []).map((one) => toProto(one, credentialId)), publicKey };
    },
    async createPushSubscription({ endpoint, p256dh, auth, language, name }, { principal }) {
      const { companyId, employeeId, credentialType, credentialId } = principal;
      const target = { endpoint, p256dh, auth };
      await checkTarget(target);
      const sealed = subscriptions.sealed(target);
      const added = {
        id: newId('psh'),
        ...sealed,
        publicKey,
        language,
        name,
        madeWith: { credentialType, credentialId },
        createdAt: clock.now(),
      };
      const stored = await subscriptions
        .of(companyId)
        .upsert(employeeId, (current) =>
          addSubscription(current ?? { id: employeeId, companyId, subscriptions: [] }, added),
        );
      const found = stored.subscriptions.find((one) => one.endpointDigest === sealed.endpointDigest);
      return { pushSubscription: toProto(found ?? added, credentialId) };
    },
    async deletePushSubscription({ id }, { principal: { companyId, employeeId } }) {
      await subscriptions.of(companyId).change(employeeId, (current) => removeSubscription(current, id));
      return {};
    },
  });
}

/** RFC 8291 section 3.2. */
const AUTH_BYTES = 16;

function bytesOf(base64url: string): Buffer {
  return Buffer.from(base64url, 'base64url');
}

/** An uncompressed point on the curve P-256. */
function isPublicKey(base64url: string): boolean {
  const bytes = bytesOf(base64url);
  if (bytes.length !== 65 || bytes[0] !== 4) return false;
  try {
    ECDH.convertKey(bytes, 'prime256v1');
    return true;
  } catch {
    return false;
  }
}

function toProto({ id, name, createdAt, madeWith }: PushSubscription, credentialId: string) {
  return { id, name, createdAt: timestampFromDate(createdAt), current: madeWith.credentialId === credentialId };
}
