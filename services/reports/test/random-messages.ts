import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  MessageAuthorType,
  MessageDirection,
  type MessageSchema,
  MessageStatus,
} from '@parley/proto/messaging_inbox/v1/messages_pb';
import type { PublishEvent } from '@parley/testkit/service';
import { type FinishedCall, isMissed } from './random-calls.ts';
import { keysOf } from './recomputation.ts';

/** A text as it is in the end. */
export interface FinishedText {
  readonly id: string;
  readonly companyId: string;
  readonly number: string;
  readonly phone: string;
  readonly isInbound: boolean;
  readonly atMs: number;
  /** The author; null for customers and automatic replies. */
  readonly employee: string | null;
  readonly status: MessageStatus;
  readonly parts: number;
}

export function randomText(
  random: () => number,
  id: string,
  among: {
    readonly companyId: string;
    readonly numbers: readonly string[];
    readonly employees: readonly string[];
    readonly hours: readonly number[];
    readonly phones: readonly string[];
  },
): FinishedText {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const isInbound = random() < 0.5;
  const { DELIVERED, FAILED, UNKNOWN, RECEIVED } = MessageStatus;
  return {
    id,
    companyId: among.companyId,
    number: pick(among.numbers),
    phone: pick(among.phones),
    isInbound,
    atMs: pick(among.hours) + Math.floor(random() * 3_600_000),
    employee: isInbound || random() < 0.2 ? null : pick(among.employees),
    status: isInbound ? RECEIVED : pick([DELIVERED, DELIVERED, FAILED, UNKNOWN]),
    parts: 1 + Math.floor(random() * 4),
  };
}

export function textMessage(text: FinishedText, status = text.status): MessageInitShape<typeof MessageSchema> {
  const { CUSTOMER, EMPLOYEE, AUTOMATION } = MessageAuthorType;
  const type = text.isInbound ? CUSTOMER : text.employee === null ? AUTOMATION : EMPLOYEE;
  return {
    id: text.id,
    companyId: text.companyId,
    createdAtMicros: BigInt(text.atMs) * 1000n + 7n,
    businessNumberId: text.number,
    direction: text.isInbound ? MessageDirection.INBOUND : MessageDirection.OUTBOUND,
    [text.isInbound ? 'from' : 'to']: text.phone,
    author: { type, ...(text.employee !== null && { id: text.employee, name: 'Ada' }) },
    status,
    ...(status !== MessageStatus.QUEUED && { smsCount: text.parts }),
  };
}

/** Publishes what messaging-inbox would. */
export async function publishText(publish: PublishEvent, text: FinishedText): Promise<void> {
  const about = { companyId: text.companyId, aggregateId: text.id };
  if (text.isInbound) {
    await publish('messaging-inbox.message.received', { message: textMessage(text) }, about);
    return;
  }
  await publish('messaging-inbox.message.created', { message: textMessage(text, MessageStatus.QUEUED) }, about);
  await publish('messaging-inbox.message.status_changed', { message: textMessage(text) }, about);
}

interface Filter {
  readonly from: string;
  readonly to: string;
  readonly number?: string;
  readonly employee?: string;
}

interface Moment {
  readonly startedMs: number;
  readonly number: string;
  readonly employees: readonly string[];
}

type Response = Moment & { readonly secs: number };
type Text = Moment & { readonly text: FinishedText };

/** The first text or call of an employee to each person after the person's request. */
function responsesTo(texts: readonly FinishedText[], calls: readonly FinishedCall[]): Response[] {
  const steps = [
    ...texts
      .filter(({ isInbound, employee }) => isInbound || employee !== null)
      .map(({ phone, atMs, isInbound, number, employee }) => {
        const employees = employee === null ? [] : [employee];
        return { phone, startedMs: atMs, asks: isInbound, number, employees };
      }),
    ...calls
      .filter((call) => !call.isInbound || isMissed(call))
      .map(({ phone = '', startedMs, isInbound, number, employees }) => ({
        phone,
        startedMs,
        asks: isInbound,
        number,
        employees: [...new Set(employees)],
      })),
  ];
  const responses: Response[] = [];
  for (const own of Map.groupBy(steps, ({ phone }) => phone).values()) {
    let since: number | undefined;
    for (const { asks, ...step } of own.sort((a, b) => a.startedMs - b.startedMs)) {
      if (asks) since ??= step.startedMs;
      else if (since !== undefined) {
        responses.push({ ...step, secs: Math.floor((step.startedMs - since) / 1000) });
        since = undefined;
      }
    }
  }
  return responses;
}

/** Rows by key, and the totals, as a person with all texts and a calendar would write them. */
export function recomputeMessages(
  texts: readonly FinishedText[],
  calls: readonly FinishedCall[],
  groupBy: string,
  zone: string,
  filter: Filter,
) {
  const fits = (moment: Moment) => {
    const [date = ''] = keysOf(moment, 'day', zone);
    if (date < filter.from || date > filter.to) return false;
    if (filter.number && moment.number !== filter.number) return false;
    return !filter.employee || moment.employees.includes(filter.employee);
  };
  const counted: Text[] = texts.map((text) => ({
    text,
    startedMs: text.atMs,
    number: text.number,
    employees: text.employee === null ? [] : [text.employee],
  }));
  const [own, responses] = [counted.filter(fits), responsesTo(texts, calls).filter(fits)];
  const ofKey = <Item extends Moment>(items: readonly Item[], key: string) =>
    items.filter((item) => keysOf(item, groupBy, zone).includes(key));
  const keys = new Set([...own, ...responses].flatMap((item) => keysOf(item, groupBy, zone)));
  return {
    rows: new Map([...keys].map((key) => [key, figures(ofKey(own, key), ofKey(responses, key))])),
    totals: figures(own, responses),
  };
}

export function figures(own: readonly Text[], responses: readonly Response[]): Record<string, number> {
  const texts = own.map(({ text }) => text);
  const count = (fits: (text: FinishedText) => boolean) => texts.filter(fits).length;
  const secs = responses.map((response) => response.secs).sort((a, b) => a - b);
  return {
    sent: count(({ isInbound }) => !isInbound),
    received: count(({ isInbound }) => isInbound),
    delivered: count(({ status }) => status === MessageStatus.DELIVERED),
    failed: count(({ status }) => status === MessageStatus.FAILED),
    parts: texts.reduce((sum, { isInbound, parts }) => sum + (isInbound ? 0 : parts), 0),
    people: new Set(texts.map(({ phone }) => phone)).size,
    firstResponseSecsP50: secs[Math.ceil(0.5 * secs.length) - 1] ?? 0,
    firstResponseSecsP90: secs[Math.ceil(0.9 * secs.length) - 1] ?? 0,
  };
}
