import { isDeepStrictEqual } from 'node:util';
import { type Audited, type AuditType, changedFields, type Role } from '@parley/actor';
import { type Decision, decided, invalid, type Refusal, refusal, refused } from '@parley/errors';
import { plainLine, suffixesOf, uniqueTerms, wordsOf } from '@parley/text';
import { type AssistantLimits, assistantLimitProblems, DEFAULT_ASSISTANT_LIMITS } from './assistant-limits.ts';
import {
  type CallDestinations,
  type CallDestinationsChange,
  type CallLimits,
  DEFAULT_DESTINATIONS,
  DEFAULT_LIMITS,
  destinationProblems,
  destinationsOf,
  limitProblems,
} from './call-permissions.ts';

/** An account: it owns numbers, employees and contacts. */
export interface Company {
  readonly id: string;
  /** The same as `id`: a company belongs to itself. */
  readonly companyId: string;
  readonly name: string;
  readonly address: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly zip: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly vatId: string | null;
  readonly requiresTwoFactor: boolean;
  /** Lets admins listen to calls of their coworkers. */
  readonly supervisionEnabled: boolean;
  /** The operator's decision. */
  readonly messagingEnabled: boolean;
  /** The operator's decision; absent until then: the default. */
  readonly limits?: CallLimits;
  /** The operator's decision; absent until then: the default. */
  readonly destinations?: CallDestinations;
  /** The operator's decision; absent until then: the default. */
  readonly assistant?: AssistantLimits;
  /** The operator's decision. */
  readonly suspended: boolean;
  /** Its deletion was requested. */
  readonly isBeingDeleted: boolean;
  /** Orders companies by creation. */
  readonly createdOrder: number;
  /** The terms of the operator's search. */
  readonly searchTerms: readonly string[];
}

/** The fields that only the operator may change. Absent fields stay as they are. */
export interface OperatorChange {
  readonly name?: string;
  readonly messagingEnabled?: boolean;
  readonly limits?: Partial<CallLimits>;
  readonly destinations?: CallDestinationsChange;
  readonly assistant?: Partial<AssistantLimits>;
  readonly suspended?: boolean;
}

export interface CompanyEvent extends Audited {
  readonly type: 'directory.company.created' | 'directory.company.updated';
  readonly company: Company;
}

/** The EU and EEA, GB, CH, US, CA, AU, NZ. */
export const SUPPORTED_COUNTRIES: ReadonlySet<string> = new Set(
  (
    'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE ' + 'IS LI NO GB CH US CA AU NZ'
  ).split(' '),
);

/** Absent fields stay as they are; null clears. */
export interface CompanyChange {
  readonly address?: string | null;
  readonly city?: string | null;
  readonly state?: string | null;
  readonly zip?: string | null;
  readonly country?: string;
  readonly vatId?: string | null;
  readonly requiresTwoFactor?: boolean;
  readonly supervisionEnabled?: boolean;
}

const NAME_LENGTH_MAX = 255;
const TEXT_LENGTH_MAX = 255;
const TERMS_MAX = 500;
/** The text fields of a company and their names in the API. */
const TEXTS = { address: 'address', city: 'city', state: 'state', zip: 'zip', vatId: 'vat_id' } as const;

export function createCompany(
  { id, createdOrder }: { id: string; createdOrder: number },
  details: { name: string; country: string; messagingEnabled: boolean },
): Decision<Company, CompanyEvent> {
  const problems = { ...nameProblem(details.name), ...countryProblem(details.country) };
  if (Object.keys(problems).length > 0) return refused(invalid(problems));
  const name = plainLine(details.name).trim();
  const company: Company = {
    id,
    companyId: id,
    name,
    address: null,
    city: null,
    state: null,
    zip: null,
    country: details.country,
    vatId: null,
    requiresTwoFactor: false,
    supervisionEnabled: false,
    messagingEnabled: details.messagingEnabled,
    suspended: false,
    isBeingDeleted: false,
    createdOrder,
    searchTerms: companySearchTerms(name),
  };
  return decided(company, [{ type: 'directory.company.created', company, audit: audit('created', {}, company) }]);
}

/** A change by the company's own employees. A change without effect emits no event. */
export function updateCompany(current: Company, change: CompanyChange): Decision<Company, CompanyEvent> {
  const problems = change.country === undefined ? {} : countryProblem(change.country);
  const fields: { -readonly [Name in keyof CompanyChange]: CompanyChange[Name] } = { ...change };
  for (const [name, field] of Object.entries(TEXTS) as [keyof typeof TEXTS, string][]) {
    const text = change[name];
    if (typeof text !== 'string') continue;
    fields[name] = text.trim() === '' ? null : text.trim();
    if (text.length > TEXT_LENGTH_MAX)
      Object.assign(problems, { [field]: [`is too long (maximum is ${TEXT_LENGTH_MAX} characters)`] });
  }
  if (Object.keys(problems).length > 0) return refused(invalid(problems));
  const changed = Object.entries(fields).some(([name, value]) => current[name as keyof CompanyChange] !== value);
  if (!changed) return decided(current);
  const { country = current.country } = change;
  // What the company may call is the operator's decision: another country does not change it.
  const before = country === current.country ? current : { ...current, destinations: destinationsOf(current) };
  return updated(before, { ...before, ...fields });
}

/** Owners decide whether a second factor is required, and never through an app (OAuth). */
export function mayChangeTwoFactorRule(caller: { role: Role; credentialType: string }): boolean {
  return caller.role === 'owner' && caller.credentialType !== 'oauth_token';
}

export const deletionInProgress: Refusal = refusal('deletion_in_progress', 'the company is being deleted');

/** A company that is being deleted accepts no new objects and stays suspended. */
export function markForDeletion(current: Company): Decision<Company, CompanyEvent> {
  if (current.isBeingDeleted) return decided(current);
  return updated(current, { ...current, suspended: true, isBeingDeleted: true });
}

/** A change without effect emits no event. */
export function updateCompanyByOperator(current: Company, change: OperatorChange): Decision<Company, CompanyEvent> {
  if (current.isBeingDeleted) return refused(deletionInProgress);
  const { name, messagingEnabled, limits, destinations, assistant } = change;
  const problems = {
    ...(name !== undefined && nameProblem(name)),
    ...(limits && limitProblems(limits)),
    ...(destinations && destinationProblems(destinations)),
    ...(assistant && assistantLimitProblems(assistant)),
  };
  if (Object.keys(problems).length > 0) return refused(invalid(problems));
  const newName = name === undefined ? current.name : plainLine(name).trim();
  const company: Company = {
    ...current,
    name: newName,
    ...(newName !== current.name && { searchTerms: companySearchTerms(newName) }),
    messagingEnabled: messagingEnabled ?? current.messagingEnabled,
    ...(limits && { limits: { ...DEFAULT_LIMITS, ...current.limits, ...limits } }),
    ...(destinations && { destinations: changedDestinations(current.destinations, destinations) }),
    ...(assistant && { assistant: { ...DEFAULT_ASSISTANT_LIMITS, ...current.assistant, ...assistant } }),
    suspended: change.suspended ?? current.suspended,
  };
  if (isDeepStrictEqual(company, current)) return decided(current);
  return updated(current, company);
}

/** Every ending of every word of the name, so that any part of a word is found through an index. */
export function companySearchTerms(name: string): string[] {
  return uniqueTerms(suffixesOf(wordsOf(name)), TERMS_MAX);
}

function updated(current: Company, company: Company): Decision<Company, CompanyEvent> {
  return decided(company, [{ type: 'directory.company.updated', company, audit: audit('updated', current, company) }]);
}

/** Names in the API, for the audit log. */
function audit(verb: 'created' | 'updated', before: Partial<Company>, company: Company) {
  return {
    type: `company.${verb}` satisfies AuditType,
    object: { type: 'company', id: company.id, name: company.name },
    changes: changedFields(auditFields(before), auditFields(company)),
  };
}

function auditFields(company: Partial<Company>) {
  const { name, address, city, state, zip, country, vatId, requiresTwoFactor, messagingEnabled } = company;
  const { supervisionEnabled = false, suspended = false } = company;
  return {
    name,
    address,
    city,
    state,
    zip,
    country,
    vat_id: vatId,
    requires_two_factor: requiresTwoFactor,
    supervision_enabled: supervisionEnabled,
    messaging_enabled: messagingEnabled,
    limits: company.limits ?? DEFAULT_LIMITS,
    destinations: company.destinations ?? DEFAULT_DESTINATIONS,
    assistant: company.assistant ?? DEFAULT_ASSISTANT_LIMITS,
    suspended,
  };
}

function changedDestinations(
  current: CallDestinations = DEFAULT_DESTINATIONS,
  { countries, ...change }: CallDestinationsChange,
): CallDestinations {
  return { ...current, ...change, ...(countries && { countries: [...new Set(countries)] }) };
}

function nameProblem(name: string): Record<string, string[]> {
  if (plainLine(name).trim() === '') return { name: ['is required'] };
  return name.length > NAME_LENGTH_MAX ? { name: [`is too long (maximum is ${NAME_LENGTH_MAX} characters)`] } : {};
}

function countryProblem(country: string): Record<string, string[]> {
  return SUPPORTED_COUNTRIES.has(country) ? {} : { country: ['is not a supported country'] };
}
