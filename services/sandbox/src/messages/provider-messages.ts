import { randomUUID } from 'node:crypto';

/** A text that was submitted to the provider. */
export interface OutgoingText {
  readonly providerId: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
  /** The address of its delivery reports. */
  readonly statusCallback: string;
  readonly submittedAt: Date;
}

/** A text from a customer. */
export interface CustomerText {
  readonly providerId: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
  /** The addresses of the pictures of an MMS; absent in an SMS. */
  readonly media?: readonly string[];
  readonly receivedAt: Date;
  /** The number of callbacks that were sent. */
  readonly callbacks: number;
}

/** The messages of the provider. */
export type ProviderMessages = ReturnType<typeof createProviderMessages>;

/** Only the newest are kept. */
const KEPT_MAX = 100_000;

export function createProviderMessages() {
  const outgoing = new Map<string, OutgoingText>();
  const received = new Map<string, CustomerText>();
  return {
    submit(text: Omit<OutgoingText, 'providerId'>): OutgoingText {
      const submitted = { providerId: randomUUID(), ...text };
      keep(outgoing, submitted);
      return submitted;
    },
    submitted: (to: string | undefined) => [...outgoing.values()].filter((text) => to === undefined || text.to === to),
    outgoing: (providerId: string) => outgoing.get(providerId),
    /** A customer's text, new or, by its id, an earlier one; counts one more callback. Undefined when it is neither. */
    receive(
      { providerId = randomUUID(), from, to, text, media }: Partial<Omit<CustomerText, 'callbacks' | 'receivedAt'>>,
      now: Date,
    ): CustomerText | undefined {
      const known = received.get(providerId);
      if (!known && (from === undefined || to === undefined || text === undefined)) return undefined;
      const base = known ?? {
        providerId,
        from: from!,
        to: to!,
        text: text!,
        receivedAt: now,
        callbacks: 0,
        ...(media && { media }),
      };
      const next = { ...base, callbacks: base.callbacks + 1 };
      keep(received, next);
      return next;
    },
  };
}

function keep<Text extends { providerId: string }>(texts: Map<string, Text>, text: Text): void {
  texts.set(text.providerId, text);
  const [oldest] = texts.keys();
  if (texts.size > KEPT_MAX && oldest !== undefined) texts.delete(oldest);
}
