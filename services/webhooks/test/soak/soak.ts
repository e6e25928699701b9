import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@parley/secrets';
import { waitUntil } from '@parley/testkit';
import { startOwnMongo } from '../support/start-own-mongo.ts';
import { type OwnProcess, startInOwnProcess } from '../support/own-process.ts';
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { type RunningWebhooks, runWebhooks } from '../support/running-webhooks.ts';

export interface SoakPlan {
  /** Each is the only webhook of its own company. */
  readonly receivers: number;
  readonly eventsPerReceiver: number;
  /** Events of one contact, which must arrive in order. */
  readonly eventsPerContact: number;
  readonly eventsPerSecond: number;
  /** Share of requests that are answered with 500, until all events have happened. */
  readonly failShare: number;
  /** The number of times the sender is killed, evenly distributed while events happen. */
  readonly kills: number;
}

export interface SoakReport {
  readonly events: number;
  readonly requests: number;
  readonly kills: number;
  /** Never answered with 2xx, though their receiver was well in the end. */
  readonly undelivered: number;
  /** Requests with one webhook-id. */
  readonly attemptsMax: number;
  /** A request of an event after one of a later event of the same contact. */
  readonly inversions: number;
}

interface Customer {
  readonly companyId: string;
  readonly receiver: Receiver;
}

/** Deliveries that the kills left behind have to be sent too. */
const DRAIN_MS_MAX = 300_000;

/** A retry comes before this, jitter included. */
const SCHEDULE_SECS = [6, 331, 1_981, 7_921, 19_801];

/**
 * Receivers that fail now and then, and a sender that is killed every few seconds. At the end the receivers are healthy, the clock
 * runs through the schedule, and nothing may be missing.
 */
export async function soak(plan: SoakPlan): Promise<SoakReport> {
  const receivers = await Promise.all(Array.from({ length: plan.receivers }, () => startReceiver()));
  let process: OwnProcess | undefined;
  const webhooks = await runWebhooks(
    receivers.map(({ origin }) => origin),
    // Claims of a killed process last twice as long as an attempt may.
    { ATTEMPT_SECS_MAX: '2' },
    { start: async (env) => (process = await startInOwnProcess(env)), mongo: await startOwnMongo() },
  );
  try {
    const customers = await Promise.all(receivers.map((receiver) => subscribe(webhooks, receiver, plan.failShare)));
    let kills = 0;
    await happen(webhooks, customers, plan, async () => {
      await process?.kill();
      await webhooks.restart();
      kills += 1;
    });
    for (const receiver of receivers) receiver.reply = () => ({});
    await runThroughSchedule(webhooks, plan.receivers * plan.eventsPerReceiver);
    return report(receivers, plan, kills);
  } finally {
    await webhooks.stop();
    await Promise.all(receivers.map((receiver) => receiver.close()));
  }
}

async function subscribe(webhooks: RunningWebhooks, receiver: Receiver, failShare: number): Promise<Customer> {
  const companyId = newId('com');
  const events = ['contact.created', 'contact.updated'];
  await webhooks.subscriptions.createSubscription(
    { name: 'soak', url: `${receiver.origin}/hook`, events },
    webhooks.as(companyId),
  );
  receiver.reply = () => ({ status: Math.random() < failShare ? 500 : 200 });
  return { companyId, receiver };
}

/** At a steady pace, one event after another of each contact. Events continue while the sender is killed and restarted. */
async function happen(
  webhooks: RunningWebhooks,
  customers: readonly Customer[],
  plan: SoakPlan,
  kill: () => Promise<void>,
): Promise<void> {
  const started = performance.now();
  const roundsPerKill = Math.ceil(plan.eventsPerReceiver / (plan.kills + 1));
  let happened = 0;
  let killing = Promise.resolve();
  for (let round = 0; round < plan.eventsPerReceiver; round += 1) {
    const contact = Math.floor(round / plan.eventsPerContact);
    const fact = round % plan.eventsPerContact === 0 ? 'created' : 'updated';
    if (round > 0 && round % roundsPerKill === 0) killing = killing.then(kill);
    for (const { companyId } of customers) {
      await webhooks.contact(fact, { id: `con_${companyId}_${contact}`, companyId, name: String(round) });
      happened += 1;
      const aheadMs = (happened / plan.eventsPerSecond) * 1000 - (performance.now() - started);
      if (aheadMs > 5) await sleep(aheadMs);
    }
  }
  await killing;
}

async function runThroughSchedule(webhooks: RunningWebhooks, events: number): Promise<void> {
  // After a kill the events are followed again a moment later.
  await waitUntil(async () => (await webhooks.db.collection('deliveries').countDocuments()) === events, {
    what: 'a delivery of every event',
    timeoutMs: DRAIN_MS_MAX,
  });
  let aheadSecs = 0;
  for (const waitSecs of SCHEDULE_SECS) {
    aheadSecs += waitSecs;
    await webhooks.moveClock(aheadSecs, DRAIN_MS_MAX);
  }
  const unsettled = { status: 'pending' };
  await waitUntil(async () => (await webhooks.db.collection('deliveries').countDocuments(unsettled)) === 0, {
    what: 'every delivery to be settled',
    timeoutMs: DRAIN_MS_MAX,
  });
}

function report(receivers: readonly Receiver[], plan: SoakPlan, kills: number): SoakReport {
  const events = plan.receivers * plan.eventsPerReceiver;
  const requests = receivers.flatMap(({ received }) => received);
  const byId = Map.groupBy(requests, ({ headers }) => headers['webhook-id']);
  const acknowledged = new Set(requests.filter(({ answered }) => answered === 200).map((request) => idOf(request)));
  const byContact = Map.groupBy(requests, ({ body }) => body.data.contact.id as string);
  const inversions = [...byContact.values()].flatMap((ofContact) =>
    ofContact.filter((request, index) => index > 0 && roundOf(request) < roundOf(ofContact[index - 1]!)),
  );
  return {
    events,
    requests: requests.length,
    kills,
    undelivered: events - acknowledged.size,
    attemptsMax: Math.max(...[...byId.values()].map((ofEvent) => ofEvent.length)),
    inversions: inversions.length,
  };
}

const idOf = ({ headers }: Received) => headers['webhook-id'];
const roundOf = ({ body }: Received) => Number(body.data.contact.name);
