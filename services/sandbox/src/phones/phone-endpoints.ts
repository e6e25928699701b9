import { notFound, Refused } from '@parley/errors';
import { type Endpoint, endpoint, HttpError, json } from '@parley/http';
import { z } from 'zod';
import type { Leg } from '../legs/leg.ts';
import { legJson, legView } from '../calls/leg-json.ts';
import type { TelephoneNetwork } from '../telephony/telephone-network.ts';
import type { Employees, PhonePresence, Softphones } from './softphones.ts';

const phoneJson = z.object({ online: z.boolean(), legs: z.array(legJson) });
/** Without `leg_id`, the oldest ringing leg. */
const legChoice = z.object({ leg_id: z.string().max(100).optional() }).optional();

const conflict = (code: string): HttpError => new HttpError(409, { error: code, code });

export interface PhoneEndpointParts {
  network: TelephoneNetwork;
  softphones: Softphones;
  employees: Employees;
  presence: PhonePresence;
}

export function phoneEndpoints({
  network,
  softphones,
  employees,
  presence,
}: PhoneEndpointParts): Endpoint<undefined>[] {
  const set = endpoint('none')({
    route: 'PUT /phones/:employee_id',
    tag: 'Phones',
    summary: 'Take a softphone on or off line',
    body: z.object({ online: z.boolean() }),
    responses: { 200: phoneJson },
    errors: [404],
    async handle({ params, body }) {
      // The employee of a phone that is online is known already.
      const user = softphones.userOf(params.employee_id) ?? (await employees.find(params.employee_id));
      const callId = body.online ? softphones.goOnline(user) : softphones.goOffline(user.employeeId);
      if (callId !== undefined) await presence.untilApplied(user.employeeId, callId, body.online);
      return json(200, view(user.employeeId));
    },
  });

  const show = endpoint('none')({
    route: 'GET /phones/:employee_id',
    tag: 'Phones',
    summary: 'Show a softphone',
    responses: { 200: phoneJson },
    errors: [404],
    async handle({ params }) {
      await check(params.employee_id);
      return json(200, view(params.employee_id));
    },
  });

  const answer = endpoint('none')({
    route: 'POST /phones/:employee_id/answer',
    tag: 'Phones',
    summary: 'Answer at a softphone',
    body: legChoice,
    responses: { 200: legJson },
    errors: { 404: '', 409: '`leg_not_ringing`' },
    async handle({ params, body }) {
      const leg = await ringing(params.employee_id, body?.leg_id);
      if (!network.answer(leg)) throw conflict('leg_not_ringing');
      return json(200, legView(leg));
    },
  });

  const decline = endpoint('none')({
    route: 'POST /phones/:employee_id/decline',
    tag: 'Phones',
    summary: 'Decline at a softphone',
    body: legChoice,
    responses: { 200: legJson },
    errors: { 404: '', 409: '`leg_not_ringing`' },
    async handle({ params, body }) {
      const leg = await ringing(params.employee_id, body?.leg_id);
      if (!network.hangUp(leg)) throw conflict('leg_not_ringing');
      return json(200, legView(leg));
    },
  });

  const dial = endpoint('none')({
    route: 'POST /phones/:employee_id/dial',
    tag: 'Phones',
    summary: 'Call from a softphone',
    body: z.object({ business_number_id: z.string().min(1).max(100), to: z.string().trim().min(1).max(40) }),
    responses: { 201: z.object({ leg_id: z.string() }) },
    errors: { 404: '', 409: '`phone_offline`' },
    async handle({ params, body }) {
      await check(params.employee_id);
      const leg = softphones.dial(params.employee_id, body.business_number_id, body.to.replaceAll(/[\s().-]/g, ''));
      if (!leg) throw conflict('phone_offline');
      return json(201, { leg_id: leg.id });
    },
  });

  const legsAt = (employeeId: string): readonly Leg[] => network.legs.at({ kind: 'employee', employeeId });
  const view = (employeeId: string) => ({
    online: softphones.isOnline(employeeId) || softphones.hasBrowser(employeeId),
    legs: legsAt(employeeId).map((leg) => legView(leg)),
  });

  /** A phone that is known needs no question to directory. */
  async function check(employeeId: string): Promise<void> {
    if (!softphones.isOnline(employeeId)) await employees.find(employeeId);
  }

  async function ringing(employeeId: string, legId: string | undefined): Promise<Leg> {
    await check(employeeId);
    const legs = legsAt(employeeId);
    if (legId !== undefined) {
      const named = legs.find(({ id }) => id === legId);
      if (named) return named;
      throw network.legs.get(legId) ? conflict('leg_not_ringing') : new Refused(notFound);
    }
    const first = legs.find(
      (leg) => leg.state === 'ringing' && leg.direction === 'incoming' && network.isSimulated(leg),
    );
    if (!first) throw conflict('leg_not_ringing');
    return first;
  }

  return [set, show, answer, decline, dial];
}
