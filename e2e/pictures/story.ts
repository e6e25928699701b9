import { waitUntil } from '@parley/testkit/wait-until';
import { operate, type Reply, sandbox, send, succeeded } from '../support/api.ts';
import type { LocalJson } from '../support/local-stack.ts';

/** A company with a few days of calls and texts, made through the interfaces that everybody has. */
export interface Story {
  readonly owner: { readonly id: string; readonly email: string; readonly password: string };
  readonly coworkers: readonly { readonly id: string; readonly name: string }[];
  readonly mainLine: { readonly id: string; readonly number: string };
  /** The number of a customer whose thread has items of every kind. */
  readonly customer: string;
  /** That customer's conversation, with its transcript and summary. */
  readonly callId: string;
  readonly assistantId: string;
  /** A call that the assistant answered, with a message. */
  readonly assistedCallId: string;
  call(method: string, path: string, body?: unknown): Promise<Reply>;
}

const PASSWORD = 'correct horse battery';
const DAY_MS = 86_400_000;
/** Copenhagen's working day begins, by its winter time. */
const MORNING = { hours: 7, minutes: 40 };
const AROUND_THE_CLOCK = { opening_at: '00:00', closing_at: '24:00' };

const PEOPLE = [
  ['Mette Sørensen', 'mette@soerensen.example', null, 'Regular customer, cargo bike'],
  ['Jonas Krogh', 'jonas@krogh.example', 'Krogh & Glas', null],
  ['Freja Lundholm', null, null, 'Rents a child seat'],
  ['Strandhaven Café', 'kontakt@strandhaven.example', 'Strandhaven Café', 'Three cargo bikes'],
  ['Noah Winther', null, null, null],
  ['Sofie Bech', 'sofie@bech.example', null, null],
  ['Emil Dahlgaard', null, 'Dahlgaard Byg', null],
  ['Ida Kjærsgaard', null, null, null],
] as const;

const ENTRIES = [
  { title: 'Parking', answer: 'You can park behind the shop, free of charge.', questions: ['Where can I park?'] },
  {
    title: 'Puncture',
    answer: 'We repair a puncture for 120 kroner, while you wait.',
    questions: ['What does a flat tyre cost?'],
  },
  {
    title: 'Rental',
    answer: 'You can rent a cargo bike for 200 kroner a day.',
    questions: ['Do you rent out bikes?'],
    text: 'Rental: https://fjordlyst.example/rental',
  },
];
/** The caller's part of a conversation with the assistant. */
const ASSISTED_WORDS = [
  'Where can I park?',
  'Please tell the workshop that the brakes are still too loud.',
  'Yes, that is right.',
  'No, thank you.',
];
const ANSWER_MS = 60_000;

const phoneOf = (index: number) => `+452030${String(4011 + index * 13)}`;

/** `unique`: a text that no other company on the stack has in its addresses. */
export async function tellStory(stack: LocalJson, unique: string): Promise<Story> {
  const email = `ada.${unique}@fjordlyst.example`;
  const owner = { name: 'Ada Berg', email, password: PASSWORD };
  const company = { name: 'Fjordlyst Cykler', country: 'DK', messaging_enabled: true, owner };
  const { body: created } = await succeeded(operate(stack, 'POST', '/companies', company));
  const call = (method: string, path: string, body?: unknown) =>
    succeeded(send(method, `${stack.base_url}/api/v1${path}`, { headers: { 'X-Api-Key': created.api_key }, body }));
  const ids: string[] = [];
  for (const name of ['Bo Lind', 'Freja Holt']) {
    const address = `${name.split(' ')[0]!.toLowerCase()}.${unique}@fjordlyst.example`;
    const { body: employee } = await call('POST', '/employees', { name, email: address });
    ids.push(employee.id);
    await succeeded(sandbox(stack, 'PUT', `/phones/${employee.id}`, { online: true }));
  }
  const [bo = '', freja = ''] = ids;
  const addNumber = async (name: string, last: string, employeeIds: readonly string[]) => {
    const details = { name, number: `+457199${last}`, timezone: 'Europe/Copenhagen', language: 'en' };
    const path = `/companies/${created.company.id}/business_numbers`;
    const { body: number } = await succeeded(operate(stack, 'POST', path, details));
    const ring = { type: 'TransferConfig', employee_ids: employeeIds };
    await call('PUT', `/business_numbers/${number.id}/incoming_call_config`, ring);
    const hours = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day_of_week: day, open: true, ...AROUND_THE_CLOCK }));
    const closed = { type: 'VoicemailConfig', greeting: 'We are closed right now.', business_hours: hours };
    await call('PUT', `/business_numbers/${number.id}/outside_business_hours_config`, closed);
    return number as { id: string; number: string };
  };
  const digits = String(Math.floor(Math.random() * 90) + 10);
  const mainLine = await addNumber('Main line', `${digits}00`, [bo]);
  const workshop = await addNumber('Workshop', `${digits}20`, [freja]);
  for (const [index, [name, mail, companyName, note]] of PEOPLE.entries())
    await call('POST', '/contacts', { name, phone: phoneOf(index), email: mail, company_name: companyName, note });

  const receive = (index: number, text: string, to = mainLine) =>
    succeeded(sandbox(stack, 'POST', '/messages', { from: phoneOf(index), to: to.number, text }));
  const reply = (index: number, text: string) =>
    call('POST', `/business_numbers/${mainLine.id}/messages`, {
      to: phoneOf(index),
      text,
      idempotency_key: `${unique}-${index}-${text.length}`,
    });
  const pass = (seconds: number) => succeeded(sandbox(stack, 'POST', '/clock/advance', { seconds }));
  /** `words`: in turn of the customer and the employee. */
  const talk = async (index: number, employeeId: string, secs: number, words: readonly string[], to = mainLine) => {
    const dialled = { from: phoneOf(index), to: to.number };
    const { body } = await succeeded(sandbox(stack, 'POST', '/calls', dialled));
    const legId = body.leg_id as string;
    const ringing = await waitUntil(
      async () => {
        const { body: phone } = await sandbox(stack, 'GET', `/phones/${employeeId}`);
        const legs = phone.legs as { leg_id: string; state: string }[];
        return legs.find(({ state }) => state === 'ringing')?.leg_id;
      },
      { what: 'the phone of a coworker rings' },
    );
    await succeeded(sandbox(stack, 'POST', `/phones/${employeeId}/answer`));
    for (const [turn, text] of words.entries()) {
      await succeeded(sandbox(stack, 'POST', `/legs/${turn % 2 === 0 ? legId : ringing}/say`, { text }));
      await pass(secs / words.length);
    }
    if (words.length === 0) await pass(secs);
    await succeeded(sandbox(stack, 'POST', `/legs/${legId}/hangup`));
    await pass(900);
  };
  const recordedCall = () =>
    waitUntil(
      async () => {
        const { body } = await call('GET', '/calls?limit=100');
        const calls = body.calls as { id: string; from: string; summary: unknown }[];
        return calls.find(({ from, summary }) => from === phoneOf(0) && summary !== null)?.id;
      },
      { what: 'the summary of a conversation' },
    );
  /** The next morning, however late it is. */
  const nextDay = async () => {
    const now = new Date((await sandbox(stack, 'GET', '/clock')).body.now);
    const morning = new Date(now).setUTCHours(MORNING.hours, MORNING.minutes, 0, 0);
    await pass(((morning > now.getTime() ? morning : morning + DAY_MS) - now.getTime()) / 1000);
  };

  await nextDay();
  await talk(0, bo, 252, [
    'Hello, my bike makes a loud noise when I slow down.',
    'I am sorry to hear that, does it also pull to one side?',
    'No, it is only the noise, could you look at the rear light as well?',
    'Bring it by on Monday from nine, I will adjust it while you wait.',
  ]);
  await receive(7, 'Can I change the tyre for a wider one?');
  await talk(3, freja, 397, [], workshop);
  await talk(6, bo, 108, []);
  await nextDay();
  await receive(6, 'Friday at ten works for me.');
  await reply(6, 'Great. See you then.');
  await talk(5, freja, 185, ['I would like to try the long tail on Friday.'], workshop);
  await pass(3600);
  await talk(1, bo, 490, []);
  await talk(2, freja, 64, [], workshop);
  await nextDay();
  await talk(7, bo, 141, []);
  await pass(1200);
  await talk(1, bo, 365, ['The back wheel makes a noise again.', 'We order a new one today.']);
  await receive(4, 'Is my bicycle ready?');
  await reply(4, 'Your bicycle is ready for collection.');
  await pass(1500);
  await receive(3, 'Three of the cargo bikes need new brakes, can you come by next week?');
  await talk(5, freja, 96, [], workshop);
  await receive(0, 'Hi, is my bike ready? Order 4482');
  await pass(420);
  await reply(0, 'Hi Mette! Almost. The brakes are done and we test ride it at one.');
  await missedCall(stack, '+4520304077', workshop.number, freja);
  await pass(840);
  await receive(2, 'Can I collect it today after four?', workshop);
  await receive(2, 'And do you have the grey lock?', workshop);
  await pass(300);
  const comments = `/inbox/${encodeURIComponent(phoneOf(0))}/comments`;
  await call('POST', comments, { text: '@Bo do we have the folding lock in grey?' });
  const answers = { note: 'Add both jobs to order 4482. No charge.', tags: ['Workshop', 'Warranty'] };
  const callId = await recordedCall();
  await call('PATCH', `/calls/${callId}`, answers);
  const service = await addNumber('Service line', `${digits}40`, [bo]);
  const { body: assistant } = await call('POST', '/assistants', {
    name: 'Robin',
    greeting: 'Welcome to Fjordlyst Cykler. How can I help you?',
    transfer_targets: [{ name: 'the workshop', aliases: ['repairs'], employee_ids: [freja] }],
  });
  for (const entry of ENTRIES) await call('POST', '/knowledge_entries', entry);
  await call('PUT', `/business_numbers/${service.id}/incoming_call_config`, {
    type: 'AssistantConfig',
    assistant_id: assistant.id,
    fallback: { type: 'TransferConfig', employee_ids: [bo] },
  });
  const assistedCallId = await assistedCall(stack, call, { from: phoneOf(1), to: service.number }, ASSISTED_WORDS);
  const keys = [
    { digit: '1', action_type: 'TransferConfig', employee_ids: [bo] },
    { digit: '2', action_type: 'TransferConfig', employee_ids: [bo, freja] },
  ];
  const welcome = 'Welcome to Fjordlyst Cykler. Press 1 for sales, 2 for the workshop.';
  const menu = { type: 'PhoneMenuConfig', welcome, menu_options: keys };
  await call('PUT', `/business_numbers/${mainLine.id}/incoming_call_config`, menu);
  return {
    owner: { id: created.owner.id, email, password: PASSWORD },
    coworkers: [
      { id: bo, name: 'Bo Lind' },
      { id: freja, name: 'Freja Holt' },
    ],
    mainLine,
    customer: phoneOf(0),
    callId,
    assistantId: assistant.id,
    assistedCallId,
    call,
  };
}

interface SessionItem {
  readonly speaker?: string;
  readonly ended_at?: string | null;
}

/** A caller talks with the assistant in real time: each sentence after the answer to the one before. */
async function assistedCall(
  stack: LocalJson,
  call: Story['call'],
  dialled: { from: string; to: string },
  words: readonly string[],
): Promise<string> {
  const { body: leg } = await succeeded(sandbox(stack, 'POST', '/calls', dialled));
  const callId = await waitUntil(
    async () => {
      const { body } = await call('GET', '/calls?limit=5');
      return (body.calls as { id: string; from: string; to: string }[]).find(({ to }) => to === dialled.to)?.id;
    },
    { what: 'the call with the assistant' },
  );
  const answers = (count: number) =>
    waitUntil(
      async () => {
        const { body } = await call('GET', `/calls/${callId}/assistant_session?limit=100`);
        return (body.items as SessionItem[]).filter(isAnswer).length >= count;
      },
      { what: `answer ${count} of the assistant`, timeoutMs: ANSWER_MS },
    );
  for (const [index, text] of words.entries()) {
    await answers(index + 1);
    await succeeded(sandbox(stack, 'POST', `/legs/${leg.leg_id}/say`, { text }));
  }
  await answers(words.length + 1);
  await succeeded(sandbox(stack, 'POST', `/legs/${leg.leg_id}/hangup`));
  return callId;
}

const isAnswer = ({ speaker, ended_at: endedAt }: SessionItem) => speaker === 'assistant' && Boolean(endedAt);

/** Somebody hangs up before anybody answers. */
async function missedCall(stack: LocalJson, from: string, to: string, employeeId: string): Promise<void> {
  const { body } = await succeeded(sandbox(stack, 'POST', '/calls', { from, to }));
  const rings = async () => {
    const { body: phone } = await sandbox(stack, 'GET', `/phones/${employeeId}`);
    return phone.legs.length > 0;
  };
  await waitUntil(rings, { what: 'the call that is missed rings' });
  await succeeded(sandbox(stack, 'POST', `/legs/${body.leg_id}/hangup`));
}
