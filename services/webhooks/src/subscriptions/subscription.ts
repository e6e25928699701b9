import { type AuditChanges, type Audited, type AuditEntry, type AuditType, changedFields } from '@parley/actor';
import { decided, type Decision, invalid, type Refusal, refusal, refused } from '@parley/errors';
import { type EventType, eventTypes, formerNamesOf } from '@parley/public-json';

/** A secret that signs deliveries, encrypted; the current one has no end. */
interface SigningSecret {
  readonly encrypted: string;
  readonly signsUntil: Date | null;
}

/** A subscription of a URL to events. */
export interface Subscription {
  readonly id: string;
  readonly companyId: string;
  readonly name: string;
  readonly url: string;
  /** The names that the subscriber used, each once. */
  readonly events: readonly string[];
  /** False while delivery is paused. */
  readonly active: boolean;
  /** The operator has suspended the company. */
  readonly suspended: boolean;
  /** The current secret first. */
  readonly secrets: readonly SigningSecret[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Orders subscriptions by creation, also within a millisecond. */
  readonly createdOrder: number;
  /** Events from before are not for it. */
  readonly eventsFrom: Date;
}

/** A change of a subscription, or what somebody sent to it again; each is an entry of the audit log. */
export interface SubscriptionEvent extends Audited {
  readonly type: `webhooks.subscription.${'created' | 'updated' | 'deleted' | 'event_sent' | 'failed_sent_again'}`;
  readonly subscriptionId: string;
}

export type SubscriptionDecision = Decision<Subscription, SubscriptionEvent>;

/** A verdict on the address comes with it: to find one takes a lookup, which is not for a decision to make. */
export interface CheckedUrl {
  readonly text: string;
  /** The problem of the URL, for the subscriber; null when it is allowed. */
  readonly problem: string | null;
}

export interface SubscriptionFields {
  readonly name: string;
  readonly url: CheckedUrl;
  readonly events: readonly string[];
}

export type SubscriptionChange = Partial<SubscriptionFields> & { readonly active?: boolean };

const NAME_LENGTH_MAX = 128;
/** Far more than there are; it bounds the answer to a list of nonsense. */
const EVENTS_MAX = 100;

/** The former secret signs too for this time after a rotation. */
const BOTH_SIGN_MS = 24 * 60 * 60 * 1000;

/**
 * A rotation whose response was lost is repeated, and then the receiver has neither of the last two secrets: so every
 * former secret signs for its day, up to this many.
 */
const FORMER_SECRETS_MAX = 5;

export function createSubscription(
  given: {
    id: string;
    companyId: string;
    createdOrder: number;
    fields: SubscriptionFields;
    active: boolean;
    encryptedSecret: string;
  },
  now: Date,
): SubscriptionDecision {
  const { id, companyId, createdOrder, fields, active, encryptedSecret } = given;
  const wrong = problems(fields);
  if (wrong) return refused(wrong);
  const created: Subscription = {
    id,
    companyId,
    name: fields.name,
    url: fields.url.text,
    events: unique(fields.events),
    active,
    suspended: false,
    secrets: [{ encrypted: encryptedSecret, signsUntil: null }],
    createdAt: now,
    updatedAt: now,
    createdOrder,
    eventsFrom: now,
  };
  const audit = auditOfSubscription('webhook.created', undefined, created);
  return decided(created, [{ type: 'webhooks.subscription.created', subscriptionId: id, audit }]);
}

export function tooManySubscriptions(max: number): Refusal {
  return refusal('limit_reached', `a company can have ${max} webhooks at most`);
}

export function updateSubscription(current: Subscription, change: SubscriptionChange, now: Date): SubscriptionDecision {
  const wrong = problems(change);
  if (wrong) return refused(wrong);
  const updated: Subscription = {
    ...current,
    name: change.name ?? current.name,
    url: change.url?.text ?? current.url,
    events: change.events ? unique(change.events) : current.events,
    active: change.active ?? current.active,
    updatedAt: now,
  };
  if (Object.keys(auditChanges(current, updated)).length === 0) return decided(updated);
  const audit = auditOfSubscription('webhook.updated', current, updated);
  return decided(updated, [{ type: 'webhooks.subscription.updated', subscriptionId: current.id, audit }]);
}

export function deleteSubscription(current: Subscription): Decision<null, SubscriptionEvent> {
  const audit = auditOfSubscription('webhook.deleted', current, undefined);
  return decided(null, [{ type: 'webhooks.subscription.deleted', subscriptionId: current.id, audit }]);
}

/** The new secret signs at once, and for a day the former one signs too. */
export function rotateSecret(current: Subscription, encryptedSecret: string, now: Date): SubscriptionDecision {
  // The write was made and its answer lost: it is decided on its own result.
  if (current.secrets[0]?.encrypted === encryptedSecret) return decided(current);
  const signsUntil = new Date(now.getTime() + BOTH_SIGN_MS);
  const former = current.secrets
    .filter((secret) => signsAt(secret, now))
    .map((secret) => ({ ...secret, signsUntil: secret.signsUntil ?? signsUntil }))
    .slice(0, FORMER_SECRETS_MAX);
  const secrets = [{ encrypted: encryptedSecret, signsUntil: null }, ...former];
  const audit = auditOfSubscription('webhook.secret_rotated', current, current);
  const event: SubscriptionEvent = { type: 'webhooks.subscription.updated', subscriptionId: current.id, audit };
  return decided({ ...current, secrets, updatedAt: now }, [event]);
}

/** Somebody sends it an event of the log. */
export function sendEvent(
  current: Subscription,
  { id, event }: { readonly id: string; readonly event: string },
): SubscriptionDecision {
  const object = { type: 'event', id, name: event };
  const audit: AuditEntry = { type: 'event.sent', object, changes: { webhook_id: { from: null, to: current.id } } };
  return decided(current, [{ type: 'webhooks.subscription.event_sent', subscriptionId: current.id, audit }]);
}

/** Somebody had so many of its deliveries sent again. */
export function sendFailedAgain(current: Subscription, count: number): SubscriptionDecision {
  const object = { type: 'webhook', id: current.id, name: current.name };
  const audit: AuditEntry = {
    type: 'webhook.failed_sent_again',
    object,
    changes: { count: { from: null, to: count } },
  };
  return decided(current, [{ type: 'webhooks.subscription.failed_sent_again', subscriptionId: current.id, audit }]);
}

/** The secrets that sign a delivery made now, the current one first. */
export function signingSecrets(subscription: Subscription, now: Date): string[] {
  return subscription.secrets.filter((secret) => signsAt(secret, now)).map(({ encrypted }) => encrypted);
}

/** The name of an event of `occurredAt` for this subscription; null when it does not match. */
export function eventNameFor(subscription: Subscription, type: EventType, occurredAt: Date): string | null {
  return occurredAt < subscription.eventsFrom ? null : matchingEventName(subscription.events, type);
}

/** After a clock went back: the subscription is not younger than now, and no former secret signs for longer than a day. */
export function adjustToClock(subscription: Subscription, now: Date): Subscription {
  const signsUntilMax = new Date(now.getTime() + BOTH_SIGN_MS);
  return {
    ...subscription,
    eventsFrom: subscription.eventsFrom < now ? subscription.eventsFrom : now,
    secrets: subscription.secrets.map((secret) =>
      secret.signsUntil !== null && secret.signsUntil > signsUntilMax
        ? { ...secret, signsUntil: signsUntilMax }
        : secret,
    ),
  };
}

function unique(events: readonly string[]): string[] {
  return [...new Set(events)];
}

function signsAt({ signsUntil }: SigningSecret, now: Date): boolean {
  return signsUntil === null || signsUntil > now;
}

function problems({ name, url, events }: Partial<SubscriptionFields>): Refusal | null {
  const fields: Record<string, string[]> = {};
  if (name !== undefined) {
    if (name.trim() === '') fields.name = ['must not be blank'];
    else if (name.length > NAME_LENGTH_MAX) fields.name = [`is too long (maximum is ${NAME_LENGTH_MAX} characters)`];
  }
  if (url?.problem) fields.url = [url.problem];
  if (events?.length === 0) fields.events = ['must have at least 1 item'];
  else if (events && events.length > EVENTS_MAX) fields.events = [`must have at most ${EVENTS_MAX} items`];
  else {
    for (const [index, event] of events?.entries() ?? []) {
      if (!isEventName(event)) fields[`events[${index}]`] = ['is not a known event type'];
    }
  }
  return Object.keys(fields).length > 0 ? invalid(fields) : null;
}

/** True when neither the company nor the subscription is paused. */
export function isDelivering({ active, suspended }: Pick<Subscription, 'active' | 'suspended'>): boolean {
  return active && !suspended;
}

export function suspendSubscription(current: Subscription, suspended: boolean): SubscriptionDecision {
  return decided({ ...current, suspended });
}

const knownNames: ReadonlySet<string> = new Set(eventTypes.flatMap((type) => [type, ...formerNamesOf(type)]));

export function isEventName(name: string): boolean {
  return knownNames.has(name);
}

/**
 * The name of an event for a subscription to `names`; null when it does not match. One that lists both the
 * current and the former name receives it once, under the current one.
 */
export function matchingEventName(names: readonly string[], type: EventType): string | null {
  return [type, ...formerNamesOf(type)].find((name) => names.includes(name)) ?? null;
}

/** The fields of a subscription that the audit log contains. */
interface AuditedSubscription {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly active: boolean;
}

/** At least one of the two states is present. Secrets are not recorded. */
function auditOfSubscription(
  type: Extract<AuditType, `webhook.${string}`>,
  before: AuditedSubscription | undefined,
  after: AuditedSubscription | undefined,
): AuditEntry {
  const { id = '', name = '' } = after ?? before ?? {};
  return { type, object: { type: 'webhook', id, name }, changes: auditChanges(before, after) };
}

/** The fields that differ. */
function auditChanges(before: AuditedSubscription | undefined, after: AuditedSubscription | undefined): AuditChanges {
  const changes = changedFields<Record<string, unknown>>({ ...fieldsOf(before) }, { ...fieldsOf(after) });
  // Compared whole, so that a change of the query alone is one.
  return changes.url ? { ...changes, url: { from: shownUrl(before), to: shownUrl(after) } } : changes;
}

function fieldsOf(subscription: AuditedSubscription | undefined): Partial<AuditedSubscription> {
  if (!subscription) return {};
  const { name, url, events, active } = subscription;
  return { name, url, events, active };
}

/** Without credentials, query and fragment, in which receivers have secrets. */
function shownUrl(subscription: AuditedSubscription | undefined): string | null {
  const url = subscription && URL.parse(subscription.url);
  return url ? url.origin + url.pathname : null;
}
