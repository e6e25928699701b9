import { api, ok } from '../api/client.ts';
import type { SoftphoneSession } from '../api/schema.d.ts';

/** A credential is replaced this long before it expires. */
const RENEW_BEFORE_MS = 5 * 60_000;
const RETRY_MS = 15_000;

/** The credential of this browser's phone: lives for an hour and is renewed before. */
export class PhoneCredentials {
  readonly #onRenewed: (session: SoftphoneSession) => void;
  #current: SoftphoneSession | undefined;
  #createdAt = 0;
  #timer: number | undefined;

  constructor(onRenewed: (session: SoftphoneSession) => void) {
    this.#onRenewed = onRenewed;
  }

  async get(): Promise<SoftphoneSession> {
    this.#current ??= await this.#create();
    return this.#current;
  }

  /** Replaces it, at once or, if it is as good as new, after a while: whatever refuses it may refuse the next one as well. */
  renew(): void {
    window.clearTimeout(this.#timer);
    const waitMs = this.#createdAt + RETRY_MS - Date.now();
    if (waitMs > 0) {
      this.#timer = window.setTimeout(() => this.renew(), waitMs);
      return;
    }
    this.#create().then(
      (session) => {
        this.#current = session;
        this.#onRenewed(session);
      },
      () => {
        this.#timer = window.setTimeout(() => this.renew(), RETRY_MS);
      },
    );
  }

  /** Ends it: nobody can register with it any more. */
  revoke(): void {
    window.clearTimeout(this.#timer);
    const ended = this.#current;
    this.#current = undefined;
    if (ended)
      void api.DELETE('/api/v1/softphone_sessions/{id}', { params: { path: { id: ended.id } } }).catch(() => undefined);
  }

  async #create(): Promise<SoftphoneSession> {
    const created = await ok(api.POST('/api/v1/softphone_sessions'));
    this.#createdAt = Date.now();
    const waitMs = Date.parse(created.expires_at) - Date.now() - RENEW_BEFORE_MS;
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.renew(), Math.max(waitMs, RETRY_MS));
    return created;
  }
}
