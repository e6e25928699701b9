import { type Decision, decided } from '@parley/errors';
import { decimalOf, exactAmount, readMillionths } from './decimal.ts';
import type { Endpoint, TokenPrices } from './endpoint.ts';

/** Tokens that a request to a model has used. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** What a company has used in a month (UTC). */
export interface EndpointSpend {
  readonly id: string;
  readonly companyId: string;
  /** YYYY-MM. */
  readonly month: string;
  /** Of its own endpoint. */
  readonly company: TokenUsage;
  /** Of the operator's. */
  readonly operator: TokenUsage;
  /** What its own endpoint has cost, by currency: prices may change in a month. Exact amounts in digits. */
  readonly amounts: Readonly<Record<string, string>>;
  /** Admins were told that most of the limit is used. */
  readonly isNearTold: boolean;
}

export interface SpendEvent {
  readonly type: 'assistant.endpoint.spend_limit_near';
  readonly month: string;
  readonly limit: string;
  readonly currency: string;
}

const NOTHING: TokenUsage = { inputTokens: 0, outputTokens: 0 };
/** Admins are told when this share of the limit is used. */
const NEAR_PERCENT = 80n;

/** The month of spends and limits. */
export function monthOf(now: Date): string {
  return now.toISOString().slice(0, 7);
}

export function noSpend(id: string, companyId: string, month: string): EndpointSpend {
  return { id, companyId, month, company: NOTHING, operator: NOTHING, amounts: {}, isNearTold: false };
}

/** What tokens cost, exactly. */
export function costOf({ inputTokens, outputTokens }: TokenUsage, prices: TokenPrices): bigint {
  const per = (tokens: number, price: string) => BigInt(tokens) * (readMillionths(price) ?? 0n);
  return per(inputTokens, prices.inputPerMillion) + per(outputTokens, prices.outputPerMillion);
}

/** Adds tokens; `endpoint` when they are of the company's own. */
export function addUsage(
  current: EndpointSpend,
  usage: TokenUsage,
  endpoint: Pick<Endpoint, 'prices' | 'monthlySpendLimit'> | undefined,
): Decision<EndpointSpend, SpendEvent> {
  if (!endpoint) return decided({ ...current, operator: sum(current.operator, usage) });
  const { prices, monthlySpendLimit: limit } = endpoint;
  const company = sum(current.company, usage);
  if (!prices) return decided({ ...current, company });
  const { currency } = prices;
  const amount = BigInt(current.amounts[currency] ?? 0) + costOf(usage, prices);
  const next = { ...current, company, amounts: { ...current.amounts, [currency]: amount.toString() } };
  if (limit === null || current.isNearTold || amount * 100n < exactLimit(limit) * NEAR_PERCENT) return decided(next);
  const event: SpendEvent = { type: 'assistant.endpoint.spend_limit_near', month: current.month, limit, currency };
  return decided({ ...next, isNearTold: true }, [event]);
}

export function isLimitReached(
  spend: EndpointSpend | undefined,
  { prices, monthlySpendLimit: limit }: Pick<Endpoint, 'prices' | 'monthlySpendLimit'>,
): boolean {
  if (limit === null || !prices) return false;
  return BigInt(spend?.amounts[prices.currency] ?? 0) >= exactLimit(limit);
}

/** The amount in the currency of the prices; null without prices. */
export function amountIn(spend: EndpointSpend, prices: TokenPrices | null): string | null {
  return prices && decimalOf(BigInt(spend.amounts[prices.currency] ?? 0));
}

function exactLimit(limit: string): bigint {
  return exactAmount(readMillionths(limit) ?? 0n);
}

function sum(one: TokenUsage, other: TokenUsage): TokenUsage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  };
}
