import { SetUpFailure } from '../expectations/failure.ts';
import { ApiClient } from '../http/api-client.ts';
import type { Network } from '../http/network.ts';
import { prepared } from './prepared.ts';
import { Leg, Phone } from './phones.ts';
import { freshWord } from './random.ts';

/** What a receiver of webhooks got. */
export interface Delivery {
  readonly received_at: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: any;
  readonly raw_body: string;
  /** The status that the receiver gave; null while the sender waits. */
  readonly answered: number | null;
}

type Response = number | { status: number; headers?: Record<string, string>; body?: string };

/** A receiver of webhooks. Its address is given to the service. */
export class Receiver {
  readonly #sandbox: Sandbox;
  readonly name: string;

  constructor(sandbox: Sandbox, name: string) {
    this.#sandbox = sandbox;
    this.name = name;
  }

  get url(): string {
    return `${this.#sandbox.base}/hooks/${this.name}`;
  }

  /** What it answers, in order; the last one repeats. */
  async answers(responses: readonly Response[], delayMs = 0): Promise<void> {
    await prepared(this.#sandbox.put(`/hooks/${this.name}`, { responses, delay_ms: delayMs }), 200);
  }

  /** All that arrived, in order. */
  async deliveries(): Promise<Delivery[]> {
    return (await prepared(this.#sandbox.get(`/hooks/${this.name}`), 200)) as Delivery[];
  }
}

/** The telephone network in a box: customers, phones, the SMS provider, mail, receivers of webhooks. */
export class Sandbox extends ApiClient {
  constructor(network: Network, url: string) {
    super(network, url, '');
  }

  /** A receiver that nobody else uses. */
  receiver(): Receiver {
    return new Receiver(this, `conformance-${freshWord()}`);
  }

  /** A customer dials. */
  async call(from: string, to: string): Promise<Leg> {
    const { leg_id: id } = await prepared(this.post('/calls', { from, to }), 201);
    return new Leg(this, id);
  }

  /** An employee's softphone. */
  phone(employeeId: string): Phone {
    return new Phone(this, employeeId);
  }

  /** The legs at an external number. */
  async legsAt(number: string): Promise<Leg[]> {
    const legs = (await prepared(this.get(`/subscribers/${encodeURIComponent(number)}/legs`), 200)) as {
      leg_id: string;
    }[];
    return legs.map(({ leg_id: id }) => new Leg(this, id));
  }

  /** A customer texts a business number; the provider's id of it. */
  async text(from: string, to: string, text: string): Promise<string> {
    const { provider_id: id, callback_status: status } = await prepared(
      this.post('/messages', { from, to, text }),
      201,
    );
    if (status !== 200) throw new SetUpFailure(`the service answered the callback of a text with ${status}`);
    return id;
  }

  /** What the provider was asked to send to a number. */
  async textsTo(number: string): Promise<{ provider_id: string; from: string; to: string; text: string }[]> {
    return await prepared(this.get(`/messages?to=${encodeURIComponent(number)}`), 200);
  }

  /** Mail to an address, newest first. */
  async emailsTo(address: string): Promise<{ subject: string; text: string; html: string; links: string[] }[]> {
    return await prepared(this.get(`/emails?to=${encodeURIComponent(address)}`), 200);
  }
}
