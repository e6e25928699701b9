import { expect } from '../../expectations/expect.ts';
import { exactly, flag, nullable, oneOf, text, timestamp } from '../../expectations/shapes.ts';
import { openNumber } from '../../world/conversations.ts';
import { freshPhone } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { eventOfContact, eventsAbout, newContact, recorded, fromNow } from './event.ts';

const { must } = checksOf('events');
const TYPES = { source: 'service-api.md: Webhook deliveries', profile: 'full' } as const;
const DECIDED = { source: 'decisions.md: Webhooks out', profile: 'full' } as const;

export const contentChecks: readonly Check[] = [
  must(
    40,
    'Events of a contact have the whole contact, a deleted one as it was.',
    { ...TYPES, profile: 'api' },
    async ({ companies }) => {
      const company = await recorded(await companies.shared());
      const made = await newContact(company);
      const changed = await company.patch(`/contacts/${made.id}`, { name: 'Else', note: 'Gone soon' }).gives(200);
      await company.delete(`/contacts/${made.id}`).givesNothing();
      for (const [name, contact] of [
        ['contact.created', made],
        ['contact.updated', changed],
        ['contact.deleted', { ...changed, updated_at: timestamp }],
      ] as const) {
        const { data } = await eventOfContact(company, made, name);
        expect(data, { contact: exactly(contact) }, `the data of ${name}`);
      }
    },
  ),

  must(47, 'A change of presence has the whole employee.', TYPES, async (context) => {
    const company = await recorded(await context.companies.shared());
    const employee = await company.hire();
    const from = await fromNow(context);
    await context.sandbox.phone(employee.id).goes('online');
    const name = 'employee.status.changed';
    const isAbout = (data: any) => data.employee?.id === employee.id && data.employee.status === 'available';
    const [event] = await eventsAbout(company, `${from}&types=${name}`, isAbout, [name]);
    const whole = {
      id: employee.id,
      name: employee.name,
      email: employee.email,
      phone: nullable(text),
      invitation_pending: flag,
      status: 'available',
      do_not_disturb: false,
      do_not_disturb_activated_at: null,
      do_not_disturb_expires_at: null,
      created_at: timestamp,
      updated_at: timestamp,
    };
    expect(event.data, { employee: whole }, 'the data of the event');
    await company.put(`/employees/${employee.id}/do_not_disturb`, { enabled: true }).gives(200);
    const isQuiet = (data: any) => data.employee?.id === employee.id && data.employee.do_not_disturb;
    const [quiet] = await eventsAbout(company, `${from}&types=${name}`, isQuiet, [name]);
    expect(
      quiet.data,
      {
        employee: { ...whole, status: 'do_not_disturb', do_not_disturb: true, do_not_disturb_activated_at: timestamp },
      },
      'do-not-disturb',
    );
    await context.sandbox.phone(employee.id).goes('offline');
  }),

  must(48, 'The end of a registration has an event, with the reason if it was rejected.', DECIDED, async (context) => {
    const company = await recorded(await context.companies.shared());
    const from = await fromNow(context);
    const { id, number } = await company.number({ registration_status: 'pending' });
    const path = `/business_numbers/${id}/registration`;
    const steps = [
      { status: 'submitted' },
      { status: 'rejected', reason: 'The address is wrong.' },
      { status: 'pending' },
      { status: 'submitted' },
      { status: 'approved' },
    ];
    for (const step of steps) await context.operator.put(path, step).gives(200, { registration_status: step.status });
    const names = ['number.registration_rejected', 'number.registration_approved'];
    const isAbout = (data: any) => data.main_number?.id === id;
    const [rejected, approved] = await eventsAbout(company, `${from}&types=number.*`, isAbout, names);
    expect(
      rejected.data,
      { main_number: { id, number, registration_status: 'rejected' }, reason: 'The address is wrong.' },
      'the data of the rejection',
    );
    expect(approved.data, { main_number: { id, number, registration_status: 'approved' } }, 'the data of the approval');
  }),

  must(49, 'A text that arrives has an event with the whole message.', DECIDED, async (context) => {
    const company = await recorded(await context.companies.shared({ messaging: true }));
    const { number } = await openNumber(company);
    const from = await fromNow(context);
    const sender = freshPhone();
    await context.sandbox.text(sender, number, 'Are you open?');
    const name = 'message.received';
    const [event] = await eventsAbout(company, `${from}&types=${name}`, (data) => data.message?.from === sender, [
      name,
    ]);
    const { message } = event.data;
    const whole = {
      type: 'message',
      direction: 'inbound',
      from: sender,
      to: number,
      text: 'Are you open?',
      status: 'received',
    };
    expect(message, { ...whole, format: oneOf('sms') }, 'the message in the event');
    await company.get(`/messages/${message.id}`).gives(200, { ...whole, created_at: message.created_at });
  }),
];
