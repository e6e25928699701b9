import { setTimeout as delay } from 'node:timers/promises';
import { SetUpFailure } from '../expectations/failure.ts';
import { ApiClient } from '../http/api-client.ts';
import { type Connections, Network } from '../http/network.ts';
import type { Reply } from '../http/reply.ts';
import type { Target } from '../target.ts';
import { freshWord } from './random.ts';

export interface CompanyOptions {
  /** ISO 3166-1 alpha-2; DK by default. */
  readonly country?: string;
  /** Whether the company may text; false by default, as the operator's. */
  readonly messaging?: boolean;
}

/** A company of the kit, or the one that the given key belongs to. */
export interface StoredCompany {
  readonly id: string;
  readonly apiKey: string;
  /** Unknown for the company of a given key. */
  readonly owner?: { readonly id: string; readonly name: string; readonly email: string; readonly password: string };
}

/** Everything that the kit makes begins with it. */
const NAME_PREFIX = 'Conformance';
/** Passwords are hashed, which a busy server may put off. */
const ATTEMPTS = 5;
const PAUSE_MS = 1000;
const DELETED_AT_ONCE = 4;

/**
 * The companies of a run: made when they are first needed, kept for the checks that may share them, and deleted at the end. With an API key
 * alone, what checks have made in its company is removed instead.
 */
export class CompanyStore {
  readonly #target: Target;
  readonly #network: Network;
  readonly #shared = new Map<string, Promise<StoredCompany>>();
  readonly #made: string[] = [];
  readonly #left = new Set<string>();
  #companyOfKey: Promise<StoredCompany> | undefined;

  constructor(target: Target, connections: Connections) {
    this.#target = target;
    this.#network = new Network({ connections });
  }

  /** The company with these options that was made for `purpose` before, or a new one. */
  shared(purpose: string, options: CompanyOptions): Promise<StoredCompany> {
    const key = JSON.stringify([purpose, options.country, options.messaging]);
    const found = this.#shared.get(key) ?? this.make(purpose, options);
    this.#shared.set(key, found);
    found.catch(() => this.#shared.delete(key));
    return found;
  }

  async make(purpose: string, { country = 'DK', messaging = false }: CompanyOptions): Promise<StoredCompany> {
    const word = freshWord();
    const owner = {
      name: `Owner ${word}`,
      email: `conformance.${word}@example.com`,
      password: `correct horse ${word} staple`,
    };
    const details = { name: `${NAME_PREFIX} ${purpose} ${word}`, country, messaging_enabled: messaging, owner };
    const { status, body, text } = await this.#post('/companies', details);
    if (status !== 201) throw new SetUpFailure(`the operator could not make a company: ${status} ${text}`);
    this.#made.push(body.company.id);
    return { id: body.company.id, apiKey: body.api_key, owner: { ...owner, id: body.owner.id } };
  }

  /** The company of the given key. */
  ofKey(): Promise<StoredCompany> {
    this.#companyOfKey ??= this.#readCompanyOfKey();
    return this.#companyOfKey;
  }

  async #readCompanyOfKey(): Promise<StoredCompany> {
    const { apiKey } = this.#target;
    if (apiKey === undefined) throw new SetUpFailure('there is neither an operator API nor an API key');
    const { status, body, text } = await this.#ofKey(apiKey).get('/company');
    if (status !== 200) throw new SetUpFailure(`the company of the API key could not be read: ${status} ${text}`);
    return { id: body.id, apiKey };
  }

  /** Has a company that a check has made by itself deleted at the end. */
  adopt(companyId: string): void {
    this.#made.push(companyId);
  }

  /** Remembers what a check has made in the company of the given key, by its path. */
  remember(path: string): void {
    this.#left.add(path);
  }

  forget(path: string): void {
    this.#left.delete(path);
  }

  /** Deletes everything that was made; says what is left. */
  async close(): Promise<string[]> {
    const problems: string[] = [];
    const companies = this.#made.splice(0).map((id) => () => this.#deleteCompany(id));
    const others = [...this.#left].map((path) => () => this.#deleteOfKey(path));
    this.#left.clear();
    const work = [...companies, ...others].values();
    const deleting = async () => {
      for (const next of work) {
        try {
          await next();
        } catch (error) {
          problems.push(error instanceof Error ? error.message : String(error));
        }
      }
    };
    await Promise.all(Array.from({ length: DELETED_AT_ONCE }, deleting));
    return problems;
  }

  async #deleteCompany(id: string): Promise<void> {
    const { status } = await this.#operator().delete(`/companies/${id}`);
    if (status !== 202 && status !== 404) throw new Error(`the company ${id} was not deleted: ${status}`);
  }

  async #deleteOfKey(path: string): Promise<void> {
    const { status } = await this.#ofKey(this.#target.apiKey!).delete(path);
    if (status !== 204 && status !== 404) throw new Error(`${path} was not deleted: ${status}`);
  }

  async #post(path: string, body: unknown): Promise<Reply> {
    for (let attempt = 1; ; attempt++) {
      const reply = await this.#operator().post(path, body);
      if (reply.status !== 503 || attempt === ATTEMPTS) return reply;
      await delay(PAUSE_MS);
    }
  }

  #operator(): ApiClient {
    const { operator } = this.#target;
    if (!operator) throw new SetUpFailure('a company can only be made with the operator API');
    return new ApiClient(this.#network, operator.url, '/operator/v1', { Authorization: `Bearer ${operator.token}` });
  }

  #ofKey(apiKey: string): ApiClient {
    return new ApiClient(this.#network, this.#target.baseUrl, '/api/v1', { 'X-Api-Key': apiKey });
  }
}
