import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { type TestClockBroker, testClockSubjects, withTimeout } from '@parley/clock';
import type { Logger } from '@parley/telemetry';
import { z } from 'zod';
import type { ClockMembers } from './clock-control.ts';

/** NATS does not answer, so the state of the services' clocks is unknown. */
export class BrokerUnreachable extends Error {
  constructor() {
    super('the message broker does not answer');
    this.name = 'BrokerUnreachable';
  }
}

/** Every request is sent twice, so that a member is dropped only after three seconds without a response. */
const ANSWER_MS = 1500;
const QUESTIONS_MAX = 2;

const joining = z.object({ instance: z.string().min(1), service: z.string().min(1) });
const moved = z.object({ instance: z.string() });
const report = z.object({ instance: z.string(), busy: z.number(), finished: z.number() });

export interface NatsClockMembersOptions {
  broker: TestClockBroker & { inbox(): string };
  /** The offset that a joining service is given. */
  offsetMs: () => number;
  log: Logger;
}

/** The sandbox's side of the test clock's protocol (`@parley/clock`), with the list of members. */
export function natsClockMembers(options: NatsClockMembersOptions): ClockMembers & { stop(): void } {
  const { broker, offsetMs, log } = options;
  const { connection } = broker;
  const subjects = testClockSubjects(broker);
  const serviceOf = new Map<string, string>();

  const joins = connection.subscribe(subjects.join, {
    callback: (error, message) => {
      if (error) return;
      const member = read(message, joining);
      if (!member) return;
      serviceOf.set(member.instance, member.service);
      message.respond(JSON.stringify({ offsetMs: offsetMs() }));
    },
  });

  const announceSandbox = () => connection.publish(subjects.hello);

  /** Validates a message: an error thrown in a callback would end the connection. */
  function read<Message>(message: Msg, schema: z.ZodType<Message>): Message | undefined {
    try {
      return schema.parse(message.json());
    } catch (error) {
      log.warn({ subject: message.subject, err: error }, 'malformed message about the test clock ignored');
      return undefined;
    }
  }

  /** Sends a request to all members and waits for every known one; those that do not answer are removed. */
  async function ask<Answer extends { instance: string }>(
    subject: string,
    answerSchema: z.ZodType<Answer>,
    question?: unknown,
  ): Promise<Answer[]> {
    const answers = new Map<string, Answer>();
    const awaited = new Set(serviceOf.keys());
    let complete = () => {};
    const inbox = broker.inbox();
    const subscription = connection.subscribe(inbox, {
      callback: (error, message) => {
        if (error || message.data.length === 0) return; // the broker reports that there are no subscribers
        const answer = read(message, answerSchema);
        if (!answer) return;
        answers.set(answer.instance, answer);
        awaited.delete(answer.instance);
        if (awaited.size === 0) complete();
      },
    });
    try {
      for (let round = 0; round < QUESTIONS_MAX && (round === 0 || awaited.size > 0); round += 1) {
        // First: messages published without a connection would be sent later, when they are outdated.
        await reachable(connection);
        const answered = new Promise<void>((resolve) => (complete = resolve));
        connection.publish(subject, question === undefined ? undefined : JSON.stringify(question), { reply: inbox });
        if (awaited.size > 0) await withTimeout(ANSWER_MS, answered);
      }
    } finally {
      subscription.unsubscribe();
    }
    drop(awaited);
    return [...answers.values()];
  }

  function drop(silent: ReadonlySet<string>): void {
    for (const instance of silent) {
      log.warn({ member: serviceOf.get(instance), instance }, 'dropped a member of the test clock: it does not answer');
      serviceOf.delete(instance);
    }
    if (silent.size > 0) announceSandbox(); // running members join again
  }

  announceSandbox();
  return {
    async set(offset) {
      await reachable(connection);
      // Members may have been dropped while they had no connection.
      announceSandbox();
      await ask(subjects.set, moved, { offsetMs: offset });
    },
    async report() {
      const reports = await ask(subjects.report, report);
      return reports.map((one) => ({ ...one, service: serviceOf.get(one.instance) ?? one.instance }));
    },
    stop: () => joins.unsubscribe(),
  };
}

async function reachable(connection: NatsConnection): Promise<void> {
  const answered = connection.flush().then(
    () => true,
    () => false,
  );
  if (!(await withTimeout(ANSWER_MS * QUESTIONS_MAX, answered))) throw new BrokerUnreachable();
}
