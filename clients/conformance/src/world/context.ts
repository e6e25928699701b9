import { LeftOut, SetUpFailure } from '../expectations/failure.ts';
import { ApiClient } from '../http/api-client.ts';
import { type Connections, type Detour, Network } from '../http/network.ts';
import { profileOf, type Target } from '../target.ts';
import type { CompanyOptions, CompanyStore, StoredCompany } from './company-store.ts';
import { Company } from './company.ts';
import { prepared } from './prepared.ts';
import { Sandbox } from './sandbox.ts';

/** What a check is given. */
export interface Context {
  readonly target: Target;
  readonly network: Network;
  /** The base address without credentials. */
  readonly http: ApiClient;
  readonly companies: Companies;
  readonly operator: ApiClient;
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly faults: Faults;
  /** Ends the check without a result: it does not apply to this server or company. */
  leaveOut(reason: string): never;
}

export interface Companies {
  /** A company that other checks of the area use before and after: make things of your own in it, and do not count. With an API key alone, its company. */
  shared(options?: CompanyOptions): Promise<Company>;
  /** A second one, whose things the first must not see. */
  another(options?: CompanyOptions): Promise<Company>;
  /** One for this check alone. */
  fresh(options?: CompanyOptions): Promise<Company>;
  /** Has a company that the check has made by itself deleted at the end, with the others: a deletion takes a while, which the clock waits for. */
  adopt(companyId: string): void;
}

/** The clock of the whole server: only for checks that run alone. */
export interface Clock {
  now(): Promise<Date>;
  advance(seconds: number): Promise<void>;
}

/** What is broken around the server: only for checks that run alone. */
export interface Faults {
  set(faults: Readonly<Record<string, unknown>>): Promise<void>;
}

/** What the checks of a run, or of one of its lanes, have in common. */
export interface World {
  readonly target: Target;
  readonly connections: Connections;
  readonly companies: CompanyStore;
  readonly signal?: AbortSignal;
  readonly detour?: Detour;
}

export interface ContextOptions {
  readonly area: string;
  /** Whether the check runs alone. */
  readonly alone: boolean;
  readonly signal: AbortSignal;
}

export function makeContext(world: World, { area, alone, signal }: ContextOptions): Context {
  const { target, connections, companies: store, detour } = world;
  const network = new Network({ connections, signal, ...(detour && { detour }) });
  const isFull = profileOf(target) === 'full';
  const operator = target.operator && operatorClient(network, target.operator);
  const company = (stored: StoredCompany) =>
    new Company(stored, {
      network,
      baseUrl: target.baseUrl,
      ...(operator && { operator }),
      ...(!isFull && { changed: (sign, path) => (sign === '+' ? store.remember(path) : store.forget(path)) }),
    });
  const requireAlone = (what: string) => {
    if (!alone) throw new SetUpFailure(`a check that changes ${what} must be declared with \`alone: true\``);
  };
  return {
    target,
    network,
    http: new ApiClient(network, target.baseUrl, ''),
    companies: {
      shared: async (options = {}) => company(await (isFull ? store.shared(area, options) : store.ofKey())),
      another: async (options = {}) => company(await store.shared(`another ${area}`, options)),
      fresh: async (options = {}) => company(await store.make(area, options)),
      adopt: (companyId) => store.adopt(companyId),
    },
    get operator() {
      if (!operator) throw new SetUpFailure('this needs the operator API: the check is `full`');
      return operator;
    },
    get sandbox() {
      return sandboxOf(network, target);
    },
    clock: {
      async now() {
        return new Date((await prepared(sandboxOf(network, target).get('/clock'), 200)).now);
      },
      async advance(seconds) {
        requireAlone('the clock');
        await prepared(sandboxOf(network, target).post('/clock/advance', { seconds }), 200);
      },
    },
    faults: {
      async set(faults) {
        requireAlone('faults');
        await prepared(sandboxOf(network, target).put('/faults', faults), 200);
      },
    },
    leaveOut(reason) {
      throw new LeftOut(reason);
    },
  };
}

/** After a check that ran alone: the real time, and nothing is broken. */
export async function restoreSurroundings({ target, connections }: World): Promise<void> {
  if (target.sandboxUrl === undefined) return;
  const sandbox = sandboxOf(new Network({ connections }), target);
  for (const path of ['/faults', '/clock']) await prepared(sandbox.delete(path), 204);
}

function operatorClient(network: Network, { url, token }: NonNullable<Target['operator']>): ApiClient {
  return new ApiClient(network, url, '/operator/v1', { Authorization: `Bearer ${token}` });
}

function sandboxOf(network: Network, { sandboxUrl }: Target): Sandbox {
  if (sandboxUrl === undefined) throw new SetUpFailure('this needs the sandbox: the check is `full`');
  return new Sandbox(network, sandboxUrl);
}
