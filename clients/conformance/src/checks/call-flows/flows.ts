import { absent, anything, exactly } from '../../expectations/shapes.ts';
import { NUMBER } from '../business-numbers/number.ts';
import { type Check, checksOf } from '../check.ts';
import { flowsFor, isRefusedIn, SLOTS } from './flow.ts';

const { must } = checksOf('call-flows');
const TYPES = { source: 'service-api.md: Call flow config types', profile: 'full' } as const;
const ROUTING = { source: 'service-api.md: Business numbers', profile: 'full' } as const;
const BODIES = { source: 'decisions.md: Bodies and statuses', profile: 'full' } as const;
const RESOURCES = { source: 'decisions.md: Resources', profile: 'full' } as const;

export const flowChecks: readonly Check[] = [
  must(1, 'A flow of every type is taken for incoming calls, and read as it was set.', TYPES, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number();
    for (const { flow } of flowsFor(company.owner.id)) {
      await company
        .put(`/business_numbers/${id}/incoming_call_config`, flow)
        .gives(200, { incoming_call_config: flow });
      await company.get(`/business_numbers/${id}`).gives(200, { incoming_call_config: flow });
    }
  }),

  must(2, 'A flow of every type is taken for calls outside business hours.', TYPES, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number();
    for (const { flow } of flowsFor(company.owner.id)) {
      const path = `/business_numbers/${id}/outside_business_hours_config`;
      await company.put(path, flow).gives(200, { outside_business_hours_config: flow });
    }
  }),

  must(3, 'A flow of every type is taken for calls that nobody answers.', TYPES, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number();
    for (const { flow } of flowsFor(company.owner.id)) {
      const path = `/business_numbers/${id}/no_answer_config`;
      await company.put(path, { ...flow, timeout_secs: 30 }).gives(200, { no_answer_config: flow });
    }
  }),

  must(4, 'A flow that was set is answered with the full business number.', ROUTING, async ({ companies }) => {
    const company = await companies.shared();
    const { id, number } = await company.number();
    for (const slot of SLOTS)
      await company
        .put(`/business_numbers/${id}/${slot}`, { type: 'RejectConfig', message: 'Closed.', timeout_secs: 15 })
        .gives(200, { ...NUMBER, id, number });
  }),

  must(5, 'A flow replaces only the flow of its slot.', ROUTING, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number();
    const flows: Record<string, object> = {};
    for (const slot of SLOTS) {
      flows[slot] = { type: 'RejectConfig', message: `The message of ${slot}.` };
      await company.put(`/business_numbers/${id}/${slot}`, { ...flows[slot], timeout_secs: 60 }).gives(200, flows);
    }
    await company.get(`/business_numbers/${id}`).gives(200, { ...flows, no_answer_timeout_secs: 60 });
  }),

  must(6, 'Every field that the type of a flow needs is required.', ROUTING, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number();
    for (const slot of SLOTS)
      for (const { flow } of flowsFor(company.owner.id))
        for (const field of Object.keys(flow).filter((key) => key !== 'type')) {
          const { [field]: _, ...rest } = flow as Record<string, unknown>;
          await company.put(`/business_numbers/${id}/${slot}`, rest).isRefused(422, { field });
        }
  }),

  must(7, 'A transfer to no employee is refused.', ROUTING, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number();
    for (const slot of SLOTS)
      for (const type of ['TransferConfig', 'WelcomeTransferConfig'])
        await company
          .put(`/business_numbers/${id}/${slot}`, { type, welcome: 'Welcome.', employee_ids: [] })
          .isRefused(422, { field: 'employee_ids' });
  }),

  must(8, 'A transfer to an unknown or foreign employee is refused.', RESOURCES, async ({ companies }) => {
    const [company, another] = [await companies.shared(), await companies.another()];
    const { id } = await company.number();
    for (const stranger of [another.owner.id, 'emp_00000000000000000000'])
      for (const slot of SLOTS) {
        const flow = { type: 'TransferConfig', employee_ids: [company.owner.id, stranger] };
        await isRefusedIn(company.put(`/business_numbers/${id}/${slot}`, flow), 'employee_ids');
      }
  }),

  must(9, 'An unknown type of flow is refused, and a flow without a type too.', RESOURCES, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number();
    for (const slot of SLOTS) {
      const path = `/business_numbers/${id}/${slot}`;
      await company.put(path, { type: 'FaxConfig', message: 'Beep' }).isRefused(422, { field: 'type' });
      await company.put(path, { message: 'Closed.' }).isRefused(422, { field: 'type' });
      await company.put(path, { type: ['RejectConfig'], message: 'Closed.' }).isRefused(422, { field: 'type' });
    }
  }),

  must(10, 'The flow of incoming calls cannot be cleared.', ROUTING, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number();
    await company.put(`/business_numbers/${id}/incoming_call_config`, { type: null }).isRefused(422, { field: 'type' });
    await company.get(`/business_numbers/${id}`).gives(200, { incoming_call_config: { type: 'TransferConfig' } });
  }),

  must(11, 'The flow outside business hours is cleared with the type null.', ROUTING, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number();
    await company
      .put(`/business_numbers/${id}/outside_business_hours_config`, { type: null })
      .gives(200, { outside_business_hours_config: null });
    await company.get(`/business_numbers/${id}`).gives(200, { outside_business_hours_config: null });
  }),

  must(12, 'Fields of another type are ignored.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number();
    const flow = { type: 'RejectConfig', message: 'Closed.', greeting: 'Hello.', employee_ids: [], colour: 'green' };
    const others = { greeting: absent, employee_ids: absent, colour: absent };
    await company
      .put(`/business_numbers/${id}/incoming_call_config`, flow)
      .gives(200, { incoming_call_config: { type: 'RejectConfig', message: 'Closed.', ...others } });
  }),

  must(13, 'A value of the wrong type in a flow is refused, with the field named.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number();
    const path = `/business_numbers/${id}/incoming_call_config`;
    await isRefusedIn(company.put(path, { type: 'RejectConfig', message: { $gt: '' } }), 'message');
    await isRefusedIn(company.put(path, { type: 'VoicemailConfig', greeting: 5 }), 'greeting');
    await isRefusedIn(company.put(path, { type: 'TransferConfig', employee_ids: company.owner.id }), 'employee_ids');
    await isRefusedIn(company.put(path, { type: 'TransferConfig', employee_ids: [{ $ne: 1 }] }), 'employee_ids');
    await isRefusedIn(company.put(path, { type: 'PhoneMenuConfig', welcome: 'Hi', menu_options: {} }), 'menu_options');
  }),

  must(14, 'A flow that is refused leaves the one before.', ROUTING, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number();
    const path = `/business_numbers/${id}/no_answer_config`;
    const flow = { type: 'RejectConfig', message: 'Nobody is here.' };
    await company.put(path, { ...flow, timeout_secs: 300 }).gives(200);
    await company.put(path, { type: 'VoicemailConfig', timeout_secs: 15 }).isRefused(422, { field: 'greeting' });
    await company
      .get(`/business_numbers/${id}`)
      .gives(200, { no_answer_timeout_secs: 300, no_answer_config: exactly({ ...flow, message_audio_url: anything }) });
  }),
];
