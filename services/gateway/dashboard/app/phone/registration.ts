import { ApiError } from '../api/api-error.ts';
import { t } from '../i18n/translate.ts';
import { microphoneDenied } from './phone-state.ts';

export interface RegistrationPorts {
  /** Asks the person, who may take a while. */
  readonly mayUseMicrophone: () => Promise<boolean>;
  /** Connects to the switch, if necessary, and registers. */
  readonly register: () => Promise<void>;
  /** Registers no more; a call that goes on keeps its connection. */
  readonly unregister: () => void;
  /** Does something after a while, as when the server could not be reached. */
  readonly later: (action: () => void) => void;
  readonly onChange: (state: RegistrationState, notice?: string | null) => void;
}

export interface RegistrationState {
  /** The user has chosen to receive calls here. */
  readonly isEnabled: boolean;
  /** `asking`: for the microphone. */
  readonly registration: 'off' | 'asking' | 'connecting' | 'registered';
}

/** Registers this browser as one of the employee's phones. */
export class Registration {
  readonly #ports: RegistrationPorts;
  #state: RegistrationState = { isEnabled: false, registration: 'off' };
  /** True once the user has been informed why it does not connect. */
  #hasFailed = false;

  constructor(ports: RegistrationPorts) {
    this.#ports = ports;
  }

  get isEnabled(): boolean {
    return this.#state.isEnabled;
  }

  /** The person's choice; the last one counts, however long the one before takes. */
  async setEnabled(isEnabled: boolean): Promise<void> {
    if (!isEnabled) {
      this.#set({ isEnabled: false, registration: 'off' }, null);
      this.#ports.unregister();
      return;
    }
    const asking = this.#set({ isEnabled: true, registration: 'asking' }, null);
    const mayUseMicrophone = await this.#ports.mayUseMicrophone();
    if (this.#state !== asking) return;
    if (!mayUseMicrophone) {
      this.#set({ isEnabled: false, registration: 'off' }, microphoneDenied());
      return;
    }
    await this.#connect();
  }

  async #connect(): Promise<void> {
    this.#set({ isEnabled: true, registration: 'connecting' });
    try {
      await this.#ports.register();
      // Switched off while it was connecting.
      if (!this.#state.isEnabled) this.#ports.unregister();
    } catch (error) {
      if (this.#state.isEnabled) this.#failed(error);
    }
  }

  /** A temporary problem is retried: the choice of the user stays, also when the page is loaded meanwhile. */
  #failed(error: unknown): void {
    const isLasting = error instanceof ApiError && !error.isTemporary;
    const reason = error instanceof Error ? error.message : t('The phone could not be connected. Try again.');
    this.#hasFailed = !isLasting;
    const failed = this.#set({ isEnabled: !isLasting, registration: isLasting ? 'off' : 'connecting' }, reason);
    if (isLasting) return;
    this.#ports.later(() => {
      if (this.#state === failed) void this.#connect();
    });
  }

  /** The switch has accepted the registration. */
  registered(): void {
    if (!this.#state.isEnabled) return;
    this.#set({ isEnabled: true, registration: 'registered' }, this.#hasFailed ? null : undefined);
    this.#hasFailed = false;
  }

  /** The connection is lost, or the switch has ended the registration: it is tried again. */
  lost(): void {
    if (this.#state.isEnabled && this.#state.registration !== 'asking')
      this.#set({ isEnabled: true, registration: 'connecting' });
  }

  #set(state: RegistrationState, notice?: string | null): RegistrationState {
    this.#state = state;
    this.#ports.onChange(state, notice);
    return state;
  }
}
