import { type AuditEntry, type Audited, type AuditType, changedFields } from '@parley/actor';
import { type Decision, decided, invalid, refused } from '@parley/errors';

/** The kinds of systems in the order of their precedence; a company has at most one of each. */
export const INTEGRATION_KINDS = ['custom_endpoint', 'ecommerce', 'accounting'] as const;
export type IntegrationKind = (typeof INTEGRATION_KINDS)[number];

/** An external system with data about a company's callers. */
export interface Integration {
  readonly id: string;
  readonly companyId: string;
  readonly kind: IntegrationKind;
  readonly url: string;
  readonly encryptedSecret: string;
  readonly label: string;
  /** The store, workspace or account. */
  readonly source: string;
}

export interface IntegrationEvent extends Audited {
  readonly type: 'directory.integration.saved' | 'directory.integration.removed';
  readonly integration: Integration;
}

export interface IntegrationDetails {
  readonly url: string;
  readonly secret: string;
  readonly label: string | null;
  readonly source: string | null;
}

const TEXT_LENGTH_MAX = 128;
const SECRET_LENGTH_MAX = 1024;

const LABELS: Record<IntegrationKind, string> = {
  custom_endpoint: 'Custom endpoint',
  ecommerce: 'Shopify',
  accounting: 'e-conomic',
};

/** `encrypt` comes from outside: a secret is never part of the state in the clear. The address was checked before. */
export function saveIntegration(
  identity: Pick<Integration, 'id' | 'companyId' | 'kind'>,
  details: IntegrationDetails,
  encrypt: (secret: string) => string,
  before?: Integration,
): Decision<Integration, IntegrationEvent> {
  const problems: Record<string, string[]> = {};
  if (details.secret.trim() === '') problems['secret'] = ['is required'];
  else if (details.secret.length > SECRET_LENGTH_MAX)
    problems['secret'] = [`is too long (maximum is ${SECRET_LENGTH_MAX} characters)`];
  // It is sent as a header's value.
  else if (!/^[\x20-\x7e]+$/.test(details.secret)) problems['secret'] = ['contains an invalid character'];
  for (const field of ['label', 'source'] as const)
    if ((details[field] ?? '').length > TEXT_LENGTH_MAX)
      problems[field] = [`is too long (maximum is ${TEXT_LENGTH_MAX} characters)`];
  if (Object.keys(problems).length > 0) return refused(invalid(problems));
  const integration: Integration = {
    ...identity,
    url: details.url,
    encryptedSecret: encrypt(details.secret),
    label: details.label?.trim() || LABELS[identity.kind],
    source: details.source?.trim() || new URL(details.url).host,
  };
  const audit = auditOf('integration.saved', before, integration);
  return decided(integration, [{ type: 'directory.integration.saved', integration, audit }]);
}

/** Authenticated with the ciphertext: a secret cannot be decrypted as that of another integration. */
export const secretContext = (integrationId: string) => `integration/${integrationId}/secret`;

export function removeIntegration(current: Integration): Decision<null, IntegrationEvent> {
  const audit = auditOf('integration.removed', current, undefined);
  return decided(null, [{ type: 'directory.integration.removed', integration: current, audit }]);
}

/** Only origin and path of the URL are recorded, because the rest may contain a secret. */
function auditOf(
  type: Extract<AuditType, `integration.${string}`>,
  before: Integration | undefined,
  after: Integration | undefined,
): AuditEntry {
  const { id = '', label: name = '' } = after ?? before ?? {};
  const changes = changedFields(auditedFields(before), auditedFields(after), { hidden: ['secret'] });
  return { type, object: { type: 'integration', id, name }, changes };
}

function auditedFields(integration: Integration | undefined): Record<string, unknown> {
  if (!integration) return {};
  const { kind, url, label, source, encryptedSecret: secret } = integration;
  const { origin, pathname } = new URL(url);
  return { kind, url: `${origin}${pathname}`, label, source, secret };
}
