import { setTimeout as sleep } from 'node:timers/promises';

/** The demo company's history begins this many days ago. */
const DAYS = 7;
const DAY_MS = 86_400_000;
const RING_POLL_MS = 20;
const RING_LIMIT_MS = 5_000;
/** Longer than a phone rings before the voicemail; shorter than its greeting and a person's patience. */
const UNANSWERED_SECS = 45;

interface Simulated {
  readonly sandboxUrl: string;
  readonly signal: AbortSignal;
}

/** The participants of the history, and the company's replies. */
interface Company {
  readonly number: string;
  readonly employeeIds: readonly string[];
  reply(to: string, text: string): Promise<void>;
}

type Happening =
  | { readonly kind: 'text' | 'reply' | 'voicemail'; readonly text: string }
  | { readonly kind: 'missed' }
  | { readonly kind: 'talk'; readonly by: number; readonly secs: number; readonly text?: string };

type Moment = readonly [daysAgo: number, time: string, from: string, Happening];

const [GRACE, LINUS, BARBARA, UNKNOWN] = ['+4520304050', '+4520304051', '+4520304052', '+4520304077'] as const;

/** Words are spoken only where they make a difference: each costs a second. */
const WEEK: readonly Moment[] = [
  [6, '09:12', GRACE, { kind: 'text', text: 'Hi, do you still have the oak table from the window?' }],
  [6, '09:20', GRACE, { kind: 'reply', text: 'Yes, one is left. Shall we keep it for you?' }],
  [6, '14:40', LINUS, { kind: 'talk', by: 1, secs: 252 }],
  [5, '10:05', BARBARA, { kind: 'missed' }],
  [5, '10:31', BARBARA, { kind: 'talk', by: 2, secs: 96 }],
  [4, '13:15', LINUS, { kind: 'text', text: 'Can you deliver on Thursday instead?' }],
  [4, '13:48', LINUS, { kind: 'reply', text: 'Thursday before noon works. See you then.' }],
  [3, '11:26', GRACE, { kind: 'talk', by: 0, secs: 187, text: 'Could you send me the invoice again?' }],
  [3, '15:02', UNKNOWN, { kind: 'missed' }],
  [2, '09:44', BARBARA, { kind: 'text', text: 'The lamp arrived, thank you. It looks great.' }],
  [1, '10:18', LINUS, { kind: 'voicemail', text: 'This is Linus. Please call me back after four.' }],
  [1, '12:35', GRACE, { kind: 'talk', by: 2, secs: 141 }],
  [1, '16:22', BARBARA, { kind: 'text', text: 'Are you open on Saturday?' }],
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
  for (const [daysAgo, time, from, happening] of WEEK) {
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    const at = new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo, hours, minutes);
    const { now: reached } = (await simulate(options, 'GET', '/clock')) as { now: string };
    await advance(options, (at.getTime() - Date.parse(reached)) / 1000);
    await happen(options, company, from, happening);
  }
}

async function happen(options: Simulated, company: Company, from: string, happening: Happening): Promise<void> {
  const { number: to } = company;
  if (happening.kind === 'text') return void (await simulate(options, 'POST', '/messages', { from, to, ...happening }));
  if (happening.kind === 'reply') return company.reply(from, happening.text);
  const employeeId = happening.kind === 'talk' ? company.employeeIds[happening.by] : undefined;
  if (employeeId) await simulate(options, 'PUT', `/phones/${employeeId}`, { online: true });
  const { leg_id: leg } = (await simulate(options, 'POST', '/calls', { from, to })) as { leg_id: string };
  if (happening.kind === 'talk') {
    await ringing(options, employeeId!);
    await simulate(options, 'POST', `/phones/${employeeId}/answer`, {});
  } else await advance(options, happening.kind === 'missed' ? UNANSWERED_SECS / 3 : UNANSWERED_SECS);
  if ('text' in happening) await simulate(options, 'POST', `/legs/${leg}/say`, { text: happening.text });
  if (happening.kind === 'talk') await advance(options, happening.secs);
  await simulate(options, 'POST', `/legs/${leg}/hangup`);
  if (employeeId) await simulate(options, 'PUT', `/phones/${employeeId}`, { online: false });
}

async function ringing(options: Simulated, employeeId: string): Promise<void> {
  const start = performance.now();
  for (;;) {
    const phone = (await simulate(options, 'GET', `/phones/${employeeId}`)) as { legs: { state: string }[] };
    if (phone.legs.some(({ state }) => state === 'ringing')) return;
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
