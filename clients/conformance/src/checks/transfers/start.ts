import { activeCallIs, callIs, endedCall } from '../../world/conversations.ts';
import { freshPhone, freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { beforeTransfer, duringTransfer, TRANSFER } from './transfer.ts';

const { must } = checksOf('transfers');
const ENDPOINTS = { source: 'service-api.md: Calls', profile: 'full' } as const;
const STATE = { source: 'service-api.md: Warm transfer state', profile: 'full' } as const;
const STATUSES = { source: 'service-api.md: Status codes', profile: 'full' } as const;
const DECIDED = { source: 'decisions.md: Calls and transfers', profile: 'full' } as const;

export const startChecks: readonly Check[] = [
  must(1, 'A transfer that starts rings at the target and names both employees.', ENDPOINTS, async (context) => {
    await beforeTransfer(context, async ({ agent, target, path, company, callId }) => {
      const { transfer } = await agent.employee.post(path, { employee_id: target.employee.id }).gives(201, {
        transfer: {
          ...TRANSFER,
          state: 'ringing',
          from_employee: { id: agent.employee.id, name: agent.employee.name },
          to_employee: { id: target.employee.id, name: target.employee.name },
        },
      });
      await target.phone.rings();
      await callIs(company, callId, { state: 'answered' });
      await agent.employee.delete(`${path}/${transfer.id}`).gives(200);
    });
  }),

  must(2, 'The customer hears music while a transfer is open.', STATE, async (context) => {
    await duringTransfer(context, async ({ customer }) => {
      await customer.hears('music');
    });
  }),

  must(3, 'Controller and target are told of an open transfer.', ENDPOINTS, async (context) => {
    await duringTransfer(context, async ({ agent, target, callId, transferId, one }) => {
      for (const { employee } of [agent, target])
        await activeCallIs(employee, { call: { id: callId }, transfer: { id: transferId, state: 'ringing' } });
      await agent.employee.delete(one).gives(200);
      await activeCallIs(agent.employee, { call: { id: callId }, transfer: null });
    });
  }),

  must(4, 'A transfer needs a target.', STATUSES, async (context) => {
    await beforeTransfer(context, async ({ agent, path }) => {
      await agent.employee.post(path, {}).isRefused(400, { error: 'invalid_request' });
    });
  }),

  must(5, 'The controller cannot be the target.', DECIDED, async (context) => {
    await beforeTransfer(context, async ({ agent, path }) => {
      await agent.employee.post(path, { employee_id: agent.employee.id }).isRefused(422, { code: 'invalid_target' });
    });
  }),

  must(6, 'An unknown or foreign target is answered with 404.', DECIDED, async (context) => {
    await beforeTransfer(context, async ({ agent, path, company, callId }) => {
      const foreign = (await context.companies.another()).owner;
      for (const id of [`emp_${freshWord()}`, foreign.id])
        await agent.employee.post(path, { employee_id: id }).isNotFound();
      await company.get(`/calls/${callId}`).gives(200, { state: 'bridged' });
    });
  }),

  must(7, 'A target without a phone is not available.', DECIDED, async (context) => {
    await beforeTransfer(context, async ({ agent, path, company, callId }) => {
      const { id } = await company.hire();
      await agent.employee.post(path, { employee_id: id }).isRefused(409, { code: 'target_unavailable' });
      await company.get(`/calls/${callId}`).gives(200, { state: 'bridged' });
    });
  }),

  must(8, 'Only the controller starts a transfer.', DECIDED, async (context) => {
    await beforeTransfer(context, async ({ target, path, company }) => {
      const body = { employee_id: target.employee.id };
      await target.employee.post(path, body).isRefused(403, { code: 'not_controller' });
      await company.post(path, body).isRefused(403, { code: 'not_controller' });
      await company.withHeaders({}).post(path, body).isRefused(401);
    });
  }),

  must(9, 'A call that is not in conversation cannot be transferred.', DECIDED, async (context) => {
    const { call } = await endedCall(context);
    await beforeTransfer(context, async ({ agent, target }) => {
      const body = { employee_id: target.employee.id };
      await agent.employee.post(`/calls/${call.id}/transfers`, body).isRefused(409, { code: 'call_not_transferable' });
      await agent.employee.post(`/calls/call_${freshWord()}/transfers`, body).isNotFound();
    });
  }),

  must(10, "Another company's call cannot be transferred, and behaves as unknown.", DECIDED, async (context) => {
    await beforeTransfer(context, async ({ target, path }) => {
      const another = await context.companies.another();
      await another.post(path, { employee_id: target.employee.id }).isNotFound();
      await another.post(path, { employee_id: another.owner.id }).isNotFound();
    });
  }),

  must(11, 'While a transfer is open no other one starts.', STATUSES, async (context) => {
    await duringTransfer(context, async ({ agent, target, path, one }) => {
      const body = { employee_id: target.employee.id };
      await agent.employee.post(path, body).isRefused(409, { code: 'transfer_in_progress' });
      await agent.employee.delete(one).gives(200);
    });
  }),

  must(
    12,
    'A transfer has one target, an employee or a phone number.',
    { source: 'office.md: Shapes', profile: 'full' },
    async (context) => {
      await beforeTransfer(context, async ({ agent, target, path }) => {
        const both = { employee_id: target.employee.id, phone_number: freshPhone() };
        await agent.employee.post(path, both).isRefused(422);
        await agent.employee.post(path, { phone_number: '12' }).isRefused(422, { field: 'phone_number' });
        await agent.employee
          .post(path, { employee_id: target.employee.id, mode: 'cold' })
          .isRefused(422, { field: 'mode' });
      });
    },
  ),
];
