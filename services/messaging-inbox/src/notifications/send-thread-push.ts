import { createHash } from 'node:crypto';
import { type Egress, EgressError } from '@parley/egress';
import type { CommandContext, RunningCommands } from '@parley/aggregates';
import { type CredentialService, CredentialType } from '@parley/proto/identity/v1/credentials_pb';
import type { RpcClient } from '@parley/rpc';
import { counterFromZero } from '@parley/telemetry';
import webPush from 'web-push';
import { pushAddresses } from '../push-subscriptions/push-addresses.ts';
import type { PushKey } from '../push-subscriptions/push-key-store.ts';
import type { PushSubscription } from '../push-subscriptions/push-subscription.ts';
import type { NotificationDeps } from './notification-store.ts';
import { pushPayload } from './push-text.ts';
import { type PushCommand, type ThreadPush, usefulMs } from './thread-push.ts';

interface SendThreadPushDeps extends NotificationDeps {
  readonly credentials: RpcClient<typeof CredentialService>;
  readonly egress: Egress;
  readonly pushKey: PushKey;
  /** Whom push services can turn to (RFC 8292 section 2.1). */
  readonly publicUrl: string;
}

const timeoutMs = 10_000;
/** A customer chooses the addresses: those that hang hold only few of the places in which messages are sent. */
const PER_COMPANY_MAX = 4;

const credentialTypes = {
  api_key: CredentialType.API_KEY,
  oauth_token: CredentialType.OAUTH_TOKEN,
  session: CredentialType.SESSION,
} as const;

/** Sends what is planned. Names are read when it is sent, so nothing of them is stored with the plan. */
export function startThreadPushes(deps: SendThreadPushDeps): RunningCommands {
  const { pushes, settings, subscriptions, credentials, pushKey, clock, telemetry } = deps;
  const addresses = pushAddresses(clock);
  const requests = counterFromZero(
    telemetry.meter,
    'parley_push_requests_total',
    ['accepted', 'ended', 'refused', 'failed'].map((outcome) => ({ outcome })),
  );

  /** A session that has expired has no event; a browser that subscribed with another key of ours cannot be reached with this one. */
  async function isAlive({ madeWith, publicKey }: PushSubscription): Promise<boolean> {
    if (publicKey !== pushKey.publicKey) return false;
    const { credentialType, credentialId } = madeWith;
    const asked = { credentialType: credentialTypes[credentialType], credentialId };
    return (await credentials.checkCredential(asked)).principal !== undefined;
  }

  async function push({ subscriptionId, item }: PushCommand, { aggregateId, companyId }: CommandContext) {
    const planned = await pushes.of(companyId).get(aggregateId);
    const lifetimeMs = planned ? usefulMs(planned, item, clock.now()) : 0;
    if (!planned || lifetimeMs === 0) return;
    const { employeeId } = planned;
    const [own, chosen] = await Promise.all([
      subscriptions.of(companyId).get(employeeId),
      settings.of(companyId).get(employeeId),
    ]);
    const subscription = own?.subscriptions.find(({ id }) => id === subscriptionId);
    if (!subscription || !chosen?.enabled.includes(`${item.kind}/push`)) return;
    const address = subscription.endpointDigest;
    if (!addresses.mayTry(address)) throw new Error('the push service has failed a moment ago');
    const payload = await payloadFor(deps, planned, item, subscription.language);
    const outcome = (await isAlive(subscription))
      ? await send(deps, subscription, planned, payload, lifetimeMs)
      : ({ type: 'ended' } as const);
    requests.add(1, { outcome: outcome.type });
    const isEnded = outcome.type === 'ended' || (outcome.type !== 'accepted' && addresses.failed(address));
    if (isEnded) await subscriptions.remove(companyId, employeeId, subscriptionId);
    if (outcome.type === 'accepted') addresses.succeeded(address);
    if (outcome.type === 'refused' && addresses.mayLog(address))
      telemetry.log.warn({ status: outcome.status, subscription: subscriptionId }, 'push message refused');
    if (outcome.type === 'failed' && !isEnded) throw outcome.error;
  }

  return pushes.startCommands<{ push: void }>({
    push: {
      guarantee: 'until_confirmed',
      unordered: true,
      execute: push,
      isLong: () => true,
      perCompanyMax: PER_COMPANY_MAX,
    },
  });
}

async function payloadFor(
  { contacts, numbers }: Pick<SendThreadPushDeps, 'contacts' | 'numbers'>,
  { companyId, phone }: ThreadPush,
  item: PushCommand['item'],
  language: string,
): Promise<string> {
  const { businessNumberId } = item;
  const [contact, listed] = await Promise.all([
    contacts.byPhone(companyId, [phone]),
    businessNumberId === undefined ? [] : numbers.listOf(companyId, [businessNumberId]),
  ]);
  const contactName = contact.get(phone)?.name ?? '';
  const businessNumberName = listed[0]?.name ?? '';
  return JSON.stringify(pushPayload({ item, phone, contactName, businessNumberName, language }));
}

/** What became of a request. A message that has `failed` is repeated. */
type Outcome =
  | { readonly type: 'accepted' }
  /** The browser has ended the subscription. */
  | { readonly type: 'ended' }
  | { readonly type: 'refused'; readonly status: number }
  | { readonly type: 'failed'; readonly error: Error };

/** Errors name neither the address nor what was sent. */
async function send(
  { subscriptions, egress, pushKey, publicUrl }: SendThreadPushDeps,
  subscription: PushSubscription,
  { id }: ThreadPush,
  payload: string,
  lifetimeMs: number,
): Promise<Outcome> {
  const { endpoint, p256dh, auth } = subscriptions.targetOf(subscription);
  const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
    // A subject with http is refused; the local stack has one.
    vapidDetails: { subject: publicUrl.replace(/^http:/, 'https:'), ...pushKey },
    TTL: Math.ceil(lifetimeMs / 1000),
    urgency: 'high',
    // A message that waits at the push service is replaced by the next one about the same thread (RFC 8030 section 5.4).
    topic: createHash('sha256').update(`${subscription.id}/${id}`).digest('base64url').slice(0, 32),
  });
  try {
    const { status } = await egress.request({
      method: 'POST',
      url: endpoint,
      headers: textOf(headers),
      body: body!,
      timeoutMs,
      maxResponseBytes: 0,
    });
    if (status === 404 || status === 410) return { type: 'ended' };
    if (status === 429 || status >= 500) return failed(`the push service answered ${status}`);
    return status >= 300 ? { type: 'refused', status } : { type: 'accepted' };
  } catch (error) {
    const reason = error instanceof EgressError ? error.reason : 'failed';
    return reason === 'refused_address' ? { type: 'ended' } : failed(`no answer of the push service: ${reason}`);
  }
}

function failed(message: string): Outcome {
  return { type: 'failed', error: new Error(message) };
}

function textOf(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
