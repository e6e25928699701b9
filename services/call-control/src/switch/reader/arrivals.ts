import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '@parley/clock';
import { decided, type Refusal } from '@parley/errors';
import { derivedId, isId, randomPart } from '@parley/secrets';
import { collidedIndex } from '@parley/mongo';
import { isAllowedDestination, readEmergencyNumber, readPhoneNumber } from '@parley/phone-numbers';
import type { Logger } from '@parley/telemetry';
import { LRUCache } from 'lru-cache';
import { isActive } from '../../presence/presence.ts';
import type { Presences } from '../../presence/presence-store.ts';
import type { Arrival } from '../../calls/model/leg-event.ts';
import type { TrunkEnd } from '../connection/command-lines.ts';
import type { Switch, Switches } from '../connection/switch-client.ts';
import type { TrunkTickets } from '../trunks/trunk-ticket.ts';
import type { HangupCause } from '../../calls/model/call-command.ts';
import type { CallAdmissions } from '../../call-usage/call-admissions.ts';
import { type CompanyCallSettings, permitCall } from '../../call-usage/call-permission.ts';
import type { CallDecision } from '../../calls/decide/call-draft.ts';
import { decideCall } from '../../calls/decide/decide-call.ts';
import type { CallKey } from '../../calls/store/call-runner.ts';
import type { Calls } from '../../calls/store/call-store.ts';
import type { CompanyOf } from '../../clients/company-client.ts';
import { createInboundCall, createOutboundCall, type NewInboundCall, ANONYMOUS } from '../../calls/decide/new-call.ts';
import type { Routing } from '../../clients/routing-client.ts';

/** Creates calls for legs that arrive at a switch, or adds them to the call that their phone returns to. */
export interface Arrivals {
  /**
   * The call, and whether the arrival is part of its state; undefined when the leg was rejected, or connected with a phone here
   * or a switch elsewhere for a call of another switch.
   */
  take(
    at: { switch: Switch; coreUuid: string; legId: string },
    arrival: Arrival,
  ): Promise<{ readonly key: CallKey; readonly isHandled: boolean } | undefined>;
}

/** `id`: that the call will have. */
type ArrivedLeg = Pick<NewInboundCall, 'id' | 'seed' | 'switch' | 'legId'> & {
  /** The switch takes no new calls. */
  readonly isRefused: boolean;
};

type Outcome =
  | { readonly decision: CallDecision; readonly companyId: string }
  | { readonly joined: CallKey }
  | { readonly connected: TrunkEnd }
  /** `reason`: for a phone, why. */
  | { readonly reject: HangupCause; readonly reason?: string };

/** The switch ends a leg that was not handled after 15 s. */
const ATTEMPTS = 4;
const PAUSE_MS = 1000;
const NUMBERS_MAX = 1000;
/** The cause of 503: who called tries another switch. */
const DRAINING = 'NORMAL_TEMPORARY_FAILURE';
/** The settings of a company that cannot be looked up: emergency numbers connect nevertheless. */
const UNKNOWN_COMPANY: CompanyCallSettings = {
  country: '',
  address: '',
  limits: { simultaneousCalls: 0, callsPerMinute: 0, employeeSimultaneousCalls: 0, employeeCallsPerMinute: 0 },
  destinations: { countries: [], premiumRate: false, satellite: false },
};

interface ArrivalDeps {
  readonly calls: Calls;
  readonly routing: Routing;
  readonly presences: Pick<Presences, 'of'>;
  readonly companyOf: CompanyOf;
  readonly admissions: CallAdmissions;
  readonly switches: Switches;
  readonly tickets: TrunkTickets;
  readonly carriers: number;
  /** What the ids of calls are derived with. */
  readonly idKey: Uint8Array;
  readonly clock: Clock;
  readonly log: Logger;
}

interface ArrivalContext extends ArrivalDeps {
  /** So that the next call to a number asks for its route and its company at the same time. */
  readonly companyOfNumber: LRUCache<string, string>;
}

export function callArrivals(deps: ArrivalDeps): Arrivals {
  const { calls, admissions, idKey, log } = deps;
  const context = { ...deps, companyOfNumber: new LRUCache<string, string>({ max: NUMBERS_MAX }) };
  return {
    async take({ switch: at, coreUuid, legId }, arrival) {
      // The same whoever sees it arrive, and however late: a process that stood still may go on when the call has ended.
      const id = derivedId('cal', idKey, `${coreUuid}/${legId}`);
      const reference = { name: at.name, coreUuid };
      const leg = { id, seed: randomPart(16).toString('hex'), switch: reference, legId, isRefused: at.isDraining };
      const outcome = await withRetries(log, () => outcomeOf(context, arrival, leg));
      if ('reject' in outcome) {
        const known = await knownCall(calls, legId);
        if (known) return known;
        const { reject: cause, reason } = outcome;
        log.debug({ switch: at.name, cause }, 'a call was rejected');
        const step = reason === undefined ? { do: 'hang_up' as const } : { do: 'refuse' as const, reason };
        await at.control(legId, [{ ...step, legId, cause }]);
        return undefined;
      }
      if ('joined' in outcome) return { key: outcome.joined, isHandled: true };
      if ('connected' in outcome) {
        await at.connectTrunk(legId, outcome.connected);
        return undefined;
      }
      const { companyId, decision } = outcome;
      try {
        await calls.of(companyId).create(decision);
        return { key: { companyId, id }, isHandled: true };
      } catch (error) {
        const known = await knownCall(calls, legId);
        // It may have been created although the answer was lost.
        if (known?.key.id !== id) admissions.ended({ companyId, id });
        if (known) return known;
        if (collidedIndex(error) === '_id_') return { key: { companyId, id }, isHandled: true };
        throw error;
      }
    },
  };
}

/** The process that read this switch before may have seen the leg arrive as well. */
async function knownCall(calls: Calls, legId: string) {
  const known = await calls.byLeg(legId);
  return known && { key: { companyId: known.companyId, id: known.id }, isHandled: false };
}

function outcomeOf(context: ArrivalContext, arrival: Arrival, leg: ArrivedLeg): Promise<Outcome> {
  switch (arrival.kind) {
    case 'carrier':
      return fromCarrier(context, arrival, leg);
    case 'phone':
      return fromPhone(context, arrival, leg);
    case 'switch':
      return fromSwitch(context, arrival, leg);
  }
}

async function fromCarrier(
  { routing, companyOf, admissions, clock, companyOfNumber }: ArrivalContext,
  arrival: Extract<Arrival, { kind: 'carrier' }>,
  { isRefused, ...leg }: ArrivedLeg,
): Promise<Outcome> {
  if (isRefused) return { reject: DRAINING };
  const dialled = internationalNumber(arrival.dialled);
  if (dialled === undefined) return { reject: 'UNALLOCATED_NUMBER' };
  const expected = companyOfNumber.get(dialled);
  if (expected !== undefined) companyOf(expected).catch(() => {});
  const route = await routing.route(dialled, clock.now());
  if (!route?.flow) return { reject: 'UNALLOCATED_NUMBER' };
  const { companyId, number, flow, noAnswer, withinBusinessHours } = route;
  companyOfNumber.set(dialled, companyId);
  // A company that cannot be looked up does not keep the call from being taken; one that was deleted had the number a moment ago.
  const company = await companyOf(companyId).catch(() => null);
  if (company === undefined) return { reject: 'UNALLOCATED_NUMBER' };
  if (company?.isSuspended) return { reject: 'CALL_REJECTED' };
  // Before anything else is done for the call: what is refused costs others as little as possible.
  if (company) {
    const request = { callId: leg.id, employeeId: null, limits: company.limits, placed: null };
    if ((await admissions.admit(companyId, request)) !== null) return { reject: 'USER_BUSY' };
  }
  const from = callerNumber(arrival.from ?? '', company?.country);
  // The caller may have withheld the number, or forged one.
  const mayBeCalledBack = number.callbackPrompt && company && isAllowedDestination(from, company);
  const { callbackPrompt: _offer, ...silent } = number;
  const call = {
    ...leg,
    companyId,
    from,
    to: number.number,
    number: mayBeCalledBack ? number : silent,
    flow,
    noAnswer,
  };
  const looksUpCaller = company?.hasIntegrations ?? true;
  return { companyId, decision: createInboundCall({ ...call, withinBusinessHours, looksUpCaller }, clock.now()) };
}

/** The caller is determined by the switch's authentication; the requested number must be the company's. */
async function fromPhone(
  context: ArrivalContext,
  arrival: Extract<Arrival, { kind: 'phone' }>,
  { isRefused, ...leg }: ArrivedLeg,
): Promise<Outcome> {
  const { routing, presences, companyOf, admissions, carriers, clock } = context;
  const { companyId, employeeId, businessNumber } = arrival;
  if (isId('cal', arrival.dialled)) return phoneReturned(context, arrival, leg);
  const [presence, calling, company] = await Promise.all([
    presences.of(companyId).get(employeeId),
    businessNumber === null ? undefined : routing.number(businessNumber),
    companyOf(companyId).catch((error: unknown) => {
      if (readEmergencyNumber(arrival.dialled, '') === undefined) throw error;
      return UNKNOWN_COMPANY;
    }),
  ]);
  if (
    !presence ||
    !isActive(presence) ||
    calling?.companyId !== companyId ||
    !calling.isActive ||
    !company ||
    carriers === 0
  )
    return { reject: 'CALL_REJECTED' };
  if (isRefused && readEmergencyNumber(arrival.dialled, company.country) === undefined) return { reject: DRAINING };
  const request = { companyId, employeeId, callId: leg.id, dialled: arrival.dialled };
  const permitted = await permitCall(admissions, company, request);
  if ('refused' in permitted) return rejection(permitted.refused);
  const { to, isEmergency } = permitted.allowed;
  const employee = { id: employeeId, name: presence.employee.name };
  const { number } = calling;
  const emergency = isEmergency ? { address: company.address } : undefined;
  const call = { ...leg, companyId, from: number.number, to, number, employee, carriers, emergency };
  return { companyId, decision: createOutboundCall(call, clock.now()) };
}

/** The phone dials the id of the call that its employee is in, which another switch may have. */
async function phoneReturned(
  context: ArrivalContext,
  { companyId, employeeId, dialled: callId }: Extract<Arrival, { kind: 'phone' }>,
  leg: Pick<ArrivedLeg, 'legId' | 'switch'>,
): Promise<Outcome> {
  const { calls, switches, tickets } = context;
  const has = (await calls.of(companyId).get(callId))?.switch.name;
  const address = switches.all.find(({ name }) => name === has && name !== leg.switch.name)?.trunkAddress;
  if (address === undefined) return returnToCall(context, { companyId, employeeId, callId }, leg);
  const ticket = tickets.seal({ task: 'return', callId, companyId, employeeId });
  return { connected: { kind: 'switch', address, ticket } };
}

/** What a switch is asked to do for the calls of another one; so it does not matter that it takes no new calls. */
async function fromSwitch(
  context: ArrivalContext,
  arrival: Extract<Arrival, { kind: 'switch' }>,
  leg: ArrivedLeg,
): Promise<Outcome> {
  const ticket = context.tickets.open(arrival.ticket);
  if (!ticket) return { reject: 'CALL_REJECTED' };
  if (ticket.task === 'return') return returnToCall(context, ticket, leg);
  const { callId, phone: dialString, timeoutSecs } = ticket;
  return { connected: { kind: 'phone', dialString, callId, timeoutSecs } };
}

async function returnToCall(
  { calls, clock }: ArrivalContext,
  { companyId, employeeId, callId: id }: { companyId: string; employeeId: string; callId: string },
  { legId, switch: at }: Pick<ArrivedLeg, 'legId' | 'switch'>,
): Promise<Outcome> {
  const call = await calls
    .of(companyId)
    .changeIfExists(id, (current) =>
      isDeepStrictEqual(current.switch, at)
        ? decideCall(current, { type: 'phone_returned', legId, employeeId }, clock.now())
        : decided(current),
    );
  return call?.legIds.includes(legId) ? { joined: { companyId, id } } : { reject: 'CALL_REJECTED' };
}

/** The status of the response and a header with the code tell the phone why the call is refused. */
function rejection({ code }: Refusal): Extract<Outcome, { reject: HangupCause }> {
  if (code === 'too_many_calls') return { reject: 'USER_BUSY', reason: code };
  if (code === 'destination_not_allowed') return { reject: 'OUTGOING_CALL_BARRED', reason: code };
  return { reject: 'CALL_REJECTED' };
}

async function withRetries(log: Logger, work: () => Promise<Outcome>): Promise<Outcome> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= ATTEMPTS) throw error;
      log.warn({ err: error, attempt }, 'a call could not be routed; trying again');
      await sleep(PAUSE_MS);
    }
  }
}

/** Number formats of carriers: E.164, with 00, or without a prefix. Undefined for other values such as `anonymous`. */
function internationalNumber(written: string): string | undefined {
  const digits = written.trim().replace(/^00|^\+/, '');
  return /^[1-9]\d{4,14}$/.test(digits) ? `+${digits}` : undefined;
}

/**
 * The caller's number. Digits that no country has with its prefix are read as a number of the called company's country,
 * where that is known.
 */
export function callerNumber(written: string, country: string | undefined): string {
  const international = internationalNumber(written);
  const isMarked = /^\s*(\+|00)/.test(written);
  if (international !== undefined && (isMarked || readPhoneNumber(international, '') !== undefined))
    return international;
  if (!/^\s*\d+\s*$/.test(written)) return international ?? ANONYMOUS;
  const national = readPhoneNumber(written, country ?? '');
  return national?.number ?? international ?? ANONYMOUS;
}
