import { type Audited, type AuditEntry, type AuditType, changedFields } from '@parley/actor';
import { type Decision, decided, refusal, refused } from '@parley/errors';
import { collectProblems, type Problems } from '../fields/problems.ts';
import { readMillionths } from './decimal.ts';

/** What tokens cost; amounts are decimal numbers. */
export interface TokenPrices {
  /** ISO 4217. */
  readonly currency: string;
  readonly inputPerMillion: string;
  readonly outputPerMillion: string;
}

/** A language model behind an address, of a company. */
export interface Endpoint {
  readonly id: string;
  readonly companyId: string;
  /** The base of its address up to the version, without a slash at its end. */
  readonly url: string;
  readonly model: string;
  readonly encryptedApiKey: string | null;
  readonly prices: TokenPrices | null;
  /** A decimal number in the currency of the prices. */
  readonly monthlySpendLimit: string | null;
}

export interface EndpointEvent extends Audited {
  readonly type: 'assistant.endpoint.changed' | 'assistant.endpoint.removed';
  readonly endpoint: Endpoint;
}

/** An endpoint as an admin writes it. */
export interface WrittenEndpoint {
  readonly url: string;
  /** What is wrong with the address; null when it may be used. */
  readonly urlProblem: string | null;
  readonly model: string;
  /** Undefined keeps the stored one, null removes it. */
  readonly apiKey: string | null | undefined;
  readonly prices: TokenPrices | null;
  readonly monthlySpendLimit: string | null;
}

const MODEL_LENGTH_MAX = 200;
const KEY_LENGTH_MAX = 1024;

const forbidden = refusal('forbidden', 'forbidden');
const notAnAmount = 'must be an amount, such as "12.50"';

/**
 * Replaces the endpoint. `byApp`: with an OAuth token, which never reaches the key and the limit of the endpoint. `encrypt` comes from
 * outside: a key is never part of the state in the clear.
 */
export function putEndpoint(
  identity: Pick<Endpoint, 'id' | 'companyId'>,
  current: Endpoint | undefined,
  written: WrittenEndpoint,
  { byApp, encrypt }: { readonly byApp: boolean; readonly encrypt: (key: string) => string },
): Decision<Endpoint, EndpointEvent> {
  const url = withoutLastSlash(written.url);
  const { model, apiKey, prices, monthlySpendLimit } = written;
  if (byApp && (apiKey !== undefined || !keepsLimit(current, written))) return refused(forbidden);
  const problems = collectProblems();
  checkUrlText(written, problems);
  problems.text('model', model, MODEL_LENGTH_MAX);
  if (typeof apiKey === 'string') checkKey(apiKey, problems);
  const isKeptElsewhere = apiKey === undefined && (current?.encryptedApiKey ?? null) !== null && url !== current?.url;
  if (isKeptElsewhere) problems.add('api_key', 'is required with another url');
  checkPrices(prices, monthlySpendLimit, problems);
  const wrong = problems.refusal();
  if (wrong) return refused(wrong);
  const kept = current?.encryptedApiKey ?? null;
  const encryptedApiKey = apiKey === undefined ? kept : apiKey === null ? null : encrypt(apiKey);
  const endpoint: Endpoint = { ...identity, url, model, encryptedApiKey, prices, monthlySpendLimit };
  const audit = auditOf('assistant_endpoint.changed', current, endpoint);
  if (current && Object.keys(audit.changes).length === 0) return decided(current);
  return decided(endpoint, [{ type: 'assistant.endpoint.changed', endpoint, audit }]);
}

export function removeEndpoint(
  current: Endpoint,
  { byApp }: { readonly byApp: boolean },
): Decision<null, EndpointEvent> {
  if (byApp && (current.encryptedApiKey !== null || current.monthlySpendLimit !== null)) return refused(forbidden);
  const audit = auditOf('assistant_endpoint.removed', current, undefined);
  return decided(null, [{ type: 'assistant.endpoint.removed', endpoint: current, audit }]);
}

/** Authenticated with the ciphertext: a key cannot be decrypted as that of another endpoint. */
export const keyContext = (endpointId: string) => `endpoint/${endpointId}/api_key`;

/** Prices decide when a limit is reached. */
function keepsLimit(current: Endpoint | undefined, written: WrittenEndpoint): boolean {
  const limit = current?.monthlySpendLimit ?? null;
  if (limit === null) return written.monthlySpendLimit === null;
  return written.monthlySpendLimit === limit && json(written.prices) === json(current?.prices);
}

function checkUrlText({ url, urlProblem }: WrittenEndpoint, problems: Problems): void {
  if (url.trim() === '') return problems.add('url', 'must not be blank');
  if (urlProblem !== null) return problems.add('url', urlProblem);
  if (/[?#]/.test(url)) problems.add('url', 'must not have a query or a fragment');
}

/** It is sent as a header's value. */
function checkKey(key: string, problems: Problems): void {
  if (key.trim() === '') problems.add('api_key', 'must not be blank');
  else if (key.length > KEY_LENGTH_MAX)
    problems.add('api_key', `is too long (maximum is ${KEY_LENGTH_MAX} characters)`);
  else if (!/^[\x21-\x7e]+$/.test(key)) problems.add('api_key', 'contains an invalid character');
}

function checkPrices(prices: TokenPrices | null, limit: string | null, problems: Problems): void {
  if (prices) {
    if (!/^[A-Z]{3}$/.test(prices.currency)) problems.add('prices.currency', 'is not an ISO 4217 code');
    if (readMillionths(prices.inputPerMillion) === undefined) problems.add('prices.input_per_million', notAnAmount);
    if (readMillionths(prices.outputPerMillion) === undefined) problems.add('prices.output_per_million', notAnAmount);
  }
  if (limit === null) return;
  if (!prices) problems.add('monthly_spend_limit', 'needs prices');
  if (readMillionths(limit) === undefined) problems.add('monthly_spend_limit', notAnAmount);
}

function withoutLastSlash(url: string): string {
  return url.trim().replace(/\/+$/, '');
}

/** Of the URL only origin and path are recorded. */
function auditOf(type: AuditType, before: Endpoint | undefined, after: Endpoint | undefined): AuditEntry {
  const { id = '', model: name = '' } = after ?? before ?? {};
  const changes = changedFields(auditedFields(before), auditedFields(after), { hidden: ['api_key'] });
  return { type, object: { type: 'assistant_endpoint', id, name }, changes };
}

function auditedFields(endpoint: Endpoint | undefined): Record<string, unknown> {
  if (!endpoint) return {};
  const { url, model, encryptedApiKey, prices, monthlySpendLimit } = endpoint;
  return { url, model, api_key: encryptedApiKey, prices, monthly_spend_limit: monthlySpendLimit };
}

function json(value: unknown): string {
  return JSON.stringify(value ?? null);
}
