import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@parley/testkit/wait-until';
import { createNumber } from '../business-numbers/create-number.ts';
import { receiveText, requireThat, retry } from '../stress/stress-stack.ts';
import { readActivity } from '../stress/activity.ts';
import { openHook } from '../webhooks/hooks.ts';
import { createTestCompany, sandbox, succeeded } from '../support/api.ts';
import { type Sent, startBalancer } from '../support/balancer.ts';
import type { Drill } from './drill.ts';
import type { DrillStack } from './drill-stack.ts';

/** A request that a client had to repeat. */
interface FailedRequest {
  readonly request: string;
  readonly gateway: string;
  readonly what: string;
  readonly at: number;
}

/** What a client was told, and when (`performance.now()`); requests of which it heard nothing are repeated until they are answered. */
interface Promised {
  readonly beganAt: number;
  answeredAt: number;
}

interface Contact extends Promised {
  readonly phone: string;
  id: string;
  /** The last name that was answered, and one whose answer is outstanding. */
  name: string;
  changing: string | undefined;
  namedAt: number;
}

interface Text extends Promised {
  readonly to: string;
  id: string;
  /** A restore has taken it back, or part of it. */
  isTakenBack: boolean;
}

interface Received extends Promised {
  readonly from: string;
}

/** The client has not got what it asked for, and no reason either that lies with the request. */
const isUnanswered = (status: number) => status === 0 || status === 401 || status === 429 || status >= 500;

/** Between two actions of a worker. */
const PAUSE_MS = 200;
const WORKERS = 6;
/** Each may send thirty texts a minute. */
const NUMBERS = 8;
/** Between a page and the next one. */
const READING_MS_MAX = 3000;
/** Fewer than clients may ask for at once. */
const BURST = 60;
const SETTLED_WITHIN_MS = 120_000;
const ATTEMPT_MS_MAX = 30_000;
const EVENTS = ['contact.created', 'contact.updated', 'message.received', 'message.status_changed', 'call.ended'];

/**
 * A company at work: contacts are added and changed, texts sent and received, calls missed. It remembers what clients were told and what
 * the outside world has seen, and finds what is lost or was done twice.
 */
export async function startWorkload(drill: Drill, stack: DrillStack) {
  const { random } = drill;
  const { local } = stack;
  const company = await createTestCompany(local, { messaging_enabled: true });
  const numbers: { id: string; number: string }[] = [];
  for (let count = 0; count < NUMBERS; count++) numbers.push((await createNumber(company, {}, local)).body);
  const hook = openHook(company, local);
  const webhook = { name: 'Drill', url: hook.url, events: EVENTS };
  await succeeded(company.call('POST', '/webhooks', webhook));

  let { apiKey } = company;
  const balancer = startBalancer(stack);
  drill.defer(() => balancer.stop());
  const failures: FailedRequest[] = [];
  let requests = 0;
  const asked = new Set<Promise<Sent>>();
  const contacts: Contact[] = [];
  const texts: Text[] = [];
  const received: Received[] = [];
  const callers: string[] = [];
  let isRunning = false;
  let workers: Promise<void>[] = [];
  let turn = 0;

  /** One request of a client; each that is not answered, or with 5xx or 429, is counted. */
  async function ask(method: string, path: string, body?: unknown): Promise<Sent> {
    requests += 1;
    const timeout = sleep(ATTEMPT_MS_MAX, undefined, { ref: false });
    const answered = balancer.send(method, `/api/v1${path}`, { body, headers: { 'X-Api-Key': apiKey } });
    asked.add(answered);
    const sent = await Promise.race([
      answered.finally(() => asked.delete(answered)),
      timeout.then(() => ({ status: 0, text: '', headers: new Headers(), gateway: '?', failure: 'no response' })),
    ]);
    const { status, text, gateway, failure } = sent;
    if (isUnanswered(status))
      failures.push({
        request: `${method} ${path}`,
        gateway,
        what: failure ?? `${status} ${text.slice(0, 200)}`,
        at: performance.now(),
      });
    return sent;
  }

  /** Repeats it, as a client does, until there is an answer about the request itself. */
  async function answer(method: string, path: string, body?: unknown) {
    return retry(`an answer to ${method} ${path}`, async () => {
      const { status, text, headers } = await ask(method, path, body);
      if (isUnanswered(status)) return undefined;
      return { status, headers, body: (text === '' ? undefined : JSON.parse(text)) as any };
    });
  }

  const index = () => String((turn += 1)).padStart(6, '0');

  const actions = {
    async addContact() {
      const nth = index();
      const contact: Contact = {
        phone: `+4520${nth}`,
        id: '',
        name: `Contact ${nth}`,
        changing: undefined,
        beganAt: performance.now(),
        answeredAt: Infinity,
        namedAt: Infinity,
      };
      const { status, body } = await answer('POST', '/contacts', { phone: contact.phone, name: contact.name });
      // An earlier attempt, whose answer was lost, has added it.
      if (status === 422) {
        const list = await answer('GET', `/contacts?query=${encodeURIComponent(contact.phone)}`);
        const [found] = (list.body.contacts ?? list.body) as { id: string }[];
        requireThat(found !== undefined, `contact ${contact.phone} was refused: ${JSON.stringify(body)}`);
        contact.id = found!.id;
      } else {
        requireThat(status === 201, `contact ${contact.phone} was answered ${status} ${JSON.stringify(body)}`);
        contact.id = body.id;
      }
      contact.answeredAt = contact.namedAt = performance.now();
      contacts.push(contact);
    },
    async changeContact() {
      const contact = contacts.length > 0 && random.pick(contacts);
      if (!contact || contact.changing !== undefined) return actions.addContact();
      const name = `Changed ${index()}`;
      contact.changing = name;
      const { status, body } = await answer('PATCH', `/contacts/${contact.id}`, { name });
      requireThat(status === 200, `a change of ${contact.id} was answered ${status} ${JSON.stringify(body)}`);
      Object.assign(contact, { name, changing: undefined, namedAt: performance.now() });
    },
    async sendText() {
      const nth = index();
      const text: Text = {
        to: `+4521${nth}`,
        id: '',
        beganAt: performance.now(),
        answeredAt: Infinity,
        isTakenBack: false,
      };
      const path = `/business_numbers/${random.pick(numbers).id}/messages`;
      texts.push(text);
      const content = { to: text.to, text: `Text ${nth}`, idempotency_key: `drill-${drill.seed}-${nth}` };
      const { body } = await answer('POST', path, content);
      text.id = body.message_id ?? body.id;
      requireThat(typeof text.id === 'string', `text ${nth} was answered ${JSON.stringify(body)}`);
      text.answeredAt = performance.now();
    },
    async receive() {
      const nth = index();
      const message: Received = { from: `+4522${nth}`, beganAt: performance.now(), answeredAt: Infinity };
      received.push(message);
      await receiveText({ local }, { from: message.from, to: random.pick(numbers).number, text: `Received ${nth}` });
      message.answeredAt = performance.now();
    },
    async missCall() {
      const from = `+4523${index()}`;
      const { status, body } = await sandbox(local, 'POST', '/calls', { from, to: random.pick(numbers).number });
      if (status !== 201) return;
      callers.push(from);
      await sleep(random.below(1500));
      await sandbox(local, 'POST', `/legs/${body.leg_id}/hangup`);
    },
    async read() {
      const path = random.pick(['/contacts?limit=20', '/inbox?limit=20', '/calls?limit=20', '/webhooks', '/employees']);
      const { status, body, headers } = await answer('GET', path);
      requireThat(status === 200, `${path} was answered ${status}`);
      // The next page, of a list that grows meanwhile.
      const cursor = body.next_cursor ?? /[?&]cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1];
      if (!cursor) return;
      await sleep(random.below(READING_MS_MAX));
      const next = await answer('GET', `${path}&cursor=${body.next_cursor ? encodeURIComponent(cursor) : cursor}`);
      requireThat(next.status === 200, `a page of ${path} was answered ${next.status} ${JSON.stringify(next.body)}`);
    },
  };
  const mix = [
    actions.addContact,
    actions.changeContact,
    actions.changeContact,
    actions.sendText,
    actions.sendText,
    actions.receive,
    actions.missCall,
    actions.read,
    actions.read,
    actions.read,
  ];

  let problem: Error | undefined;
  async function attempt(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      problem ??= error as Error;
      isRunning = false;
    }
  }
  async function worker(): Promise<void> {
    while (isRunning) {
      await attempt(random.pick(mix));
      await sleep(PAUSE_MS);
    }
  }

  const submissions = async () =>
    Map.groupBy(
      ((await succeeded(sandbox(local, 'GET', '/messages'))).body as { to: string; from: string }[]).filter(
        ({ from }) => numbers.some(({ number }) => number === from),
      ),
      ({ to }) => to,
    );

  const workload = {
    company,
    numbers,
    hook,
    ask,
    answer,
    failures: failures as readonly FailedRequest[],
    /** Its clients use another key from now on; resolves when none uses the former one any more. */
    async useApiKey(changed: string): Promise<void> {
      apiKey = changed;
      await Promise.all(asked);
    },
    counts: () => ({
      requests,
      failed: failures.length,
      contacts: contacts.length,
      texts: texts.length,
      received: received.length,
      calls: callers.length,
    }),
    sendText: actions.sendText,
    start(): void {
      isRunning = true;
      workers = Array.from({ length: WORKERS }, worker);
    },
    /** Many changes at once, each of which is fanned out to the webhook. */
    burst: (): void => void workers.push(...Array.from({ length: BURST }, () => attempt(actions.addContact))),
    /** Ends what is being done; throws when a client was told something that it must not be. */
    async stop(): Promise<void> {
      isRunning = false;
      await Promise.all(workers);
      if (problem !== undefined) throw problem;
    },
    /** Forgets what was promised after a moment: a restore to that moment takes it back. Returns how much that is. */
    takeBackAfter(moment: number): number {
      const isLater = ({ answeredAt }: Promised) => answeredAt > moment;
      const lost = [contacts, texts, received].map((list) => list.filter(isLater).length);
      const kept = contacts.filter((contact) => !isLater(contact));
      const changed = kept.filter(({ namedAt }) => namedAt > moment).length;
      // Its name is one of those before.
      for (const contact of kept) if (contact.namedAt > moment) Object.assign(contact, { name: '' });
      contacts.splice(0, contacts.length, ...kept);
      for (const text of texts.filter(isLater)) text.isTakenBack = true;
      received.splice(0, received.length, ...received.filter((text) => !isLater(text)));
      return lost.reduce((sum, count) => sum + count, changed);
    },
    /** Waits until everything is settled and compares. That nothing was done twice is required of what a restore took back as well. */
    async check(): Promise<string> {
      const outcomes: Record<string, number> = {};
      for (const text of texts) {
        const status = await waitUntil(
          async () => {
            const found = await answer('GET', `/messages/${text.id}`);
            if (found.status === 404) return text.isTakenBack && 'taken back';
            return found.body.status !== 'queued' && found.body.status;
          },
          { what: `text ${text.to} to be settled`, timeoutMs: SETTLED_WITHIN_MS },
        );
        outcomes[status] = (outcomes[status] ?? 0) + 1;
      }
      const submitted = await submissions();
      for (const { to } of texts)
        requireThat(
          (submitted.get(to)?.length ?? 0) <= 1,
          `text ${to} was submitted ${submitted.get(to)?.length} times`,
        );
      for (const { to, id } of texts) {
        const { body } = await answer('GET', `/messages/${id}`);
        if (['accepted', 'delivered'].includes(body?.status))
          requireThat(submitted.has(to), `text ${to} is ${body.status} and was never submitted`);
        if (body?.status === 'failed') requireThat(!submitted.has(to), `text ${to} has failed and was submitted`);
      }
      for (const contact of contacts) {
        const { status, body } = await answer('GET', `/contacts/${contact.id}`);
        requireThat(status === 200, `contact ${contact.phone} is lost: ${status}`);
        const isNamed = contact.name === '' || [contact.name, contact.changing].includes(body.name);
        requireThat(isNamed, `contact ${contact.phone} is called ${body.name}, not ${contact.name}`);
      }
      for (const { from } of received) {
        const items = await waitUntil(
          async () => {
            const found = await readActivity(company, from, 20);
            return found.items.length > 0 && found.items;
          },
          { what: `the text of ${from} in the inbox`, timeoutMs: SETTLED_WITHIN_MS },
        );
        requireThat(items.length === 1, `the text of ${from} is ${items.length} times in the inbox`);
      }
      const calls = await waitUntil(
        async () => {
          const all = await allCalls();
          return all.every(({ state }) => state === 'ended') && all;
        },
        { what: 'every call to have ended', timeoutMs: SETTLED_WITHIN_MS },
      );
      const ofCaller = Map.groupBy(calls, ({ from }) => from);
      for (const from of callers) {
        const times = ofCaller.get(from)?.length ?? 0;
        requireThat(times <= 1, `the call of ${from} has ${times} records`);
      }
      const hooks = await checkDeliveries();
      return `${texts.length} texts ${JSON.stringify(outcomes)}, ${contacts.length} contacts, ${received.length} received texts, ${ofCaller.size} of ${callers.length} calls, ${hooks}`;
    },
  };

  async function allCalls(): Promise<{ from: string; state: string }[]> {
    const calls: { from: string; state: string }[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { body } = await answer('GET', `/calls?limit=50${query}`);
      calls.push(...body.calls);
      cursor = body.next_cursor ?? undefined;
    }
    return calls;
  }

  /** Each contact was reported; what was delivered more than once has the same webhook-id. */
  async function checkDeliveries(): Promise<string> {
    const idsOf = (arrived: Awaited<ReturnType<typeof hook.arrived>>, contact: Contact) =>
      arrived
        .filter(({ body }) => body.event === 'contact.created' && body.data['contact'].id === contact.id)
        .map(({ headers }) => headers['webhook-id']);
    const arrived = await waitUntil(
      async () => {
        const all = await hook.arrived();
        const missing = contacts.filter((contact) => idsOf(all, contact).length === 0);
        requireThat(
          missing.length === 0,
          `${missing.length} of ${contacts.length} contacts, such as ${missing[0]?.id}`,
        );
        return all;
      },
      { what: 'every contact to be delivered', timeoutMs: SETTLED_WITHIN_MS },
    );
    for (const contact of contacts) {
      const ids = new Set(idsOf(arrived, contact));
      requireThat(ids.size === 1, `contact ${contact.phone} was delivered with ${ids.size} webhook-ids`);
    }
    const distinct = new Set(arrived.map(({ headers }) => headers['webhook-id'])).size;
    return `${distinct} webhook deliveries, ${arrived.length - distinct} repeated with the same webhook-id`;
  }

  return workload;
}

export type Workload = Awaited<ReturnType<typeof startWorkload>>;

/** How many requests clients had to repeat, and why. */
export function failedSince({ failures }: Pick<Workload, 'failures'>, from: number): string {
  const kinds = Map.groupBy(
    failures.filter(({ at }) => at > from),
    ({ what }) => what.slice(0, 3),
  );
  const counted = [...kinds].map(([kind, some]) => `${some.length} with ${/^\d/.test(kind) ? kind : some[0]?.what}`);
  return counted.length === 0 ? 'no request failed' : `repeated by clients: ${counted.join(', ')}`;
}
