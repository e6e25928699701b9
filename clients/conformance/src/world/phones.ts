import { Failure } from '../expectations/failure.ts';
import { eventually } from '../expectations/eventually.ts';
import type { ApiClient } from '../http/api-client.ts';
import { prepared } from './prepared.ts';

export type LegState = 'dialing' | 'ringing' | 'connected' | 'on_hold' | 'ended';

export interface Heard {
  readonly kind: 'speech' | 'ringtone' | 'music' | 'beep' | 'party' | 'voice';
  readonly text?: string;
  readonly leg_id?: string;
}

export interface LegView {
  readonly leg_id: string;
  readonly state: LegState;
  readonly heard: readonly Heard[];
  readonly call_id: string | null;
  readonly hangup_cause?: string;
}

/** One phone's side of a call, at the sandbox. */
export class Leg {
  readonly #sandbox: ApiClient;
  readonly id: string;

  constructor(sandbox: ApiClient, id: string) {
    this.#sandbox = sandbox;
    this.id = id;
  }

  /** Without waiting for words that others said: their `text` may be null. */
  async view(): Promise<LegView> {
    return (await prepared(this.#sandbox.get(`/legs/${this.id}?wait=false`), 200)) as LegView;
  }

  /** Waits for a state. */
  async is(state: LegState): Promise<LegView> {
    return await eventually(`the leg is ${state}`, async () => {
      const view = await this.view();
      if (view.state !== state) throw new Failure(`it is ${view.state}`);
      return view;
    });
  }

  /** The service's call, as soon as there is one. */
  async callId(): Promise<string> {
    return await eventually('the leg has a call', async () => {
      const { call_id: id } = await this.view();
      if (id === null) throw new Failure('it has none');
      return id;
    });
  }

  /** Waits until the phone has heard something: a kind, or speech with words in it. */
  async hears(kind: Heard['kind'], words = ''): Promise<LegView> {
    return await eventually(`the phone hears ${kind} ${words}`, async () => {
      const view = await this.view();
      if (!view.heard.some((heard) => heard.kind === kind && (heard.text ?? '').includes(words)))
        throw new Failure(`it heard ${JSON.stringify(view.heard)}`);
      return view;
    });
  }

  async press(digits: string): Promise<void> {
    await prepared(this.#sandbox.post(`/legs/${this.id}/digits`, { digits }), 200);
  }

  /** Speaks, and comes back when it has been said. */
  async say(text: string): Promise<void> {
    await prepared(this.#sandbox.post(`/legs/${this.id}/say`, { text }), 200);
  }

  async hangUp(): Promise<void> {
    await prepared(this.#sandbox.post(`/legs/${this.id}/hangup`), 200);
  }

  /** An external phone answers. */
  async answer(): Promise<void> {
    await prepared(this.#sandbox.post(`/legs/${this.id}/answer`), 200);
  }
}

/** An employee's softphone, at the sandbox. */
export class Phone {
  readonly #sandbox: ApiClient;
  readonly employeeId: string;

  constructor(sandbox: ApiClient, employeeId: string) {
    this.#sandbox = sandbox;
    this.employeeId = employeeId;
  }

  async goes(where: 'online' | 'offline'): Promise<void> {
    await prepared(this.#sandbox.put(`/phones/${this.employeeId}`, { online: where === 'online' }), 200);
  }

  async legs(): Promise<LegView[]> {
    const { legs } = await prepared(this.#sandbox.get(`/phones/${this.employeeId}`), 200);
    return legs as LegView[];
  }

  /** Waits until it rings; the leg that does. */
  async rings(): Promise<Leg> {
    return await eventually('the phone rings', async () => {
      const legs = await this.legs();
      const ringing = legs.find(({ state }) => state === 'ringing');
      if (!ringing) throw new Failure(`its legs are ${JSON.stringify(legs.map(({ state }) => state))}`);
      return new Leg(this.#sandbox, ringing.leg_id);
    });
  }

  /** Waits until it rings, and answers. */
  async answers(): Promise<Leg> {
    const leg = await this.rings();
    await prepared(this.#sandbox.post(`/phones/${this.employeeId}/answer`, { leg_id: leg.id }), 200);
    return leg;
  }

  /** Waits until it rings, and declines. */
  async declines(): Promise<void> {
    const leg = await this.rings();
    await prepared(this.#sandbox.post(`/phones/${this.employeeId}/decline`, { leg_id: leg.id }), 200);
  }

  /** Calls an external number. */
  async dials(businessNumberId: string, to: string): Promise<Leg> {
    const body = { business_number_id: businessNumberId, to };
    const { leg_id: id } = await prepared(this.#sandbox.post(`/phones/${this.employeeId}/dial`, body), 201);
    return new Leg(this.#sandbox, id);
  }
}
