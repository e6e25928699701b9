import { expect } from '../../expectations/expect.ts';
import { listOf, listWith, nullable, text } from '../../expectations/shapes.ts';
import { activeCallIs, inConversation, keptAgent } from '../../world/conversations.ts';
import { eventually } from '../../expectations/eventually.ts';
import { type Check, checksOf } from '../check.ts';
import { rejectedCalls } from './call.ts';

const { must } = checksOf('calls');
const ENDPOINTS = { source: 'service-api.md: Calls', profile: 'full' } as const;
const DECIDED = { source: 'decisions.md: Calls and transfers', profile: 'full' } as const;

export const activeChecks: readonly Check[] = [
  must(30, 'Who has no call is answered with 204.', ENDPOINTS, async (context) => {
    const company = await context.companies.shared();
    const employee = await company.hire();
    await employee.get('/calls/active').givesNothing();
  }),

  must(31, 'An employee is told the call that they have, and the coworkers.', ENDPOINTS, async (context) => {
    await inConversation(context, async ({ company, agent, callId, from, number }) => {
      const coworker = await company.hire();
      const body = await activeCallIs(agent.employee, {
        call: { id: callId, state: 'bridged', direction: 'inbound', from, to: number.number },
        transfer: null,
        employees: listWith({ id: coworker.id, name: coworker.name, status: 'logged_out' }),
        available_employees: listOf({ id: text, name: text }),
      });
      const ids = body.employees.map(({ id }: { id: string }) => id);
      expect(ids.includes(agent.employee.id), false, 'whether the employee is among their own coworkers');
    });
    const company = await context.companies.shared();
    const { employee } = await keptAgent(context, company);
    await employee.get('/calls/active').givesNothing();
  }),

  must(
    32,
    'A coworker who can take a transfer is available, one on do-not-disturb is logged out.',
    DECIDED,
    async (context) => {
      await inConversation(context, async ({ company, agent }) => {
        const { employee } = await keptAgent(context, company, 'coworker');
        const entry = { id: employee.id, name: employee.name };
        await activeCallIs(agent.employee, {
          employees: listWith({ ...entry, status: 'available' }),
          available_employees: listWith(entry),
        });
        await company.put(`/employees/${employee.id}/do_not_disturb`, { enabled: true }).gives(200);
        const { available_employees: available } = await activeCallIs(agent.employee, {
          employees: listWith({ ...entry, status: 'logged_out' }),
        });
        await company.put(`/employees/${employee.id}/do_not_disturb`, { enabled: false }).gives(200);
        expect(
          available.some(({ id }: { id: string }) => id === employee.id),
          false,
          'whether somebody on do-not-disturb is available',
        );
      });
    },
  ),

  must(33, 'A coworker is told of no call that is not theirs.', ENDPOINTS, async (context) => {
    await inConversation(context, async ({ company }) => {
      const { employee } = await keptAgent(context, company, 'coworker');
      await employee.get('/calls/active').givesNothing();
      await company.get('/calls/active').givesNothing();
    });
  }),

  must(
    34,
    'A call that is seen is marked by the older endpoint too.',
    { source: 'decisions.md: Messages and inbox', profile: 'full' },
    async (context) => {
      const { company, calls } = await rejectedCalls(context, 12);
      const { from } = calls.at(-1)!;
      const path = `/inbox/${encodeURIComponent(from)}/activity`;
      const unseen = { items: [{ type: 'call', missed: true, seen_at: null }] };
      await eventually('the call is unseen', () => company.get(path).gives(200, unseen));
      await company.post('/calls/seen', { phone_number: from }).givesNothing();
      await eventually('the call is seen', () =>
        company.get(path).gives(200, { items: [{ seen_at: nullable(text) }] }),
      );
      const { items } = await company.get(path).gives(200);
      expect(items[0].seen_at, text, 'when the call was seen');
    },
  ),
];
