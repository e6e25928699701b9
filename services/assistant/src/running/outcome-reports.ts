import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineInUse } from '../engine/answer.ts';
import type { SessionWork } from './session-work.ts';

const AGAIN_MS = 500;

/** Tells call-control what would become of a session if the caller left now. */
export class OutcomeReports {
  readonly #send: SessionWork['report'];
  readonly #over: AbortSignal;
  readonly #warn: (error: unknown) => void;
  #revision: number;
  #reported = '';

  /** `revision`: of the last report of the process that had the session before. */
  constructor(send: SessionWork['report'], revision: number, over: AbortSignal, warn: (error: unknown) => void) {
    this.#send = send;
    this.#revision = revision;
    this.#over = over;
    this.#warn = warn;
  }

  /** Of the last report. */
  get revision(): number {
    return this.#revision;
  }

  /** Where it has changed. */
  report(engine: EngineInUse, outcome: string): void {
    const report = `${engine} ${outcome}`;
    if (report === this.#reported) return;
    this.#reported = report;
    this.#revision += 1;
    this.#sendUntilArrived(engine, outcome, this.#revision).catch(this.#warn);
  }

  /** Again, until it has arrived or there is a later one: call-control may be restarting. */
  async #sendUntilArrived(engine: EngineInUse, outcome: string, revision: number): Promise<void> {
    while (revision === this.#revision && !this.#over.aborted) {
      try {
        return await this.#send(engine, outcome, revision);
      } catch (error) {
        this.#warn(error);
        await sleep(AGAIN_MS, undefined, { signal: this.#over }).catch(() => undefined);
      }
    }
  }
}
