import { setTimeout as sleep } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import { isId, newId } from '@parley/ids';
import { readPhoneNumber } from '@parley/phone-numbers';
import type { Logger } from '@parley/telemetry';
import type { Presences } from '../presence/presence-store.ts';
import type { Arrival } from '../calls/model/leg-event.ts';
import type { Switch } from '../switch/switch-client.ts';
import type { HangupCause } from '../calls/model/call-command.ts';
import type { CallDecision } from '../calls/state-machine/call-draft.ts';
import { decideCall } from '../calls/state-machine/decide-call.ts';
import type { CallKey } from '../call-runtime/call-runner.ts';
import type { Calls } from '../calls/store/call-store.ts';
import type { CountryOf } from '../clients/company-client.ts';
import { callerNumber, internationalNumber } from './carrier-numbers.ts';
import { createInboundCall, createOutboundCall } from '../calls/state-machine/new-call.ts';
import type { Routing } from '../clients/routing-client.ts';

/** Creates calls for legs that arrive at a switch, or adds them to the call that their phone returns to. */
export interface Arrivals {
  /** The call, and whether the arrival is part of its state; undefined when the leg was rejected. */
  take(
    at: { switch: Switch; coreUuid: string; legId: string },
    arrival: Arrival,
  ): Promise<{ readonly key: CallKey; readonly isHandled: boolean } | undefined>;
}

type Outcome =
  | { readonly decision: CallDecision; readonly companyId: string }
  | { readonly joined: CallKey }
  | { readonly reject: HangupCause };

/** The switch ends a leg that was not handled after 15 s. */
const ATTEMPTS = 4;
const PAUSE_MS = 1000;

export function callArrivals(deps: {
  calls: Calls;
  routing: Routing;
  presences: Pick<Presences, 'of'>;
  countryOf: CountryOf;
  carriers: number;
  clock: Clock;
  log: Logger;
}): Arrivals {
  const { calls, routing, presences, countryOf, carriers, clock, log } = deps;

  async function fromCarrier(arrival: Extract<Arrival, { kind: 'carrier' }>, begin: Begin): Promise<Outcome> {
    const dialled = internationalNumber(arrival.dialled);
    const route = dialled === undefined ? undefined : await routing.route(dialled, clock.now());
    if (!route?.flow) return { reject: 'UNALLOCATED_NUMBER' };
    const { companyId, number, flow, noAnswer, withinBusinessHours } = route;
    const from = await callerNumber(arrival.from ?? '', () => countryOf(companyId));
    const call = { ...begin(companyId), from, to: number.number, number, flow, noAnswer, withinBusinessHours };
    return { companyId, decision: createInboundCall(call, clock.now()) };
  }

  /** The caller is determined by the switch's authentication; the requested number must be the company's. */
  async function fromPhone(arrival: Extract<Arrival, { kind: 'phone' }>, begin: Begin): Promise<Outcome> {
    const { companyId, employeeId, businessNumber } = arrival;
    if (isId('cal', arrival.dialled)) return returnToCall(arrival, begin(companyId));
    const [presence, calling, country] = await Promise.all([
      presences.of(companyId).get(employeeId),
      businessNumber === null ? undefined : routing.number(businessNumber),
      countryOf(companyId),
    ]);
    const to = country === undefined ? undefined : readPhoneNumber(arrival.dialled, country)?.number;
    if (!presence || calling?.companyId !== companyId || !calling.isActive || to === undefined || carriers === 0)
      return { reject: 'CALL_REJECTED' };
    const employee = { id: employeeId, name: presence.employee.name };
    const { number } = calling;
    const call = { ...begin(companyId), from: number.number, to, number, employee, carriers };
    return { companyId, decision: createOutboundCall(call, clock.now()) };
  }

  /** The phone dials the id of the call that its employee is in, on the same switch. */
  async function returnToCall(
    arrival: Extract<Arrival, { kind: 'phone' }>,
    begun: ReturnType<Begin>,
  ): Promise<Outcome> {
    const { companyId, employeeId, dialled: id } = arrival;
    const { legId, switch: at } = begun;
    const call = await calls
      .of(companyId)
      .changeIfExists(id, (current) =>
        isDeepStrictEqual(current.switch, at)
          ? decideCall(current, { type: 'phone_returned', legId, employeeId }, clock.now())
          : decided(current),
      );
    return call?.legIds.includes(legId) ? { joined: { companyId, id } } : { reject: 'CALL_REJECTED' };
  }

  return {
    async take({ switch: at, coreUuid, legId }, arrival) {
      const begin: Begin = (companyId) => ({
        id: newId('cal'),
        companyId,
        seed: randomBytes(16).toString('hex'),
        switch: { name: at.name, coreUuid },
        legId,
      });
      const outcome = await withRetries(log, () =>
        arrival.kind === 'carrier' ? fromCarrier(arrival, begin) : fromPhone(arrival, begin),
      );
      if ('reject' in outcome) {
        const known = await knownCall(legId);
        if (known) return known;
        log.info({ switch: at.name, cause: outcome.reject }, 'a call was rejected');
        await at.control(legId, [{ do: 'hang_up', legId, cause: outcome.reject }]);
        return undefined;
      }
      if ('joined' in outcome) return { key: outcome.joined, isHandled: true };
      const { companyId, decision } = outcome;
      try {
        const { id } = await calls.of(companyId).create(decision);
        return { key: { companyId, id }, isHandled: true };
      } catch (error) {
        const known = await knownCall(legId);
        if (!known) throw error;
        return known;
      }
    },
  };

  /** The process that read this switch before may have seen the leg arrive as well. */
  async function knownCall(legId: string) {
    const known = await calls.byLeg(legId);
    return known && { key: { companyId: known.companyId, id: known.id }, isHandled: false };
  }
}

type Begin = (companyId: string) => {
  id: string;
  companyId: string;
  seed: string;
  switch: { name: string; coreUuid: string };
  legId: string;
};

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
