import { destinationOf } from './destination.ts';
import { readEmergencyNumber } from './emergency-numbers.ts';
import { readPhoneNumber } from './phone-number.ts';

export interface CallingRules {
  /** The company's own country, ISO 3166-1 alpha-2: national numbers are read with it. */
  readonly country: string;
  readonly destinations: {
    readonly countries: readonly string[];
    readonly premiumRate: boolean;
    readonly satellite: boolean;
  };
}

/** A number that may be called. */
export interface CallableNumber {
  /** E.164, or an emergency number as it is dialled. */
  readonly to: string;
  readonly isEmergency: boolean;
  /** Null for a number of no country. */
  readonly country: string | null;
}

/** Reads what a company wants to call. Emergency numbers are always allowed. */
export function readCallableNumber(
  dialled: string,
  { country: own, destinations }: CallingRules,
): CallableNumber | 'not_a_number' | 'not_allowed' {
  const emergency = readEmergencyNumber(dialled, own);
  if (emergency !== undefined) return { to: emergency, isEmergency: true, country: own };
  const to = readPhoneNumber(dialled, own)?.number;
  const destination = to === undefined ? undefined : destinationOf(to);
  if (to === undefined || !destination) return 'not_a_number';
  const { kind, country } = destination;
  const isAllowed =
    (kind !== 'premium_rate' || destinations.premiumRate) &&
    (kind !== 'satellite' || destinations.satellite) &&
    // Numbers of no country are allowed or not by their kind alone; one whose country is unknown is not.
    (country === null ? kind !== 'ordinary' : destinations.countries.includes(country));
  return isAllowed ? { to, isEmergency: false, country } : 'not_allowed';
}

/** Whether exactly this number, in E.164, may be called or sent a text: a stored one, or one that a stranger wrote. */
export function isAllowedDestination(number: string, rules: CallingRules): boolean {
  const read = readCallableNumber(number, rules);
  return typeof read === 'object' && !read.isEmergency && read.to === number;
}
