import type { SmsProvider } from './provider.ts';

/** An installation without an SMS provider: texts fail before they are sent, and no callback is authentic. */
export const noProvider: SmsProvider = {
  submit: async () => ({ outcome: 'failed', failureCode: 'sending_unavailable', providerId: null }),
  isAuthentic: () => false,
  readCallback: () => undefined,
};
