import { activeCallIs, callIs, hasStatus, keptAgent } from '../../world/conversations.ts';
import { eventually } from '../../expectations/eventually.ts';
import { expect } from '../../expectations/expect.ts';
import { freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { consult, duringTransfer, TRANSFER } from './transfer.ts';

const { must } = checksOf('transfers');
const STATE = { source: 'service-api.md: Warm transfer state', profile: 'full' } as const;
const STATUSES = { source: 'service-api.md: Status codes', profile: 'full' } as const;
const DECIDED = { source: 'decisions.md: Calls and transfers', profile: 'full' } as const;

export const outcomeChecks: readonly Check[] = [
  must(30, 'A target who answers consults with the controller.', STATE, async (context) => {
    await duringTransfer(context, async (talk) => {
      await consult(talk);
      await talk.company.get(`/calls/${talk.callId}`).gives(200, { state: 'answered' });
      await activeCallIs(talk.target.employee, { call: { id: talk.callId }, transfer: { state: 'consulting' } });
    });
  }),

  must(
    31,
    'A completed transfer connects the customer with the target, and releases the controller.',
    STATE,
    async (context) => {
      await duringTransfer(context, async (talk) => {
        const { agent, target, one, company, callId, agentLeg, customer } = talk;
        await consult(talk);
        await agent.employee
          .post(`${one}/completion`)
          .gives(200, { transfer: { ...TRANSFER, state: 'completed', to_employee: { id: target.employee.id } } });
        await agentLeg.is('ended');
        await callIs(company, callId, { state: 'bridged' });
        const [targetLeg] = await target.phone.legs();
        await eventually('the customer hears the target', async () => {
          const { heard } = await customer.view();
          expect(heard.at(-1), { kind: 'party', leg_id: targetLeg!.leg_id }, 'what the customer hears');
        });
        await activeCallIs(target.employee, { call: { id: callId, state: 'bridged' }, transfer: null });
        await hasStatus(company, agent.employee.id, 'available');
        await agent.employee.get('/calls/active').givesNothing();
      });
    },
  ),

  must(32, 'A transfer is completed once, however often it is asked for.', STATE, async (context) => {
    await duringTransfer(context, async (talk) => {
      await consult(talk);
      const done = { transfer: { id: talk.transferId, state: 'completed' } };
      await talk.agent.employee.post(`${talk.one}/completion`).gives(200, done);
      await talk.agent.employee.post(`${talk.one}/completion`).gives(200, done);
      await talk.target.employee.post(`${talk.one}/completion`).gives(200, done);
    });
  }),

  must(33, 'The target completes a transfer, too.', STATE, async (context) => {
    await duringTransfer(context, async (talk) => {
      await consult(talk);
      await talk.target.employee.post(`${talk.one}/completion`).gives(200, { transfer: { state: 'completed' } });
      await talk.agentLeg.is('ended');
    });
  }),

  must(34, 'A transfer that rings cannot be completed, and goes on ringing.', STATUSES, async (context) => {
    await duringTransfer(context, async ({ agent, one }) => {
      await agent.employee.post(`${one}/completion`).isRefused(409, { code: 'transfer_not_consulting' });
      await activeCallIs(agent.employee, { transfer: { state: 'ringing' } });
    });
  }),

  must(35, 'Nobody but controller and target completes a transfer.', DECIDED, async (context) => {
    await duringTransfer(context, async (talk) => {
      await consult(talk);
      const { employee } = await keptAgent(context, talk.company, 'bystander');
      await employee.post(`${talk.one}/completion`).isRefused(403, { code: 'not_participant' });
      await activeCallIs(talk.agent.employee, { transfer: { state: 'consulting' } });
    });
  }),

  must(36, 'A cancelled transfer leaves customer and controller together.', STATE, async (context) => {
    await duringTransfer(context, async ({ agent, target, one, company, callId, customer, agentLeg }) => {
      const cancelled = { transfer: { ...TRANSFER, state: 'cancelled', from_employee: { id: agent.employee.id } } };
      await agent.employee.delete(one).gives(200, cancelled);
      await eventually('the phone of the target is quiet', async () =>
        expect(await target.phone.legs(), [], 'its legs'),
      );
      await callIs(company, callId, { state: 'bridged' });
      await eventually('the customer hears the controller', async () => {
        expect((await customer.view()).heard.at(-1), { kind: 'party', leg_id: agentLeg.id }, 'what the customer hears');
      });
    });
  }),

  must(37, 'A transfer can be cancelled after the target answered, and twice.', STATE, async (context) => {
    await duringTransfer(context, async (talk) => {
      await consult(talk);
      const cancelled = { transfer: { id: talk.transferId, state: 'cancelled' } };
      await talk.agent.employee.delete(talk.one).gives(200, cancelled);
      await eventually('the target is released', async () => expect(await talk.target.phone.legs(), [], 'its legs'));
      await callIs(talk.company, talk.callId, { state: 'bridged' });
      await talk.agent.employee.delete(talk.one).gives(200, cancelled);
    });
  }),

  must(38, 'Only the controller cancels a transfer.', DECIDED, async (context) => {
    await duringTransfer(context, async ({ agent, target, one, company }) => {
      await target.employee.delete(one).isRefused(403, { code: 'not_controller' });
      await company.delete(one).isRefused(403, { code: 'not_controller' });
      await activeCallIs(agent.employee, { transfer: { state: 'ringing' } });
    });
  }),

  must(
    39,
    'A transfer that was cancelled cannot be completed, nor one that was completed cancelled.',
    DECIDED,
    async (context) => {
      await duringTransfer(context, async (talk) => {
        const { agent, target, one, path, transferId } = talk;
        await agent.employee.delete(one).gives(200);
        const refused = await agent.employee.post(`${one}/completion`).isRefused(409, { code: 'transfer_not_open' });
        expect(refused.transfer, { id: transferId, state: 'cancelled' }, 'the transfer in the refusal');
        await hasStatus(talk.company, target.employee.id, 'available');
        const again = await agent.employee.post(path, { employee_id: target.employee.id }).gives(201);
        await consult(talk);
        const second = `${path}/${again.transfer.id}`;
        await agent.employee.post(`${second}/completion`).gives(200);
        const late = await agent.employee.delete(second).isRefused(409, { code: 'transfer_not_open' });
        expect(late.transfer, { id: again.transfer.id, state: 'completed' }, 'the transfer in the second refusal');
      });
    },
  ),

  must(40, 'A transfer fails when the customer hangs up.', STATE, async (context) => {
    await duringTransfer(context, async ({ agent, target, one, customer, company, callId, transferId }) => {
      await customer.hangUp();
      await callIs(company, callId, { state: 'ended' });
      await eventually('the phone of the target is quiet', async () =>
        expect(await target.phone.legs(), [], 'its legs'),
      );
      const refused = await agent.employee.post(`${one}/completion`).isRefused(409, { code: 'transfer_not_open' });
      expect(refused.transfer, { id: transferId, state: 'failed' }, 'the transfer in the refusal');
    });
  }),

  must(41, 'An unknown transfer is answered with 404.', DECIDED, async (context) => {
    await duringTransfer(context, async ({ agent, path, one }) => {
      const unknown = `${path}/trf_${freshWord()}`;
      await agent.employee.delete(unknown).isNotFound();
      await agent.employee.post(`${unknown}/completion`).isNotFound();
      const another = await context.companies.another();
      await another.delete(one).isNotFound();
      await another.post(`${one}/completion`).isNotFound();
    });
  }),

  must(
    42,
    'A transfer that the target does not answer within 30 seconds is cancelled.',
    { ...STATE, alone: true },
    async (context) => {
      await duringTransfer(context, async ({ agent, target, company, callId, one }) => {
        await context.clock.advance(25);
        await activeCallIs(agent.employee, { transfer: { state: 'ringing' } });
        await context.clock.advance(6);
        await activeCallIs(agent.employee, { call: { id: callId, state: 'bridged' }, transfer: null });
        expect(await target.phone.legs(), [], 'the legs at the phone of the target');
        await company.get(`/calls/${callId}`).gives(200, { state: 'bridged' });
        await agent.employee.delete(one).gives(200, { transfer: { state: 'cancelled' } });
      });
    },
  ),
];
