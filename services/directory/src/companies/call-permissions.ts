import { isCountryCode } from '@parley/phone-numbers';

export interface CallLimits {
  /** Inbound and outbound calls of the whole company. */
  readonly simultaneousCalls: number;
  /** New ones of the company in any minute. */
  readonly callsPerMinute: number;
  /** Calls that one employee has placed and that have not ended. */
  readonly employeeSimultaneousCalls: number;
  /** New ones of one employee in any minute. */
  readonly employeeCallsPerMinute: number;
}

export interface CallDestinations {
  /** ISO 3166-1 alpha-2; null: the default, which depends on the company's country until that is changed. */
  readonly countries: readonly string[] | null;
  readonly premiumRate: boolean;
  readonly satellite: boolean;
}

/** Absent fields stay as they are. */
export interface CallDestinationsChange {
  readonly countries?: readonly string[];
  readonly premiumRate?: boolean;
  readonly satellite?: boolean;
}

/** Enough for a large office; a compromised phone or a flood of calls stays within bounds. */
export const DEFAULT_LIMITS: CallLimits = {
  simultaneousCalls: 100,
  callsPerMinute: 300,
  employeeSimultaneousCalls: 4,
  employeeCallsPerMinute: 30,
};

export const DEFAULT_DESTINATIONS: CallDestinations = { countries: null, premiumRate: false, satellite: false };

/** The European Economic Area, GB, CH, US, CA. */
const USUAL_COUNTRIES = (
  'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE ' + 'IS LI NO GB CH US CA'
).split(' ');

/** A company with more calls has a switch of its own. */
const CALLS_MAX = 10_000;
/** There are fewer countries. */
const COUNTRIES_MAX = 300;
/** The limits and their names in the API. */
const LIMITS = {
  simultaneousCalls: 'limits.simultaneous_calls',
  callsPerMinute: 'limits.calls_per_minute',
  employeeSimultaneousCalls: 'limits.employee_simultaneous_calls',
  employeeCallsPerMinute: 'limits.employee_calls_per_minute',
} as const;

/** What a company may call, with the list of countries. */
export function destinationsOf({
  country,
  destinations = DEFAULT_DESTINATIONS,
}: {
  readonly country: string;
  readonly destinations?: CallDestinations;
}) {
  const { countries } = destinations;
  return { ...destinations, countries: countries ?? [...new Set([country, ...USUAL_COUNTRIES])].toSorted() };
}

/** Returns the problem of limits that an operator wants to set. Zero is allowed: no calls at all. */
export function limitProblems(change: Partial<CallLimits>): Record<string, string[]> {
  const wrong = (Object.keys(LIMITS) as (keyof CallLimits)[]).filter((name) => {
    const value = change[name];
    return value !== undefined && !(Number.isInteger(value) && value >= 0 && value <= CALLS_MAX);
  });
  return Object.fromEntries(wrong.map((name) => [LIMITS[name], [`must be a whole number from 0 to ${CALLS_MAX}`]]));
}

export function destinationProblems({ countries = [] }: CallDestinationsChange): Record<string, string[]> {
  if (countries.length > COUNTRIES_MAX) return { 'destinations.countries': [`has more than ${COUNTRIES_MAX} entries`] };
  return Object.fromEntries(
    countries.flatMap((code, index) =>
      isCountryCode(code) ? [] : [[`destinations.countries[${index}]`, ['is not the code of a country']]],
    ),
  );
}
