import { type AuditChanges, type AuditEntry, type AuditType, changedFields } from '@parley/actor';

/** The fields of a subscription that the audit log contains. */
interface AuditedSubscription {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly active: boolean;
}

/** At least one of the two states is present. Secrets are not recorded. */
export function auditOfSubscription(
  type: Extract<AuditType, `webhook.${string}`>,
  before: AuditedSubscription | undefined,
  after: AuditedSubscription | undefined,
): AuditEntry {
  const { id = '', name = '' } = after ?? before ?? {};
  return { type, object: { type: 'webhook', id, name }, changes: auditChanges(before, after) };
}

/** The fields that differ. */
export function auditChanges(
  before: AuditedSubscription | undefined,
  after: AuditedSubscription | undefined,
): AuditChanges {
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
