import { setTimeout as sleep } from 'node:timers/promises';

/** The demo company's history begins this many days ago. */
const DAYS = 7;
const DAY_MS = 86_400_000;
const RING_POLL_MS = 20;
const RING_LIMIT_MS = 5_000;
/** Longer than a phone rings before the voicemail; shorter than its greeting and a person's patience. */
const UNANSWERED_SECS = 45;
const INBOX_POLL_MS = 100;
const INBOX_LIMIT_MS = 10_000;

interface Simulated {
  readonly sandboxUrl: string;
  readonly signal: AbortSignal;
}

/** The participants of the history, and what the company does itself, by the public API. */
interface Company {
  readonly number: string;
  readonly employeeIds: readonly string[];
  reply(to: string, text: string): Promise<void>;
  request(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<unknown>;
}

type DemoEvent =
  | { readonly kind: 'text' | 'reply' | 'voicemail'; readonly text: string }
  | { readonly kind: 'missed' }
  /** `words`: in turn of the customer and the employee. */
  | { readonly kind: 'talk'; readonly by: number; readonly secs: number; readonly words: readonly string[] };

/** On a day at a time, or so many minutes ago. */
type When = readonly [daysAgo: number, time: string] | readonly [minutesAgo: number];
type Moment = readonly [When, from: string, DemoEvent];

const phone = (last: number) => `+45203040${last}`;
/** Who calls and texts. */
const FROM = {
  grace: phone(50),
  linus: phone(51),
  barbara: phone(52),
  mette: phone(61),
  jonas: phone(62),
  cafe: phone(63),
  noah: phone(64),
  sofie: phone(65),
  emil: phone(66),
  ida: phone(67),
  hanne: phone(68),
  unknown: phone(77),
};

export const DEMO_CONTACTS = [
  { name: 'Grace Holm', phone: FROM.grace, email: 'grace@holm.example', company_name: 'Holm & Co' },
  { name: 'Linus Skov', phone: FROM.linus, company_name: 'Skov Tømrer', note: 'Calls back after four o’clock.' },
  { name: 'Barbara Lund', phone: FROM.barbara, email: 'barbara@lund.example' },
  { name: 'Mette Sørensen', phone: FROM.mette, email: 'mette@soerensen.example' },
  { name: 'Jonas Krogh', phone: FROM.jonas, email: 'jonas@krogh.example', company_name: 'Krogh & Glas' },
  {
    name: 'Strandhaven Café',
    phone: FROM.cafe,
    email: 'kontakt@strandhaven.example',
    company_name: 'Strandhaven Café',
  },
  { name: 'Noah Winther', phone: FROM.noah },
  { name: 'Sofie Bech', phone: FROM.sofie, email: 'sofie@bech.example' },
  { name: 'Emil Dahlgaard', phone: FROM.emil, company_name: 'Dahlgaard Byg' },
  { name: 'Ida Kjærsgaard', phone: FROM.ida, email: 'ida@kjaersgaard.example' },
  { name: 'Hanne Toft', phone: FROM.hanne, note: 'Prefers to be texted.' },
];

/** Conversations are short, because all of a recording is transcribed, also its silence. */
const WEEK: readonly Moment[] = [
  [[6, '09:12'], FROM.grace, { kind: 'text', text: 'Hi, do you still have the oak table from the window?' }],
  [[6, '09:20'], FROM.grace, { kind: 'reply', text: 'Yes, one is left. Shall we keep it for you?' }],
  [[6, '10:44'], FROM.mette, { kind: 'text', text: 'Do you also repair chairs? Two of mine have loose legs.' }],
  [[6, '10:58'], FROM.mette, { kind: 'reply', text: 'We do. Bring them by any day after ten.' }],
  [
    [6, '14:40'],
    FROM.linus,
    {
      kind: 'talk',
      by: 1,
      secs: 38,
      words: ['Hello, one part is missing in the box.', 'I am sorry. I will send you the part today.'],
    },
  ],
  [[5, '10:05'], FROM.barbara, { kind: 'missed' }],
  [
    [5, '10:31'],
    FROM.barbara,
    {
      kind: 'talk',
      by: 2,
      secs: 29,
      words: ['Hello, when will my lamp arrive?', 'It will arrive on Saturday before noon.'],
    },
  ],
  [
    [5, '13:42'],
    FROM.cafe,
    {
      kind: 'talk',
      by: 1,
      secs: 47,
      words: [
        'Hello, we need twelve chairs for our terrace. Can you make us an offer?',
        'Of course. I will send you the offer this afternoon.',
      ],
    },
  ],
  [[5, '15:26'], FROM.cafe, { kind: 'reply', text: 'The offer for the twelve chairs is in your mail.' }],
  [[4, '11:20'], FROM.noah, { kind: 'missed' }],
  [[4, '13:15'], FROM.linus, { kind: 'text', text: 'Can you deliver on Thursday instead?' }],
  [[4, '13:48'], FROM.linus, { kind: 'reply', text: 'Thursday before noon works. See you then.' }],
  [
    [3, '11:26'],
    FROM.grace,
    {
      kind: 'talk',
      by: 0,
      secs: 34,
      words: ['Hello, could you send me the invoice again?', 'Yes, I will send it to you right away.'],
    },
  ],
  [[3, '15:02'], FROM.unknown, { kind: 'missed' }],
  [[2, '09:44'], FROM.barbara, { kind: 'text', text: 'The lamp arrived, thank you. It looks great.' }],
  [[2, '12:10'], FROM.sofie, { kind: 'text', text: 'Is the green armchair still on offer?' }],
  [[2, '12:31'], FROM.sofie, { kind: 'reply', text: 'Until Sunday, yes. We have two of them here.' }],
  [
    [2, '14:05'],
    FROM.emil,
    {
      kind: 'talk',
      by: 2,
      secs: 41,
      words: ['Hello, can you come to my house next week?', 'Yes, we can come on Monday.'],
    },
  ],
  [[1, '10:18'], FROM.linus, { kind: 'voicemail', text: 'Hello, please call me back after four. Thank you.' }],
  [
    [1, '12:35'],
    FROM.grace,
    {
      kind: 'talk',
      by: 2,
      secs: 33,
      words: ['Hello again. When can you deliver the table?', 'We can deliver it on Friday.'],
    },
  ],
  [[1, '13:20'], FROM.hanne, { kind: 'missed' }],
  [[1, '13:24'], FROM.hanne, { kind: 'reply', text: 'Sorry that we missed you. How can we help?' }],
  [[1, '16:22'], FROM.barbara, { kind: 'text', text: 'Are you open on Saturday?' }],
  [
    [170],
    FROM.jonas,
    {
      kind: 'talk',
      by: 1,
      secs: 36,
      words: [
        'Good morning. Your new window is ready. Can I bring it today?',
        'Yes, please. Somebody is here until five.',
      ],
    },
  ],
  [[95], FROM.noah, { kind: 'missed' }],
  [[52], FROM.hanne, { kind: 'text', text: 'I am looking for a desk that fits under a window.' }],
  [[18], FROM.ida, { kind: 'text', text: 'Can I return the blue rug? It is too large for the room.' }],
];

/** What the company has done about its threads in the end; nobody has looked at the others yet. */
const HANDLED: readonly { from: string; assignee?: number; state?: 'done'; comment?: string }[] = [
  { from: FROM.grace, assignee: 2 },
  { from: FROM.mette, state: 'done' },
  { from: FROM.cafe, assignee: 1, comment: 'They want the chairs before the season opens. Bo follows up on Monday.' },
  { from: FROM.sofie, state: 'done' },
  { from: FROM.emil },
  { from: FROM.jonas, state: 'done' },
  { from: FROM.unknown },
];

/** Runs `work` a week ago by the clock of every service, and returns to real time. */
export async function inThePast<T>(options: Simulated, work: () => Promise<T>): Promise<T> {
  await simulate(options, 'POST', '/clock/rewind', { seconds: (DAYS * DAY_MS) / 1000 });
  try {
    return await work();
  } finally {
    await simulate(options, 'DELETE', '/clock');
  }
}

/** A week of calls and texts of the demo company, from its beginning until now. */
export async function makeHistory(options: Simulated, company: Company): Promise<void> {
  const now = new Date();
  for (const [when, from, event] of WEEK) {
    const { now: reached } = (await simulate(options, 'GET', '/clock')) as { now: string };
    await advance(options, (timeOf(when, now) - Date.parse(reached)) / 1000);
    await simulateEvent(options, company, from, event);
  }
  await handleThreads(options, company);
}

function timeOf(when: When, now: Date): number {
  const [before, time] = when;
  if (time === undefined) return now.getTime() - before * 60_000;
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - before, hours, minutes).getTime();
}

async function simulateEvent(options: Simulated, company: Company, from: string, event: DemoEvent): Promise<void> {
  const { number: to } = company;
  if (event.kind === 'text') return void (await simulate(options, 'POST', '/messages', { from, to, ...event }));
  if (event.kind === 'reply') return reply(options, company, from, event.text);
  if (event.kind === 'talk') return talk(options, company, from, event);
  const { leg_id: leg } = (await simulate(options, 'POST', '/calls', { from, to })) as { leg_id: string };
  await advance(options, event.kind === 'missed' ? UNANSWERED_SECS / 3 : UNANSWERED_SECS);
  if (event.kind === 'voicemail') await simulate(options, 'POST', `/legs/${leg}/say`, { text: event.text });
  await simulate(options, 'POST', `/legs/${leg}/hangup`);
}

/** The company's text, which the provider delivers. */
async function reply(options: Simulated, company: Company, to: string, text: string): Promise<void> {
  await company.reply(to, text);
  const submitted = await simulate(options, 'GET', `/messages?to=${encodeURIComponent(to)}`);
  const { provider_id: id } = (submitted as { provider_id: string }[]).at(-1)!;
  await simulate(options, 'POST', `/messages/${id}/delivery_report`, { status: 'delivered' });
}

async function talk(
  options: Simulated,
  { number: to, employeeIds }: Company,
  from: string,
  { by, secs, words }: Extract<DemoEvent, { kind: 'talk' }>,
): Promise<void> {
  const employeeId = employeeIds[by]!;
  await simulate(options, 'PUT', `/phones/${employeeId}`, { online: true });
  const { leg_id: customer } = (await simulate(options, 'POST', '/calls', { from, to })) as { leg_id: string };
  const employee = await ringing(options, employeeId);
  await simulate(options, 'POST', `/phones/${employeeId}/answer`, {});
  for (const [turn, text] of words.entries()) {
    await simulate(options, 'POST', `/legs/${turn % 2 === 0 ? customer : employee}/say`, { text });
    await advance(options, secs / words.length);
  }
  await simulate(options, 'POST', `/legs/${customer}/hangup`);
  await simulate(options, 'PUT', `/phones/${employeeId}`, { online: false });
}

async function handleThreads({ signal }: Simulated, company: Company): Promise<void> {
  const start = performance.now();
  for (;;) {
    const { threads } = (await company.request('GET', '/inbox?limit=50')) as { threads: { phone_number: string }[] };
    if (HANDLED.every(({ from }) => threads.some(({ phone_number: number }) => number === from))) break;
    if (performance.now() - start > INBOX_LIMIT_MS) throw new Error('the inbox of the demo company is not complete');
    await sleep(INBOX_POLL_MS, undefined, { signal });
  }
  for (const { from, assignee, state, comment } of HANDLED) {
    const thread = `/inbox/${encodeURIComponent(from)}`;
    if (comment !== undefined) await company.request('POST', `${thread}/comments`, { text: comment });
    const activity = await company.request('GET', `${thread}/activity?limit=1`);
    const { observed_at: through } = activity as { observed_at: string };
    await company.request('POST', `${thread}/seen`, { through });
    const handling = { ...(assignee !== undefined && { assignee_id: company.employeeIds[assignee] }), state };
    if (assignee !== undefined || state) await company.request('PATCH', thread, handling);
  }
}

/** Resolves with the leg that rings. */
async function ringing(options: Simulated, employeeId: string): Promise<string> {
  const start = performance.now();
  for (;;) {
    const phone = (await simulate(options, 'GET', `/phones/${employeeId}`)) as {
      legs: { leg_id: string; state: string }[];
    };
    const leg = phone.legs.find(({ state }) => state === 'ringing');
    if (leg) return leg.leg_id;
    if (performance.now() - start > RING_LIMIT_MS) throw new Error('a phone of the demo company does not ring');
    await sleep(RING_POLL_MS);
  }
}

async function advance(options: Simulated, seconds: number): Promise<void> {
  if (seconds > 0) await simulate(options, 'POST', '/clock/advance', { seconds });
}

async function simulate({ sandboxUrl, signal }: Simulated, method: string, path: string, body?: object) {
  const answer = await fetch(`${sandboxUrl}${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    signal,
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the sandbox refused ${path}: ${answer.status} ${text}`);
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}
