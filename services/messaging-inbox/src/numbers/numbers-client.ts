import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Clock } from '@parley/clock';
import { notFound, Refused } from '@parley/errors';
import { type GetTextingResponse, RoutingService } from '@parley/proto/numbers_routing/v1/routing_pb';
import type { Channel } from '@parley/rpc';
import { ANY_COMPANY, type CachedAnswers } from '@parley/events';

/** A business number as far as texts are concerned. */
export interface TextingNumber {
  readonly id: string;
  readonly companyId: string;
  readonly name: string;
  /** E.164. */
  readonly number: string;
  readonly language: string;
  readonly active: boolean;
  /** The number's own capability; sending also requires the company's messaging flag. */
  readonly canSend: boolean;
  readonly canReceive: boolean;
  readonly withinBusinessHours: boolean;
  /** Null while auto-reply is disabled. */
  readonly autoReply: { readonly text: string; readonly cooldownMinutes: number } | null;
}

export type SendingNumber = Omit<TextingNumber, 'withinBusinessHours'>;

export type ListedNumber = Pick<TextingNumber, 'id' | 'name' | 'canSend'>;

/** Business numbers from numbers-routing. What may be a cached answer knows nothing of business hours. */
export interface Numbers {
  /** Undefined when there is none, or it is another company's. */
  ofCompany(companyId: string, id: string): Promise<SendingNumber | undefined>;
  /** The same, as it is at this moment. */
  ofCompanyNow(companyId: string, id: string): Promise<TextingNumber | undefined>;
  /** The numbers of a company by what a list shows: all that it has, oldest first, or those of the given that it has or had. */
  listOf(companyId: string, ids?: readonly string[]): Promise<ListedNumber[]>;
  /** Searches all companies by phone number. */
  byNumber(number: string): Promise<TextingNumber | undefined>;
}

export function numbersClient(channel: Channel, answers: CachedAnswers, clock: Clock): Numbers {
  const routing = channel.client(RoutingService);
  const texting = async (key: { case: 'id' | 'number'; value: string }) => {
    try {
      return fromProto(await routing.getTexting({ key, at: timestampFromDate(clock.now()) }));
    } catch (error) {
      if (error instanceof Refused && error.refusal.code === notFound.code) return undefined;
      throw error;
    }
  };
  const own = (companyId: string, number: TextingNumber | undefined) =>
    number?.companyId === companyId ? number : undefined;
  async function list(companyId: string, ids: readonly string[]): Promise<ListedNumber[]> {
    const listed: ListedNumber[] = [];
    for await (const chunk of routing.listNumbers({ companyId, ids: [...ids] })) {
      for (const { id, name, active, sms } of chunk.numbers)
        listed.push({ id, name, canSend: active && (sms?.canSend ?? false) });
    }
    return listed;
  }
  return {
    ofCompany: async (companyId, id) =>
      own(companyId, await answers.get(companyId, `texting ${id}`, () => texting({ case: 'id', value: id }))),
    ofCompanyNow: async (companyId, id) => own(companyId, await texting({ case: 'id', value: id })),
    async listOf(companyId, ids) {
      if (ids === undefined) return list(companyId, []);
      const listed = await answers.getMany(companyId, 'number', ids, async (missing) => {
        const found = await list(companyId, missing);
        return new Map(found.map((number) => [number.id, number]));
      });
      return [...listed.values()];
    },
    async byNumber(number) {
      const ask = () => texting({ case: 'number', value: number });
      const known = await answers.get(ANY_COMPANY, number, ask);
      // Business hours decide only about automatic replies.
      return known?.autoReply ? ask() : known;
    },
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
