import type { LegEvent } from '../calls/model/leg-event.ts';

/** What a switch reports. */
export type SwitchEvent =
  | LegEvent
  | {
      readonly type: 'registration';
      readonly change: 'registered' | 'unregistered';
      readonly user: string;
      readonly domain: string;
      /** SIP Call-ID, by which the switch identifies the registration: a phone keeps it when it renews. */
      readonly callId: string;
      /** SIP address of the phone; null when the event does not carry it. */
      readonly address: string | null;
      readonly softphoneSessionId: string | null;
    }
  | { readonly type: 'shutting_down' };
