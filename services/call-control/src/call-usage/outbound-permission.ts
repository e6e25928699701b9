import { invalid, type Refusal, refusal } from '@parley/errors';
import { destinationOf, readEmergencyNumber, readPhoneNumber } from '@parley/phone-numbers';
import type { CallLimits } from './call-usage.ts';

/** What decides which calls a company may have. */
export interface CompanyCallSettings {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Its name and postal address in one line, for emergency services. */
  readonly address: string;
  readonly limits: CallLimits;
  readonly destinations: {
    readonly countries: readonly string[];
    readonly premiumRate: boolean;
    readonly satellite: boolean;
  };
}

/** A number that may be called. */
export interface AllowedNumber {
  /** E.164, or an emergency number as it is dialled. */
  readonly to: string;
  readonly isEmergency: boolean;
  /** Null for a number of no country. */
  readonly country: string | null;
}

export const tooManyCalls: Refusal = refusal('too_many_calls', 'There are as many calls as there may be.');

const destinationNotAllowed: Refusal = refusal('destination_not_allowed', 'The company may not call this number.');

/** Whether a company may call what was dialled. Emergency numbers are always allowed. */
export function permitNumber(
  dialled: string,
  { country: own, destinations }: Pick<CompanyCallSettings, 'country' | 'destinations'>,
): { readonly allowed: AllowedNumber } | { readonly refused: Refusal } {
  const emergency = readEmergencyNumber(dialled, own);
  if (emergency !== undefined) return { allowed: { to: emergency, isEmergency: true, country: own } };
  const to = readPhoneNumber(dialled, own)?.number;
  const destination = to === undefined ? undefined : destinationOf(to);
  if (to === undefined || !destination) return { refused: invalid({ to: ['is not a valid phone number'] }) };
  const { kind, country } = destination;
  const isAllowed =
    (kind !== 'premium_rate' || destinations.premiumRate) &&
    (kind !== 'satellite' || destinations.satellite) &&
    // Numbers of no country are allowed or not by their kind alone; one whose country is unknown is not.
    (country === null ? kind !== 'ordinary' : destinations.countries.includes(country));
  return isAllowed ? { allowed: { to, isEmergency: false, country } } : { refused: destinationNotAllowed };
}
