import type { LegEvent } from '../../calls/model/leg-event.ts';

export type SwitchEvent =
  | LegEvent
  | {
      readonly type: 'registration';
      /** `undialable`: registered, with a contact that is not dialled. */
      readonly change: 'registered' | 'unregistered' | 'undialable';
      readonly user: string;
      readonly domain: string;
      /** SIP Call-ID, by which the switch identifies the registration: a phone keeps it when it renews. */
      readonly callId: string;
      /** SIP address of the phone; null when the event does not carry one that can be dialled. */
      readonly address: string | null;
      readonly softphoneSessionId: string | null;
    }
  | { readonly type: 'shutting_down' };
