import { expect, expectThat } from '../../expectations/expect.ts';
import { someText } from '../../expectations/shapes.ts';
import { eventually } from '../../expectations/eventually.ts';
import { callIs, keptAgent, numberOf } from '../../world/conversations.ts';
import { Failure } from '../../expectations/failure.ts';
import { freshPhone, freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';

const { must } = checksOf('office');
const CALLS = { source: 'office.md: Calls', profile: 'full' } as const;
const SHAPES = { source: 'office.md: Shapes', profile: 'full' } as const;
const LIMITS = { source: 'office.md: Limits and fraud', profile: 'full' } as const;

export const callOutChecks: readonly Check[] = [
  must(
    30,
    'A call out rings at the employee first, then at the other side, from the business number.',
    CALLS,
    async (context) => {
      const company = await context.companies.shared();
      const { employee, phone } = await keptAgent(context, company);
      const number = await numberOf(company, [employee]);
      const to = freshPhone();
      const outbound = { direction: 'outbound', from: number.number, to };
      const { id } = await employee
        .post('/calls', { business_number_id: number.id, to })
        .gives(201, { id: someText, ...outbound });
      const ringing = await phone.rings();
      expect(
        (await context.sandbox.legsAt(to)).length,
        0,
        'how often the other side rings before the employee answers',
      );
      await phone.answers();
      const other = await eventually('the other side rings', async () => {
        const [leg] = await context.sandbox.legsAt(to);
        if (!leg) throw new Failure('no leg is there');
        return leg;
      });
      const legs = await context.sandbox.get(`/subscribers/${encodeURIComponent(to)}/legs`).gives(200);
      expect(legs, [{ from: number.number }], 'the legs at the other side');
      await other.answer();
      await callIs(company, id, { ...outbound, state: 'bridged', initiated_by: { id: employee.id } });
      await ringing.hangUp();
      await callIs(company, id, { state: 'ended' });
    },
  ),

  must(
    31,
    'A call out needs an employee with a phone, a number to call and one to call from.',
    SHAPES,
    async (context) => {
      const company = await context.companies.shared();
      const employee = await company.hire();
      const another = await context.companies.another();
      const [{ id }, foreign] = [await company.number(), await another.number()];
      const to = freshPhone();
      await employee.post('/calls', { business_number_id: id, to }).isRefused(409, { code: 'employee_unavailable' });
      await employee.post('/calls', { business_number_id: id, to: '12' }).isRefused(422, { field: 'to' });
      await company.post('/calls', { business_number_id: id, to, employee_id: another.owner.id }).isNotFound();
      for (const numberId of [`num_${freshWord()}`, foreign.id]) {
        const { status } = await employee.post('/calls', { business_number_id: numberId, to });
        expectThat(status === 404 || status === 422, `a call from ${numberId} was answered with ${status}`);
      }
    },
  ),

  must(
    40,
    'A premium-rate or satellite number, or a country that is not allowed, is refused.',
    LIMITS,
    async (context) => {
      const company = await context.companies.shared();
      const { employee } = await keptAgent(context, company);
      const { id } = await numberOf(company, [employee]);
      for (const to of ['+4590123456', '+881612345678', '+5511912345678'])
        await employee
          .post('/calls', { business_number_id: id, to })
          .isRefused(403, { code: 'destination_not_allowed' });
    },
  ),

  must(
    41,
    'A company has no more calls at once than the operator allows; another one is busy.',
    LIMITS,
    async (context) => {
      const company = await context.companies.fresh();
      const limits = { simultaneous_calls: 1 };
      await context.operator.patch(`/companies/${company.id}`, { limits }).gives(200, { limits });
      const { number } = await numberOf(company, [company.owner]);
      const first = await context.sandbox.call(freshPhone(), number);
      await callIs(company, await first.callId(), { state: 'queued' });
      const over = await context.sandbox.call(freshPhone(), number);
      const { hangup_cause: cause } = await over.is('ended');
      expect(cause, 'USER_BUSY', 'why the second call ended');
      await first.hangUp();
    },
  ),
];
