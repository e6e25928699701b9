import { openAggregates, openDocuments } from '@parley/aggregates';
import { decided, type Decision, notFound, Refused, refusal } from '@parley/errors';
import { encodeMessage } from '@parley/events';
import { newId } from '@parley/secrets';
import type { ServiceContext } from '../service-context.ts';
import { decimalOf } from './decimal.ts';
import { type Endpoint, type EndpointEvent, keyContext, type TokenPrices } from './endpoint.ts';
import { afterFailure, afterSuccess, type EndpointHealth, isLeftAlone } from './endpoint-health.ts';
import {
  addUsage,
  costOf,
  type EndpointSpend,
  isLimitReached,
  monthOf,
  noSpend,
  type SpendEvent,
  type TokenUsage,
} from './endpoint-spend.ts';

/** Whose endpoint it is. */
export type EndpointSource = 'company' | 'operator';

/** A language model that answers now. */
export interface EndpointInUse {
  readonly source: EndpointSource;
  /** The base of its address up to the version. */
  readonly url: string;
  readonly model: string;
  readonly apiKey: string | null;
}

/** What an admin sees of the company's own endpoint. */
export interface EndpointView {
  readonly endpoint: Endpoint | undefined;
  readonly spend: EndpointSpend;
  readonly state: 'ok' | 'failing' | 'limit_reached' | 'not_set';
  readonly lastError: string | null;
}

export type Endpoints = Awaited<ReturnType<typeof openEndpoints>>;

const taken = refusal('conflict', 'the endpoint was set at the same time');

type Deps = Pick<ServiceContext, 'db' | 'relay' | 'clock' | 'encryptor' | 'config'>;

/** Language models of companies, what they have cost, and how they answer. */
export async function openEndpoints({ db, relay, clock, encryptor, config }: Deps) {
  const endpoints = await openAggregates<Endpoint, EndpointEvent>({
    db,
    collection: 'endpoints',
    relay,
    clock,
    encode: ({ type, endpoint: { model } }) =>
      type === 'assistant.endpoint.changed' ? encodeMessage(type, { model }) : encodeMessage(type, {}),
    indexes: [{ name: 'company', key: { companyId: 1 }, unique: true }],
    collisions: { company: taken },
  });
  const spends = await openAggregates<EndpointSpend, SpendEvent>({
    db,
    collection: 'endpoint_spends',
    relay,
    clock,
    encode: ({ type, month, limit, currency }) => encodeMessage(type, { month, limit, currency }),
    indexes: [{ name: 'company_month', key: { companyId: 1, month: 1 } }],
  });
  const healths = await openDocuments<EndpointHealth>({
    db,
    collection: 'endpoint_healths',
    indexes: [{ name: 'company', key: { companyId: 1 } }],
    reusesIds: true,
  });
  const { ASSISTANT_URL, ASSISTANT_MODEL, ASSISTANT_API_KEY = null } = config;
  const operator: EndpointInUse | undefined =
    ASSISTANT_URL === undefined || ASSISTANT_MODEL === undefined
      ? undefined
      : {
          source: 'operator',
          url: ASSISTANT_URL.replace(/\/+$/, ''),
          model: ASSISTANT_MODEL,
          apiKey: ASSISTANT_API_KEY,
        };

  const ofCompany = (companyId: string) => endpoints.of(companyId).findOne({});
  const spendId = (companyId: string, month: string) => `${companyId}/${month}`;
  const healthId = (companyId: string, source: EndpointSource) => `${companyId}/${source}`;
  const spendOf = (companyId: string) => spends.of(companyId).get(spendId(companyId, monthOf(clock.now())));
  const healthOf = (companyId: string, source: EndpointSource) =>
    healths.of(companyId).get(healthId(companyId, source));
  const keyOf = ({ id, encryptedApiKey }: Endpoint) =>
    encryptedApiKey === null ? null : encryptor.decrypt(encryptedApiKey, keyContext(id));

  async function forget(companyId: string, source: EndpointSource): Promise<void> {
    await healths.of(companyId).changeIfExists(healthId(companyId, source), () => decided(null));
  }

  return {
    /** Which endpoint an assistant of the company would use, whether or not it answers now. */
    async configured(companyId: string): Promise<{ source: EndpointSource | 'none'; model: string | null }> {
      const own = await ofCompany(companyId);
      if (own) return { source: 'company', model: own.model };
      return operator ? { source: 'operator', model: operator.model } : { source: 'none', model: null };
    },
    /**
     * The endpoint that answers now; undefined when there is none, its limit is reached or it is left alone. A session asks before each
     * turn, so that a limit is never exceeded by more than one turn.
     */
    async inUse(companyId: string): Promise<EndpointInUse | undefined> {
      const own = await ofCompany(companyId);
      const source = own ? 'company' : 'operator';
      if (!own && !operator) return undefined;
      const [spend, health] = await Promise.all([
        own?.monthlySpendLimit ? spendOf(companyId) : undefined,
        healthOf(companyId, source),
      ]);
      if (isLeftAlone(health, clock.now()) || (own && isLimitReached(spend, own))) return undefined;
      return own ? { source, url: own.url, model: own.model, apiKey: keyOf(own) } : operator;
    },
    /** The company's own, with its key; undefined when there is none. */
    async own(companyId: string): Promise<EndpointInUse | undefined> {
      const own = await ofCompany(companyId);
      return own && { source: 'company', url: own.url, model: own.model, apiKey: keyOf(own) };
    },
    async view(companyId: string): Promise<EndpointView> {
      const month = monthOf(clock.now());
      const [endpoint, spend, health] = await Promise.all([
        ofCompany(companyId),
        spendOf(companyId),
        healthOf(companyId, 'company'),
      ]);
      const state = !endpoint
        ? 'not_set'
        : isLimitReached(spend, endpoint)
          ? 'limit_reached'
          : isLeftAlone(health, clock.now())
            ? 'failing'
            : 'ok';
      return {
        endpoint,
        spend: spend ?? noSpend(spendId(companyId, month), companyId, month),
        state,
        lastError: endpoint ? (health?.lastError ?? null) : null,
      };
    },
    /** Replaces the company's own. What was known of the one before is forgotten. Throws `Refused`. */
    async put(
      companyId: string,
      decide: (
        identity: Pick<Endpoint, 'id' | 'companyId'>,
        current: Endpoint | undefined,
      ) => Decision<Endpoint, EndpointEvent>,
    ): Promise<void> {
      const own = endpoints.of(companyId);
      const replace = async (): Promise<Endpoint> => {
        const known = await own.findOne({});
        if (known) return own.change(known.id, (current) => decide({ id: current.id, companyId }, current), known);
        return own.create(decide({ id: newId('aep'), companyId }, undefined));
      };
      await replace().catch((error: unknown) => {
        // Set, or removed, by somebody else meanwhile.
        const isOutdated =
          error instanceof Refused && (error.refusal === taken || error.refusal.code === notFound.code);
        if (!isOutdated) throw error;
        return replace();
      });
      await forget(companyId, 'company');
    },
    /** Nothing happens when there is none. Throws `Refused`. */
    async remove(companyId: string, decide: (current: Endpoint) => Decision<null, EndpointEvent>): Promise<void> {
      const own = endpoints.of(companyId);
      const known = await own.findOne({});
      if (!known) return;
      await own.changeIfExists(known.id, decide);
      await forget(companyId, 'company');
    },
    /** Counts what a request has used, in one write. Returns what it has cost as a decimal number; null without prices. */
    async addSpend(companyId: string, source: EndpointSource, usage: TokenUsage): Promise<string | null> {
      const own = source === 'company' ? await ofCompany(companyId) : undefined;
      const month = monthOf(clock.now());
      const id = spendId(companyId, month);
      // One that was removed meanwhile has no price any more.
      const counted = source === 'company' ? (own ?? { prices: null, monthlySpendLimit: null }) : undefined;
      await spends
        .of(companyId)
        .upsert(id, (current) => addUsage(current ?? noSpend(id, companyId, month), usage, counted));
      return decimalCost(usage, own?.prices ?? null);
    },
    /** A request has failed. */
    async failed(companyId: string, source: EndpointSource, error: string): Promise<void> {
      const identity = { id: healthId(companyId, source), companyId };
      await healths
        .of(companyId)
        .upsert(identity.id, (current) => decided(afterFailure(identity, current, error, clock.now())));
    },
    /** A request was answered. Nothing is written when the one before was, too. */
    async answered(companyId: string, source: EndpointSource): Promise<void> {
      const health = await healthOf(companyId, source);
      if (!health || health.lastError === null) return;
      await healths.of(companyId).changeIfExists(health.id, (current) => decided(afterSuccess(current)));
    },
  };
}

function decimalCost(usage: TokenUsage, prices: TokenPrices | null): string | null {
  return prices && decimalOf(costOf(usage, prices));
}
