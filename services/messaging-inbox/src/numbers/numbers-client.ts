import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { notFound, Refused } from '@parley/errors';
import { type GetTextingResponse, RoutingService } from '@parley/proto/numbers_routing/v1/routing_pb';
import type { Channel } from '@parley/rpc';
import { coalesceByKey } from '../queues/coalesce-by-key.ts';

/** A business number as far as texts are concerned. */
export interface TextingNumber {
  readonly id: string;
  readonly companyId: string;
  readonly name: string;
  /** E.164. */
  readonly number: string;
  readonly language: string;
  readonly active: boolean;
  /** What the number itself can do; sending also needs the company's messaging flag. */
  readonly canSend: boolean;
  readonly canReceive: boolean;
  readonly withinBusinessHours: boolean;
  /** Null while auto-reply is disabled. */
  readonly autoReply: { readonly text: string; readonly cooldownMinutes: number } | null;
}

/** What lists show of a business number. */
export type ListedNumber = Pick<TextingNumber, 'id' | 'name' | 'canSend'>;

/** Business numbers from numbers-routing, without a cache; lists of one company's at the same time share an answer. */
export interface Numbers {
  /** Undefined when there is none, or it is another company's. `at`: the instant of `withinBusinessHours`. */
  ofCompany(companyId: string, id: string, at: Date): Promise<TextingNumber | undefined>;
  /** The numbers of a company, oldest first, by what a list shows: all that it has, or those of the given that it has or had. */
  listOf(companyId: string, ids?: readonly string[]): Promise<ListedNumber[]>;
  /** By its phone number, whichever company's it is. */
  byNumber(number: string, at: Date): Promise<TextingNumber | undefined>;
}

export function numbersClient(channel: Channel): Numbers {
  const routing = channel.client(RoutingService);
  const texting = async (key: { case: 'id' | 'number'; value: string }, at: Date) => {
    try {
      return fromProto(await routing.getTexting({ key, at: timestampFromDate(at) }));
    } catch (error) {
      if (error instanceof Refused && error.refusal.code === notFound.code) return undefined;
      throw error;
    }
  };
  async function list(companyId: string, ids: readonly string[]): Promise<ListedNumber[]> {
    const listed: ListedNumber[] = [];
    for await (const chunk of routing.listNumbers({ companyId, ids: [...new Set(ids)] })) {
      for (const { id, name, active, sms } of chunk.numbers)
        listed.push({ id, name, canSend: active && (sms?.canSend ?? false) });
    }
    return listed;
  }
  const listTogether = coalesceByKey<readonly string[], ListedNumber[]>((companyId, ids) =>
    list(companyId, ids.flat()),
  );
  return {
    async ofCompany(companyId, id, at) {
      const number = await texting({ case: 'id', value: id }, at);
      return number?.companyId === companyId ? number : undefined;
    },
    async listOf(companyId, ids) {
      if (ids === undefined) return list(companyId, []);
      if (ids.length === 0) return [];
      const wanted = new Set(ids);
      return (await listTogether(companyId, [...wanted])).filter(({ id }) => wanted.has(id));
    },
    byNumber: (number, at) => texting({ case: 'number', value: number }, at),
  };
}

function fromProto({ number, settings, withinBusinessHours }: GetTextingResponse): TextingNumber {
  if (!number?.sms || !settings) throw new Error('numbers-routing answered without the number or its settings');
  const { autoReplyEnabled, autoReplyText, autoReplyCooldownMinutes } = settings;
  return {
    id: number.id,
    companyId: number.companyId,
    name: number.name,
    number: number.number,
    language: number.language,
    active: number.active,
    canSend: number.active && number.sms.canSend,
    canReceive: number.active && number.sms.canReceive,
    withinBusinessHours,
    autoReply:
      autoReplyEnabled && autoReplyText ? { text: autoReplyText, cooldownMinutes: autoReplyCooldownMinutes } : null,
  };
}
