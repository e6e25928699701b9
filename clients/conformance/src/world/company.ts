import { SetUpFailure } from '../expectations/failure.ts';
import { ApiClient, type RequestOptions } from '../http/api-client.ts';
import type { Network } from '../http/network.ts';
import type { Reply } from '../http/reply.ts';
import type { StoredCompany } from './company-store.ts';
import { prepared } from './prepared.ts';
import { freshBusinessNumber, freshWord } from './random.ts';

/** What a company needs of the run it belongs to. */
export interface CompanySurroundings {
  readonly network: Network;
  readonly baseUrl: string;
  /** Absent with an API key alone. */
  readonly operator?: ApiClient;
  /** Called for what was made (`+`) and deleted (`-`) below these paths. */
  readonly changed?: (sign: '+' | '-', path: string) => void;
}

const NUMBER_ATTEMPTS = 5;
/** Collections whose things the API can delete. */
const COLLECTION = /^\/(contacts|text_snippets|webhooks|employees|knowledge_entries|assistants)$/;

/** A company: requests as its owner below `/api/v1`, and what belongs to it. */
export class Company extends ApiClient {
  readonly id: string;
  readonly apiKey: string;
  readonly #stored: StoredCompany;
  readonly #around: CompanySurroundings;

  constructor(stored: StoredCompany, around: CompanySurroundings) {
    super(around.network, around.baseUrl, '/api/v1', { 'X-Api-Key': stored.apiKey });
    this.id = stored.id;
    this.apiKey = stored.apiKey;
    this.#stored = stored;
    this.#around = around;
  }

  /** In the profile `full` only. */
  get owner(): NonNullable<StoredCompany['owner']> {
    if (!this.#stored.owner) throw new SetUpFailure('whose the given API key is cannot be known: the check is `full`');
    return this.#stored.owner;
  }

  /** The same company with other credentials: `withHeaders({ Authorization: … })`. */
  withHeaders(headers: Readonly<Record<string, string>>): ApiClient {
    return new ApiClient(this.network, this.base, this.prefix, headers);
  }

  /** A new employee with an API key, invited and not signed in. */
  async hire(details: { name?: string; role?: 'member' | 'admin' | 'owner' } = {}): Promise<Employee> {
    const word = freshWord();
    const employee = { name: `Employee ${word}`, email: `conformance.${word}@example.com`, ...details };
    const { id } = await prepared(this.post('/employees', employee), 201);
    const { api_key: apiKey } = await prepared(
      this.#operator().post(`/employees/${id}/api_keys`, { name: 'Conformance' }),
      201,
    );
    return new Employee(this.withHeaders({ 'X-Api-Key': apiKey }), { id, ...employee, apiKey });
  }

  /** A new business number, as the operator makes it. Without `number` one that nobody has. */
  async number(details: Readonly<Record<string, unknown>> = {}): Promise<any> {
    for (let attempt = 1; ; attempt++) {
      const reply = await this.#operator().post(`/companies/${this.id}/business_numbers`, {
        number: freshBusinessNumber(),
        name: 'Conformance',
        timezone: 'Europe/Copenhagen',
        language: 'en',
        ...details,
      });
      if (reply.status === 201) return reply.body;
      // An earlier run may have had this one.
      const isTaken = reply.status === 422 && details['number'] === undefined && reply.body?.errors?.number;
      if (!isTaken || attempt === NUMBER_ATTEMPTS)
        throw new SetUpFailure(`the operator could not make a business number: ${reply.status} ${reply.text}`);
    }
  }

  protected override async exchange(method: string, path: string, options: RequestOptions): Promise<Reply> {
    const reply = await super.exchange(method, path, options);
    const { changed } = this.#around;
    if (method === 'POST' && reply.status < 300 && COLLECTION.test(path) && typeof reply.body?.id === 'string')
      changed?.('+', `${path}/${reply.body.id}`);
    if (method === 'DELETE' && reply.status === 204) changed?.('-', path);
    return reply;
  }

  #operator(): ApiClient {
    if (!this.#around.operator) throw new SetUpFailure('this needs the operator API: the check is `full`');
    return this.#around.operator;
  }
}

/** An employee: requests with their own API key. */
export class Employee extends ApiClient {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly apiKey: string;

  constructor(client: ApiClient, who: { id: string; name: string; email: string; apiKey: string }) {
    super(client.network, client.base, client.prefix, client.headers);
    this.id = who.id;
    this.name = who.name;
    this.email = who.email;
    this.apiKey = who.apiKey;
  }
}
