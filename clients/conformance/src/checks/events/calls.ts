import { expect } from '../../expectations/expect.ts';
import { absent, someText, timestamp } from '../../expectations/shapes.ts';
import { callIs, closedNumber, inConversation, keptAgent, numberOf, openNumber } from '../../world/conversations.ts';
import { freshPhone } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { CALL_DATA, eventsAbout, recorded, fromNow } from './event.ts';

const { must } = checksOf('events');
const TYPES = { source: 'service-api.md: Webhook deliveries', profile: 'full' } as const;

export const callEventChecks: readonly Check[] = [
  must(
    41,
    'A call that is answered is initiated, queued at most, answered and ended, and not lost.',
    TYPES,
    async (context) => {
      const company = await recorded(await context.companies.shared());
      const from = await fromNow(context);
      let callId = '';
      await inConversation(context, async (conversation) => {
        ({ callId } = conversation);
      });
      const names = ['call.initiated', 'call.answered', 'call.ended'];
      const query = `${from}&types=${names.join()},call.lost`;
      const events = await eventsAbout(company, query, ({ id }) => id === callId, names);
      const inbound = { ...CALL_DATA, direction: 'inbound', initiated_by: null };
      expect(events[0].data, { ...inbound, answered_at: null, duration: null }, 'the call that was initiated');
      expect(events[1].data, { ...inbound, answered_at: timestamp }, 'the call that was answered');
      expect(events[2].data, { ...inbound, state: 'ended', answered_at: timestamp }, 'the call that ended');
    },
  ),

  must(42, 'A call in events has the names of numbers that events have.', TYPES, async (context) => {
    const company = await recorded(await context.companies.shared());
    const from = await fromNow(context);
    const number = await openNumber(company, { incoming_call_config: { type: 'RejectConfig', message: 'No.' } });
    const customer = await context.sandbox.call(freshPhone(), number.number);
    const callId = await customer.callId();
    const [event] = await eventsAbout(company, `${from}&types=call.ended`, ({ id }) => id === callId, ['call.ended']);
    const names = {
      main_number_id: number.id,
      main_number_name: number.name,
      main_number_number: number.number,
      main_number_number_formatted: number.number_formatted,
      main_number: absent,
      main_number_formatted: absent,
    };
    expect(event.data, { ...CALL_DATA, ...names, employees: [] }, 'the call in the event');
  }),

  must(43, 'A caller who waits is queued once; one who gives up is lost.', TYPES, async (context) => {
    const company = await recorded(await context.companies.shared());
    const from = await fromNow(context);
    const { number } = await numberOf(company, [await company.hire()]);
    const customer = await context.sandbox.call(freshPhone(), number);
    const callId = await customer.callId();
    await callIs(company, callId, { state: 'queued' });
    await customer.hangUp();
    const names = ['call.initiated', 'call.queued', 'call.ended', 'call.lost'];
    const isAbout = ({ id }: { id?: string }) => id === callId;
    const events = await eventsAbout(
      company,
      `${from}&types=call.initiated,call.queued,call.ended`,
      isAbout,
      names.slice(0, 3),
    );
    expect(events[1].data, { state: 'queued', answered_at: null }, 'the call that was queued');
    const [lost] = await eventsAbout(company, `${from}&types=call.lost`, isAbout, ['call.lost']);
    expect(lost.data, { ...CALL_DATA, state: 'ended', answered_at: null }, 'the call that was lost');
  }),

  must(44, 'A voicemail has an event with its call, and its call is not lost.', TYPES, async (context) => {
    const company = await recorded(await context.companies.shared());
    const from = await fromNow(context);
    const routing = { type: 'VoicemailConfig', greeting: 'Speak.' };
    const number = await openNumber(company, { incoming_call_config: routing });
    const caller = freshPhone();
    const customer = await context.sandbox.call(caller, number.number);
    await customer.hears('beep');
    await customer.say('Please call me back about my order.');
    await customer.hangUp();
    const callId = await customer.callId();
    const isAbout = ({ id }: { id?: string }) => id === callId;
    const query = `${from}&types=call.ended,call.lost,call.answered`;
    const [event] = await eventsAbout(company, `${from}&types=voicemail.new`, isAbout, ['voicemail.new']);
    const voicemail = {
      id: someText,
      from: caller,
      main_number_name: number.name,
      main_number_number: number.number,
      transcription: null,
      created_at: timestamp,
    };
    expect(event.data, { ...CALL_DATA, answered_at: null, voicemail }, 'the data of the event');
    await eventsAbout(company, query, isAbout, ['call.ended']);
    await company.get(`/voicemails/${event.data.voicemail.id}`).gives(200, { from: caller });
  }),

  must(45, 'A call outside business hours has an event that says so.', TYPES, async (context) => {
    const company = await recorded(await context.companies.shared());
    const from = await fromNow(context);
    const closed = await closedNumber(company);
    const open = await openNumber(company, { incoming_call_config: { type: 'RejectConfig', message: 'No.' } });
    const inside = await context.sandbox.call(freshPhone(), open.number);
    await inside.is('ended');
    const customer = await context.sandbox.call(freshPhone(), closed.number);
    const callId = await customer.callId();
    const name = 'call.outside_business_hours';
    const isAbout = ({ main_number_id: id }: { main_number_id?: string }) => id === closed.id || id === open.id;
    const [event] = await eventsAbout(company, `${from}&types=${name}`, isAbout, [name]);
    expect(event.data, { ...CALL_DATA, id: callId, direction: 'inbound' }, 'the call in the event');
  }),

  must(46, 'An outbound call names in its events who made it.', TYPES, async (context) => {
    const company = await recorded(await context.companies.shared());
    const { employee, phone } = await keptAgent(context, company);
    const from = await fromNow(context);
    const number = await numberOf(company, [employee]);
    const to = freshPhone();
    const leg = await phone.dials(number.id, to);
    const callId = await leg.callId();
    const isAbout = ({ id }: { id?: string }) => id === callId;
    const [event] = await eventsAbout(company, `${from}&types=call.initiated`, isAbout, ['call.initiated']);
    await leg.hangUp();
    const initiatedBy = { id: employee.id, name: employee.name };
    expect(event.data, { ...CALL_DATA, direction: 'outbound', to, initiated_by: initiatedBy }, 'the call in the event');
  }),
];
