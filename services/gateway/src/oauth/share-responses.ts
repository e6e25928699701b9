import { LRUCache } from 'lru-cache';

interface SharedResponse<Answer> {
  readonly answer: Promise<Answer>;
  /** Null while it is not sent. */
  answeredAt: Date | null;
}

/**
 * A request that arrived in time may take this long to get here; it is longer than identity keeps a response for other replicas.
 */
const KEPT_MS = 5_000;
const KEPT_MAX = 10_000;

/**
 * One response for all requests with the same key that arrive before it is sent. Between identity's response and the one to the
 * client a busy gateway may take hundreds of milliseconds, in which identity regards the token as used.
 */
export function shareResponses<Answer>(options: {
  /** True for a response that requests get which arrived in time and are handled after it was sent. */
  isKept: (answer: Answer) => boolean;
  now?: () => Date;
}): (key: string, arrivedAt: Date, answer: () => Promise<Answer>) => Promise<Answer> {
  const { isKept, now = () => new Date() } = options;
  const known = new LRUCache<string, SharedResponse<Answer>>({ max: KEPT_MAX, ttl: KEPT_MS });

  function keepOrForget(key: string, shared: SharedResponse<Answer>, keep: boolean): void {
    if (!keep) return void known.delete(key);
    // The response is written before other requests are read.
    setImmediate(() => {
      shared.answeredAt = now();
      if (known.get(key) === shared) known.set(key, shared);
    });
  }

  return (key, arrivedAt, answer) => {
    const shared = known.get(key);
    if (shared && (shared.answeredAt === null || arrivedAt < shared.answeredAt)) return shared.answer;
    const own: SharedResponse<Answer> = { answer: answer(), answeredAt: null };
    // While it is not sent it is known for as long as that takes.
    known.set(key, own, { ttl: 0 });
    own.answer.then(
      (answered) => keepOrForget(key, own, isKept(answered)),
      () => keepOrForget(key, own, false),
    );
    return own.answer;
  };
}
