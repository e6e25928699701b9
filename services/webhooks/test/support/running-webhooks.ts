import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Event } from '@parley/events';
import { newId } from '@parley/secrets';
import { PersonalDataService } from '@parley/proto/privacy/v1/personal_data_pb';
import { DeliveryService } from '@parley/proto/webhooks/v1/deliveries_pb';
import { EventLogService } from '@parley/proto/webhooks/v1/event_log_pb';
import { SubscriptionService } from '@parley/proto/webhooks/v1/subscriptions_pb';
import type { EmployeePrincipal, RpcClient } from '@parley/rpc';
import {
  asEmployee,
  type ServiceForTest,
  type ServiceForTestOptions,
  startServiceForTest,
} from '@parley/testkit/service';
import { service } from '../../src/index.ts';

/** The webhooks service, and the directory's events about contacts of a company. */
export interface RunningWebhooks extends Omit<ServiceForTest, 'as' | 'moveClock'> {
  readonly subscriptions: RpcClient<typeof SubscriptionService>;
  readonly deliveries: RpcClient<typeof DeliveryService>;
  readonly eventLog: RpcClient<typeof EventLogService>;
  readonly personalData: RpcClient<typeof PersonalDataService>;
  readonly companyId: string;
  /** An employee of the company, or of another one. */
  as(companyId?: string): { as: EmployeePrincipal };
  /** Publishes directory's event that a contact was created, updated or deleted. */
  contact(fact: 'created' | 'updated' | 'deleted', contact?: Partial<ContactFact>): Promise<ContactFact>;
  /** Publishes it once more, as if the follower had lost its position: only the event's own id is the same. */
  again(event: Event, sequence: number): Promise<void>;
  /** Moves the service's clock to this far ahead of the machine's, and waits until everything due then is done. */
  moveClock(aheadSecs: number, withinMs?: number): Promise<void>;
}

export interface ContactFact {
  readonly id: string;
  readonly companyId: string;
  readonly sequence: number;
  readonly name: string;
  readonly occurredAt: Date;
  readonly event: Event;
}

export async function runWebhooks(
  origins: readonly string[],
  settings: Record<string, string> = {},
  elsewhere: Pick<ServiceForTestOptions, 'start' | 'mongo' | 'peers' | 'follows'> = {},
): Promise<RunningWebhooks> {
  const webhooks = await startServiceForTest(service, {
    follows: ['directory'],
    settings: { LOG_LEVEL: 'error', TEST_CLOCK: 'on', ALLOWED_ORIGINS: origins.join(','), ...settings },
    ...elsewhere,
  });
  const gateway = webhooks.as('gateway');
  const companyId = newId('com');
  return {
    ...webhooks,
    subscriptions: gateway.client(SubscriptionService),
    deliveries: gateway.client(DeliveryService),
    eventLog: gateway.client(EventLogService),
    personalData: webhooks.as('directory').client(PersonalDataService),
    companyId,
    as: (company = companyId) => asEmployee(company, `emp_${company}`, `key_${company}`),
    async contact(fact, given = {}) {
      const { id = newId('con'), name = 'Ida', occurredAt = new Date() } = given;
      const at = timestampFromDate(occurredAt);
      const phone = { phone: '+4512345678', phoneFormatted: '+45 12 34 56 78' };
      const contact = { id, name, ...phone, createdAt: at, updatedAt: at };
      const event = await webhooks.publish(
        `directory.contact.${fact}`,
        { contact },
        {
          companyId: given.companyId ?? companyId,
          aggregateId: id,
          occurredAt,
          ...(given.sequence !== undefined && { aggregateSequence: given.sequence }),
        },
      );
      const { companyId: company, aggregateSequence: sequence } = event;
      return { id, companyId: company, sequence, name, occurredAt, event };
    },
    again: (event, aggregateSequence) => webhooks.broker.publishAgain({ ...event, aggregateSequence }),
    async moveClock(aheadSecs, withinMs) {
      await webhooks.moveClock(aheadSecs);
      await webhooks.idle(withinMs);
    },
  };
}
